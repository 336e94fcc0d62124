import { useQuery } from '@tanstack/react-query';
import { type PointerEvent, useMemo, useState } from 'react';
import { dayBar, dayPaths } from '#contract/chart-shapes.ts';
import type { StatusHistory, StatusReport, StatusState } from '#contract/status.ts';
import { type Day, dayInWords, stateTones, stateWords, uptimeInWords } from '#contract/status-words.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { Badge } from '../../ui/badge.tsx';
import { PartHeading } from '../../ui/part-heading.tsx';
import { formatMs } from '../../ui/quantities.ts';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { historyOptions, statusOptions } from './queries.ts';
import { useWritten, Written } from './written-status.tsx';

/** Each component's current state, and its state on each of the last ninety days. */
export function PartsSection() {
  const [isTable, setIsTable] = useState(false);
  const history = useQuery(historyOptions);
  const written = useWritten('parts');
  const isWritten = history.data === undefined && written !== undefined;
  const checks = useQuery(statusOptions).data?.checks;
  return (
    <section aria-labelledby="parts" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <div>
          <PartHeading id="parts">Components</PartHeading>
          <p className="text-soft text-sm">The last 90 days, in UTC. A gap means no data.</p>
        </div>
        {(history.data !== undefined || isWritten) && (
          <button
            type="button"
            aria-expanded={isTable}
            onClick={() => setIsTable(!isTable)}
            className="h-6 rounded-xs px-1 text-faint text-xs hover:text-ink noscript:hidden"
          >
            {isTable ? 'Show as bars' : 'Show as table'}
          </button>
        )}
      </div>
      {history.data !== undefined && isTable && <DayTable history={history.data} />}
      {history.data !== undefined && !isTable && <PartRows history={history.data} checks={checks} />}
      {isWritten && <Written part="parts" html={written} />}
      {history.data === undefined && !isWritten && history.isError && (
        <RetryNotice query={history} title="Couldn't load the history" />
      )}
      {history.isPending && !isWritten && (
        <Loading label="Loading the history…" className="flex flex-col gap-3">
          {[0, 1, 2, 3].map((row) => (
            <Skeleton key={row} className="h-16 w-full" />
          ))}
        </Loading>
      )}
    </section>
  );
}

function PartRows({ history, checks }: { history: StatusHistory; checks: StatusReport['checks'] | undefined }) {
  return (
    <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface shadow-sm">
      {history.parts.map((part) => (
        <PartRow key={part.part} part={part} check={checks?.find((check) => check.part === part.part)} />
      ))}
    </ul>
  );
}

function PartRow({
  part,
  check,
}: {
  part: StatusHistory['parts'][number];
  check: StatusReport['checks'][number] | undefined;
}) {
  const isIdle = part.part === 'search' && check?.state === 'unknown' && check.measuredAt === null;
  return (
    <li className="flex flex-col gap-2 px-4 py-4 sm:px-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h3 className="font-medium text-ink">{part.label}</h3>
        <div className="flex items-center gap-3 text-sm">
          {typeof check?.tookMs === 'number' && (
            <span className="tabular text-faint text-xs">
              <span className="sr-only">The last check took </span>
              {formatMs(check.tookMs)}
            </span>
          )}
          <span className="tabular text-soft">
            {uptimeInWords(part.uptime)}
            {part.uptime !== null && <span className="sr-only"> of its checks succeeded</span>}
          </span>
          {check !== undefined && (
            <Badge tone={stateTones[check.state]}>{isIdle ? 'Nothing to search' : stateWords[check.state]}</Badge>
          )}
        </div>
      </div>
      <DayBars label={part.label} days={part.days} />
    </li>
  );
}

const dayFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 });

