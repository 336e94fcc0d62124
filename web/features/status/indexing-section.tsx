import type { StatusReport } from '#contract/status.ts';
import { indexingFigures } from '#contract/status-words.ts';
import { PartHeading } from '../../ui/part-heading.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useWritten, Written } from './written-status.tsx';

/** The index queue and the latest updates. Private documentation appears only in the figures. */
export function IndexingSection({ report }: { report: StatusReport | undefined }) {
  const written = useWritten('indexing');
  if (report === undefined && written === undefined) return null;
  return (
    <section aria-labelledby="indexing" className="flex flex-col gap-4">
      <PartHeading id="indexing">Indexing</PartHeading>
      {report ? <Figures report={report} /> : <Written part="indexing" html={written ?? ''} />}
    </section>
  );
}

function Figures({ report }: { report: StatusReport }) {
  const { queue, index } = report;
  if (queue === null || index === null) {
    return <p className="text-soft">The database is not responding, so there is no information about runs.</p>;
  }
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
      <dl className="divide-y divide-line rounded-lg border border-line bg-surface shadow-sm">
        {indexingFigures(queue, index).map(([name, value]) => (
          <Line key={name} name={name} value={value} />
        ))}
      </dl>
      <LatestModules latest={index.latest} />
    </div>
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
        The public index is empty.
      </p>
    );
  }
  return (
    <div className="rounded-lg border border-line bg-surface shadow-sm">
      <h3 className="border-line border-b px-4 py-2.5 text-soft text-sm">Last indexed</h3>
      <ul className="divide-y divide-line">
        {latest.map(({ moduleId, displayName, lastUpdatedAt }) => (
          <li key={moduleId} className="flex items-baseline justify-between gap-4 px-4 py-2">
            <span className="wrap-anywhere text-ink">{displayName}</span>
            <span className="shrink-0 text-faint text-xs">
              <RelativeTime at={lastUpdatedAt} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
