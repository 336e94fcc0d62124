import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { type Consent, type ConsentRefusal, consentRefusals } from '#contract/connections.ts';
import { ConsentForm } from '../features/connections/consent-form.tsx';
import { ConsentFrame, leaveFor, targetOf } from '../features/connections/consent-frame.tsx';
import { consentOptions } from '../features/connections/queries.ts';
import { RetryNotice } from '../kit/retry-notice.tsx';
import { destinationDefault } from '../lib/continuation.ts';
import { titledPage } from '../lib/page-title.tsx';
import { useSession } from '../lib/session.ts';
import { Button } from '../ui/button.tsx';
import { ActionLink } from '../ui/button-link.tsx';
import { Loading, Skeleton } from '../ui/skeleton.tsx';

/** Asks the user whether to authorize an application. The request is in the address's query. */
function ConsentScreen() {
  const request = useLocation().search.slice(1);
  const user = useSession().data?.user ?? null;
  const consent = useQuery(consentOptions(request, user));
  const askAgain = () => void consent.refetch();
  if (consent.data?.outcome === 'ask') return <ConsentForm key={request} request={request} question={consent.data} />;
  if (consent.data?.outcome === 'refused') return <ConsentRefused {...consent.data} />;
  if (consent.data) return <ConsentUnverified isBusy={consent.isFetching} onTryAgain={askAgain} />;
  if (consent.isError) {
    return (
      <ConsentFrame title="Couldn't load the request">
        <RetryNotice query={consent} />
      </ConsentFrame>
    );
  }
  return (
    <ConsentFrame title="Connect an application">
      <Loading label="Reading the request…" className="flex flex-col gap-4">
        <Skeleton className="h-4 w-56" />
        <Skeleton className="mt-2 h-48 w-full" />
        <Skeleton className="h-20 w-full" />
      </Loading>
    </ConsentFrame>
  );
}

export default titledPage('Connect an application', ConsentScreen);

/** Problems that this server's operator can fix, not the application's developer. */
const reasonsHere: ReadonlySet<ConsentRefusal> = new Set(['client-unreachable', 'client-documents-off']);

/** A request that cannot be granted. The application is informed only if the user returns to it. */
function ConsentRefused({ reason, returnTo }: Extract<Consent, { outcome: 'refused' }>) {
  return (
    <ConsentFrame title="This application can't be connected">
      <p role="alert" className="text-pretty text-soft">
        {consentRefusals[reason]} It received no data.
      </p>
      <p className="text-pretty text-soft">
        {reasonsHere.has(reason)
          ? 'Fix this, then sign in to the application again. Meanwhile you can use an API key.'
          : "Start the connection again from the application. If it fails again, report it to the application's authors. Meanwhile you can use an API key."}
      </p>
      <div className="flex flex-wrap gap-3">
        <ActionLink to={destinationDefault}>Leave</ActionLink>
        {returnTo && <Button onClick={() => leaveFor(returnTo.url)}>Return to the application</Button>}
      </div>
      {returnTo && <p className="text-faint text-sm">This opens {targetOf(returnTo.redirect)}.</p>}
    </ConsentFrame>
  );
}

/** Authorizing an application requires a verified address, like creating an API key. */
function ConsentUnverified({ isBusy, onTryAgain }: { isBusy: boolean; onTryAgain: () => void }) {
  const email = useSession().data?.user?.email;
  return (
    <ConsentFrame title="Verify your email first">
      <p className="text-pretty text-soft">
        Open the verification link for{' '}
        <strong className="wrap-anywhere font-medium text-ink">{email ?? 'your address'}</strong>, then come back to
        this page.
      </p>
      <Button look="action" className="self-start" isBusy={isBusy} onClick={onTryAgain}>
        Continue
      </Button>
    </ConsentFrame>
  );
}
