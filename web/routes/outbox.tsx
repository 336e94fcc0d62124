import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, MailOpen } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, NavLink, useParams } from 'react-router';
import type { OutputOf } from '#contract/endpoint.ts';
import type { outboxEndpoints } from '#contract/outbox.ts';
import { linkParts } from '../features/outbox/link-parts.ts';
import { outboxMailOptions, outboxOptions } from '../features/outbox/queries.ts';
import { RetryNotice } from '../kit/retry-notice.tsx';
import { ApiError } from '../lib/api-error.ts';
import { titledPage } from '../lib/page-title.tsx';
import { noteSeenMails } from '../lib/seen-mails.ts';
import { buttonClasses } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { PartHeading } from '../ui/part-heading.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { Loading, Skeleton } from '../ui/skeleton.tsx';
import { Tabs } from '../ui/tabs.tsx';

type MailEntry = OutputOf<typeof outboxEndpoints.listOutbox>['mails'][number];

/** Emails that this installation stored instead of sending them. */
function OutboxScreen() {
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

export default titledPage('Outbox', OutboxScreen);

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

/** An email as text with its links, and as it would look. */
function MailView({ mailId }: { mailId: string }) {
  const mail = useQuery(outboxMailOptions(mailId));
  const [view, setView] = useState<'text' | 'html'>('text');
  if (mail.isError) {
    return <RetryNotice query={mail} title="Couldn't load this email" />;
  }
  if (!mail.data) {
    return (
      <Loading label="Loading the email…" className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-5">
        <Skeleton className="h-5 w-64 max-w-full" />
        <Skeleton className="h-4 w-48" />
        <Skeleton className="mt-4 h-40 w-full" />
      </Loading>
    );
  }
  const { subject, from, to, sentAt, text, html } = mail.data;
  const words = <MailText text={text} />;
  return (
    <article aria-labelledby="mail-subject" className="min-w-0 rounded-lg border border-line bg-surface shadow-sm">
      <header className="border-line border-b px-5 pt-4 pb-3">
        <Link to="/outbox" className={`${buttonClasses('quiet', 'sm')} mb-2 -ml-2.5 lg:hidden`}>
          <ArrowLeft aria-hidden className="size-4" />
          All emails
        </Link>
        <PartHeading id="mail-subject">{subject}</PartHeading>
        <p className="mt-1 text-faint text-xs">
          To {to}, from {from}, <RelativeTime at={sentAt} />
        </p>
      </header>
      <div className="px-5 pt-3 pb-5">
        {html === null ? (
          words
        ) : (
          <Tabs
            label="How to show the email"
            value={view}
            onChange={setView}
            panelClassName="pt-4"
            tabs={[
              { name: 'text', label: 'Text', panel: words },
              { name: 'html', label: 'Preview', panel: <MailFrame html={html} subject={subject} /> },
            ]}
          />
        )}
      </div>
    </article>
  );
}

function MailText({ text }: { text: string }) {
  return (
    <p className="max-w-prose whitespace-pre-wrap text-ink leading-relaxed">
      {linkParts(text).map(({ text: words, href }, place) =>
        href === undefined ? (
          words
        ) : (
          <a key={place} href={href} rel="noreferrer" className="text-lamp underline underline-offset-3">
            {words}
          </a>
        ),
      )}
    </p>
  );
}

/** An email's HTML is untrusted: the frame runs no scripts, submits no forms, opens nothing and has no origin. */
function MailFrame({ html, subject }: { html: string; subject: string }) {
  return (
    <iframe
      title={`Email: ${subject}`}
      sandbox=""
      srcDoc={html}
      referrerPolicy="no-referrer"
      className="h-[32rem] w-full rounded-md border border-line bg-white"
    />
  );
}
