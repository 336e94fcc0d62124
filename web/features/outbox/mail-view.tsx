import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { buttonClasses } from '../../ui/button.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { linkParts } from './link-parts.ts';
import { outboxMailOptions } from './queries.ts';

/** One mail, as text with its links and as it would look. */
export function MailView({ mailId }: { mailId: string }) {
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
        <h2 id="mail-subject" className="heading-part">
          {subject}
        </h2>
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

/** A mail is a stranger's page: in here it runs no script, sends no form, opens nothing and has no origin. */
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
