import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, CircleDashed, Rss, TriangleAlert } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import type { StatusReport, StatusState } from '#contract/status.ts';
import { statusReadAgainSeconds } from '#contract/status-parts.ts';
import { stateWords, wholeSentences } from '#contract/status-words.ts';
import { IncidentCard } from '../features/status/incident-card.tsx';
import { IndexingSection } from '../features/status/indexing-section.tsx';
import { LatencySection } from '../features/status/latency-section.tsx';
import { PartsSection } from '../features/status/parts-section.tsx';
import { incidentsOptions, statusOptions } from '../features/status/queries.ts';
import { useWritten, Written } from '../features/status/written-status.tsx';
import { RetryNotice } from '../kit/retry-notice.tsx';
import { sentenceForPeople } from '../lib/api-error.ts';
import { publicPage } from '../lib/public-page-head.tsx';
import { useSession } from '../lib/session.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Notice } from '../ui/notice.tsx';
import { PartHeading } from '../ui/part-heading.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { Loading, Skeleton } from '../ui/skeleton.tsx';

// Loaded lazily: visitors do not need it.
const OperatorSection = lazy(() =>
  import('../features/status/operator-section.tsx').then((part) => ({ default: part.OperatorSection })),
);

/** The installation's current and past status, and its operator's announcements. */
function StatusScreen() {
  return (
    <div className="page flex flex-1 flex-col gap-10 py-10 md:py-14">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div>
          <h1 className="heading-page">Status</h1>
          <p className="mt-1 max-w-prose text-soft">
            This installation's health, measured every minute: components, speed and index.
          </p>
        </div>
        <ul className="flex flex-wrap gap-x-5 text-sm">
          <OtherForm href="/status.atom">
            <Rss aria-hidden className="size-3.5" />
            Incident feed
          </OtherForm>
          <OtherForm href="/status.txt">Plain text</OtherForm>
          <OtherForm href="/api/status">JSON</OtherForm>
        </ul>
      </div>
      <Now />
      <PartsSection />
      <LatencySection />
      <Indexing />
      <PastIncidents />
      <ForOperator />
    </div>
  );
}

export default publicPage('/status', StatusScreen);

function OtherForm({ href, children }: { href: string; children: ReactNode }) {
  return (
    <li>
      <a href={href} className="inline-flex min-h-6 items-center gap-1.5 rounded-xs text-soft hover:text-ink">
        {children}
      </a>
    </li>
  );
}

function Now() {
  const client = useQueryClient();
  const { data, error, dataUpdatedAt, isFetching } = useQuery(statusOptions);
  const written = useWritten('now');
  const fault = error !== null && (
    <Notice
      tone="bad"
      title="Can't reach the server"
      action={
        <Button isBusy={isFetching} onClick={() => void client.refetchQueries({ queryKey: statusOptions.queryKey })}>
          Try again
        </Button>
      }
    >
      {sentenceForPeople(error)} {lastAnswer(written, data && dataUpdatedAt)}
    </Notice>
  );
  if (data === undefined && written !== undefined) {
    return (
      <div className="flex flex-col gap-4">
        {fault}
        <div className="group" data-old={error === null ? undefined : ''}>
          <Written part="now" html={written} />
        </div>
      </div>
    );
  }
  if (data === undefined) {
    return (
      fault || (
        <Loading label="Loading the status…" className="flex flex-col gap-4">
          <Skeleton className="h-31 w-full rounded-xl sm:h-27.5" />
        </Loading>
      )
    );
  }
  return (
    <div className="flex flex-col gap-4">
      {fault}
      <WholeBanner report={data} isOld={error !== null} />
      <CurrentIncidents report={data} />
    </div>
  );
}

const clockFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

function lastAnswer(written: string | undefined, updatedAt: number | undefined): string {
  if (updatedAt !== undefined) return `Last response at ${clockFormat.format(updatedAt)}; this page shows that state.`;
  return written === undefined
    ? 'It has not responded since you opened this page.'
    : 'Last response when this page was loaded; it shows that state.';
}

function CurrentIncidents({ report }: { report: StatusReport }) {
  if (report.incidents.length === 0) return null;
  return (
    <section aria-labelledby="current" className="flex flex-col gap-4">
      <h2 id="current" className="sr-only">
        Current incidents
      </h2>
      {report.incidents.map((incident) => (
        <IncidentCard key={incident.id} incident={incident} />
      ))}
    </section>
  );
}

function Indexing() {
  const { data } = useQuery(statusOptions);
  return <IndexingSection report={data} />;
}

function ForOperator() {
  const isOperator = useSession().data?.user?.isOperator === true;
  if (!isOperator) return null;
  return (
    <Suspense fallback={null}>
      <OperatorSection />
    </Suspense>
  );
}

/** Resolved incidents of the last ninety days. */
function PastIncidents() {
  const incidents = useQuery(incidentsOptions);
  const written = useWritten('past');
  const isWritten = incidents.data === undefined && written !== undefined;
  const past = incidents.data?.filter(({ phase }) => phase === 'past');
  return (
    <section aria-labelledby="history" className="flex flex-col gap-4">
      <PartHeading id="history">Past incidents</PartHeading>
      {isWritten && <Written part="past" html={written} />}
      {past?.map((incident) => (
        <IncidentCard key={incident.id} incident={incident} />
      ))}
      {past?.length === 0 && <p className="text-soft">None in the last 90 days.</p>}
      {past === undefined && !isWritten && incidents.isError && (
        <RetryNotice query={incidents} title="Couldn't load earlier incidents" />
      )}
      {incidents.isPending && !isWritten && (
        <Loading label="Loading earlier incidents…">
          <Skeleton className="h-16 w-full" />
        </Loading>
      )}
    </section>
  );
}

const looks: Record<StatusState, string> = {
  operational: 'border-lamp-line bg-lamp-ground text-lamp',
  degraded: 'border-warn-line bg-warn-ground text-warn',
  down: 'border-danger-line bg-danger-ground text-danger',
  unknown: 'border-line-strong bg-sunken text-soft',
};

const icons = {
  operational: CircleCheck,
  degraded: TriangleAlert,
  down: CircleAlert,
  unknown: CircleDashed,
};

/** The overall status. A change is announced; the age of the measurement is not. */
function WholeBanner({ report, isOld }: { report: StatusReport; isOld: boolean }) {
  const { state, measuredAt, checks } = report;
  const Icon = icons[state];
  const faulty = checks.filter((check) => check.state === 'down' || check.state === 'degraded');
  return (
    <section
      aria-label="Overall"
      className={classNames('rounded-xl border px-5 py-5 sm:px-7 sm:py-6', looks[isOld ? 'unknown' : state])}
    >
      <div className="flex items-start gap-4">
        <Icon aria-hidden className="mt-1 size-6 shrink-0" />
        <div className="min-w-0">
          <p role="status" className="font-display text-2xl text-ink">
            {isOld && 'Last known: '}
            {wholeSentences[state]}
          </p>
          {faulty.length > 0 && (
            <p className="mt-1 text-ink">
              {faulty.map(({ label, state: its }) => `${label}: ${stateWords[its].toLowerCase()}`).join('. ')}.
            </p>
          )}
          <p className="mt-1 text-soft">
            {measuredAt === null ? (
              "No recent measurements. The first ones appear within a minute of the server's start."
            ) : (
              <>
                Measured <RelativeTime at={measuredAt} />. This page refreshes every {statusReadAgainSeconds} seconds.
              </>
            )}
          </p>
        </div>
      </div>
    </section>
  );
}