/** The bars as a table: a row for each day with measurements, newest first. */
function DayTable({ history }: { history: StatusHistory }) {
  const places = history.parts[0]?.days.map((_, place) => place) ?? [];
  const measured = places
    .filter((place) => history.parts.some(({ days }) => (days[place]?.checks ?? 0) > 0))
    .toReversed();
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label="Components, day by day"
      className="max-h-96 overflow-auto rounded-lg border border-line bg-surface shadow-sm"
    >
      <table className="tabular w-full text-left text-sm">
        <caption className="sr-only">Components, day by day</caption>
        <thead className="sticky top-0 bg-sunken text-soft text-xs">
          <tr>
            <th scope="col" className="px-4 py-2 font-medium">
              Day
            </th>
            {history.parts.map(({ part, label }) => (
              <th key={part} scope="col" className="whitespace-nowrap px-3 py-2 font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {measured.map((place) => (
            <tr key={place} className="border-line border-t">
              <th scope="row" className="whitespace-nowrap px-4 py-1.5 font-normal">
                {dayFormat.format(history.parts[0]?.days[place]?.at)}
              </th>
              {history.parts.map(({ part, days }) => (
                <td key={part} className="whitespace-nowrap px-3 py-1.5">
                  {cellOf(days[place])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {measured.length === 0 && <p className="px-4 py-6 text-center text-faint text-sm">No measurements yet.</p>}
    </div>
  );
}

function cellOf(day: StatusHistory['parts'][number]['days'][number] | undefined): string {
  if (day === undefined || day.checks === 0) return stateWords.unknown;
  const failed = day.failed > 0 ? `, ${day.failed} failed` : '';
  return `${stateWords[day.state]}${failed}, ${percent.format(day.measured)} measured`;
}

const fills: Record<StatusState, string> = {
  operational: 'fill-lamp',
  degraded: 'fill-warn',
  down: 'fill-danger',
  unknown: 'fill-transparent',
};

/** A bar per day, filled in proportion to the measured time. Readable individually by arrow keys or pointer. */
function DayBars({ label, days }: { label: string; days: Day[] }) {
  const [active, setActive] = useState<number>();
  const { ground, filled } = useMemo(() => dayPaths(days), [days]);
  const last = days.length - 1;
  const shown = active === undefined ? undefined : days[active];
  const current = days[active ?? last];
  const follow = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const place = Math.floor(((event.clientX - left) / width) * days.length);
    setActive(Math.min(Math.max(place, 0), last));
  };
  return (
    <div>
      <div className="relative h-8" onPointerMove={follow} onPointerLeave={() => setActive(undefined)}>
        <input
          type="range"
          aria-label={`${label}, day by day`}
          aria-valuetext={current && dayInWords(current)}
          min={0}
          max={last}
          value={active ?? last}
          onChange={(event) => setActive(Number(event.target.value))}
          onFocus={() => setActive(active ?? last)}
          onBlur={() => setActive(undefined)}
          className="peer pointer-events-none absolute inset-0 size-full opacity-0"
        />
        <svg
          aria-hidden
          viewBox={`0 0 ${days.length * dayBar.width} ${dayBar.height}`}
          preserveAspectRatio="none"
          className="absolute inset-0 size-full rounded-xs outline-offset-3 peer-focus-visible:outline-2 peer-focus-visible:outline-lamp"
        >
          <path d={ground} className="fill-line" />
          {active !== undefined && (
            <rect
              x={active * dayBar.width + 0.5}
              width={dayBar.width - 1}
              height={dayBar.height}
              className="fill-line-strong"
            />
          )}
          {filled.map(([state, path]) => (
            <path key={state} d={path} className={fills[state]} />
          ))}
        </svg>
      </div>
      <p aria-hidden className="tabular mt-1 flex min-h-4 justify-between gap-3 text-2xs text-faint">
        {shown ? (
          <span className="text-soft">{dayInWords(shown)}</span>
        ) : (
          <>
            <span>90 days ago</span>
            <span>Today</span>
          </>
        )}
      </p>
    </div>
  );
}
