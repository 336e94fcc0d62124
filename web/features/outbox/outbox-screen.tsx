import { useQuery } from '@tanstack/react-query';
import { MailOpen } from 'lucide-react';
import { useEffect } from 'react';
import { NavLink, useParams } from 'react-router';
import type { OutputOf } from '#contract/endpoint.ts';
import type { outboxEndpoints } from '#contract/outbox.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { ApiError } from '../../lib/api-error.ts';
import { noteSeenMails } from '../../lib/seen-mails.ts';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { MailView } from './mail-view.tsx';
import { outboxOptions } from './queries.ts';

type MailEntry = OutputOf<typeof outboxEndpoints.listOutbox>['mails'][number];

/** The mails this installation has kept instead of sending them. */
export function OutboxScreen() {
  return (
    <div className="page flex flex-1 flex-col gap-7 py-10">
      <div>
        <h1 className="heading-page">Outbox</h1>
        <p className="mt-1 max-w-prose text-soft">
          Emails are stored here instead of being sent, because <code>SMTP_URL</code> is not set.
        </p>
      </div>
      <Mails />
    </div>
  );
}

function Mails() {
  const mails = useQuery(outboxOptions);
  const { mailId } = useParams();
  const newest = mails.data?.[0]?.sentAt;
  useEffect(() => {
    if (newest !== undefined) noteSeenMails(newest);
  }, [newest]);
  if (mails.data?.length === 0) {
    return (
      <EmptyState icon={<MailOpen aria-hidden className="size-5" />} title="No emails yet">
        The first sign-up or password reset appears here. With a mail server, emails are sent and not stored.
      </EmptyState>
    );
  }
  if (mails.data) {
    return (
      <div className="grid min-h-0 flex-1 items-start gap-5 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <nav aria-label="Emails" className={classNames('min-w-0', mailId !== undefined && 'max-lg:hidden')}>
          <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface shadow-sm">
            {mails.data.map((mail) => (
              <li key={mail.id}>
                <MailLink mail={mail} />
              </li>
            ))}
          </ul>
        </nav>
        {mailId === undefined ? (
          <p className="hidden rounded-lg border border-line border-dashed px-6 py-16 text-center text-faint lg:block">
            Select an email to read it.
          </p>
        ) : (
          <MailView key={mailId} mailId={mailId} />
        )}
      </div>
    );
  }
  if (mails.error instanceof ApiError && mails.error.code === 'permission-denied') {
    return (
      <EmptyState icon={<MailOpen aria-hidden className="size-5" />} title="The outbox is for the operator">
        These emails contain sign-in links. Only the operator can read them here.
      </EmptyState>
    );
  }
  if (mails.isError) {
    return <RetryNotice query={mails} title="Couldn't load the outbox" />;
  }
  return (
    <Loading label="Loading emails…" className="flex max-w-80 flex-col gap-4">
      {[0, 1, 2].map((row) => (
        <Skeleton key={row} className="h-12 w-full" />
      ))}
    </Loading>
  );
}

function MailLink({ mail }: { mail: MailEntry }) {
  return (
    <NavLink
      to={`/outbox/${encodeURIComponent(mail.id)}`}
      className={({ isActive }) =>
        classNames('block px-4 py-3 -outline-offset-2', isActive ? 'bg-hover' : 'hover:bg-hover')
      }
    >
      <span className="wrap-anywhere line-clamp-2 font-medium text-ink text-sm">{mail.subject}</span>
      <span className="mt-0.5 flex items-baseline justify-between gap-3 text-faint text-xs">
        <span className="truncate">{mail.to}</span>
        <span className="shrink-0">
          <RelativeTime at={mail.sentAt} isQuiet />
        </span>
      </span>
    </NavLink>
  );
}
