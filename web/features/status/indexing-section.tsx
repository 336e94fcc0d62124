import type { StatusReport } from '#contract/status.ts';
import { countOf, formatCount, formatSeconds } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';

/** What waits to be indexed, and what was last. Of private documentation there are numbers alone. */
export function IndexingSection({ report }: { report: StatusReport }) {
  const { queue, index } = report;
  return (
    <section aria-labelledby="indexing" className="flex flex-col gap-4">
      <h2 id="indexing" className="heading-part">
        Indexing
      </h2>
      {queue === null || index === null ? (
        <p className="text-soft">The database does not answer, so nothing is known about runs.</p>
      ) : (
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
          <dl className="divide-y divide-line rounded-lg border border-line bg-surface shadow-sm">
            <Line name="Runs under way" value={formatCount(queue.running)} />
            <Line name="Runs waiting" value={formatCount(queue.waiting)} />
            <Line
              name="Longest wait"
              value={queue.oldestWaitSeconds === null ? 'Nobody waits' : formatSeconds(queue.oldestWaitSeconds)}
            />
            <Line name="Public index" value={countOf(index.modules, 'module')} />
          </dl>
          <LatestModules latest={index.latest} />
        </div>
      )}
    </section>
  );
}

function Line({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex items-baseline justify-between gap-4 px-4 py-2.5">
      <dt className="text-soft">{name}</dt>
      <dd className="tabular text-ink">{value}</dd>
    </div>
  );
}

type Latest = NonNullable<StatusReport['index']>['latest'];

function LatestModules({ latest }: { latest: Latest }) {
  if (latest.length === 0) {
    return (
      <p className="rounded-lg border border-line border-dashed px-4 py-10 text-center text-soft">
        Nothing is in the public index yet.
      </p>
    );
  }
  return (
    <div className="rounded-lg border border-line bg-surface shadow-sm">
      <h3 className="border-line border-b px-4 py-2.5 text-soft text-sm">Indexed last</h3>
      <ul className="divide-y divide-line">
        {latest.map(({ moduleId, displayName, lastUpdatedAt }) => (
          <li key={moduleId} className="flex items-baseline justify-between gap-4 px-4 py-2">
            <span className="truncate text-ink">{displayName}</span>
            <span className="shrink-0 text-faint text-xs">
              <RelativeTime at={lastUpdatedAt} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
