import type { Incident } from '#contract/status.ts';
import {
  factsInWords,
  incidentTone,
  incidentWords,
  phaseInWords,
  statedParagraphs,
  timeInWords,
} from '#contract/status-words.ts';
import { Badge } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { loadedMarkdown } from './later-markdown.ts';

const edges = { minor: 'border-l-busy', major: 'border-l-warn', critical: 'border-l-danger' } as const;

/** An incident or maintenance with all its updates, newest first. */
export function IncidentCard({ incident }: { incident: Incident }) {
  const { id, title, kind, phase, severity, startsAt, endsAt, updates } = incident;
  const isOver = phase === 'past';
  const Markdown = loadedMarkdown();
  const edge = isOver ? 'border-l-line-strong' : kind === 'maintenance' ? 'border-l-busy' : edges[severity];
  return (
    <article
      id={`incident-${id}`}
      aria-labelledby={`title-${id}`}
      className={classNames(
        'scroll-mt-2 rounded-lg border border-line border-l-4 bg-surface px-5 py-4 shadow-sm',
        edge,
      )}
    >
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h3 id={`title-${id}`} className="min-w-0 font-medium text-ink text-md">
          {title}
        </h3>
        <Badge tone={incidentTone(incident)}>{phaseInWords(incident)}</Badge>
      </div>
      <p className="mt-0.5 text-faint text-xs">{factsInWords(incident)}</p>
      {endsAt !== null && (
        <p className="mt-1 text-soft text-sm">
          <time dateTime={new Date(startsAt).toISOString()}>{timeInWords(startsAt)}</time> to{' '}
          <time dateTime={new Date(endsAt).toISOString()}>{timeInWords(endsAt)}</time>
        </p>
      )}
      <ol className="mt-3 flex flex-col gap-3">
        {updates.map(({ id: updateId, state, body, createdAt }) => (
          <li key={updateId} className="border-line border-t pt-3 first:border-t-0 first:pt-0">
            <p className="mb-0.5 text-xs">
              <span className="font-medium text-ink">{incidentWords[state]}</span>{' '}
              <span className="text-faint">
                <RelativeTime at={createdAt} />
              </span>
            </p>
            {Markdown ? <Markdown text={body} /> : <Unread body={body} />}
          </li>
        ))}
      </ol>
    </article>
  );
}

function Unread({ body }: { body: string }) {
  return (
    <div className="prose">
      {statedParagraphs(body).map((paragraph, place) => (
        <p key={place} className="whitespace-pre-wrap">
          {paragraph}
        </p>
      ))}
    </div>
  );
}
