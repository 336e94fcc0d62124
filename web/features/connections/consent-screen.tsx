import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { useSession } from '../../lib/session.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { ConsentForm } from './consent-form.tsx';
import { ConsentFrame } from './consent-frame.tsx';
import { ConsentRefused, ConsentUnverified } from './consent-refused.tsx';
import { consentOptions } from './queries.ts';

/** Asks a person whether to let an application in. What it asks for is in the query of the address. */
export function ConsentScreen() {
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
        <Notice
          tone="bad"
          action={
            <Button isBusy={consent.isFetching} onClick={askAgain}>
              Try again
            </Button>
          }
        >
          {sentenceForPeople(consent.error)}
        </Notice>
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
