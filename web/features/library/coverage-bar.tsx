import type { JobRun } from '#contract/library.ts';
import { classNames } from '../../ui/class-names.ts';
import { countOf, formatCount } from '../../ui/quantities.ts';

const fills: Record<CoveragePart['name'], string> = {
  fetched: 'fill-lamp',
  unchanged: 'fill-lamp-line',
  skipped: 'fill-line-strong',
  failed: 'fill-danger',
  waiting: 'fill-hover',
};
const dots: Record<CoveragePart['name'], string> = {
  fetched: 'bg-lamp',
  unchanged: 'bg-lamp-line',
  skipped: 'bg-line-strong',
  failed: 'bg-danger',
  waiting: 'border border-line-strong bg-hover',
};

/** The results of all pages that a run found, as a bar with figures. */
export function CoverageBar({ job }: { job: JobRun }) {
  const parts = coverageOf(job);
  if (parts.length === 0) return <p className="text-faint text-sm">No pages were found.</p>;
  const shown = parts.filter(({ count, name }) => count > 0 || name === 'fetched');
  return (
    <div>
      <svg aria-hidden viewBox="0 0 100 1" preserveAspectRatio="none" className="block h-2 w-full rounded-full">
        {parts.map(({ name, from, width }) =>
          width === 0 ? null : <rect key={name} x={from} y="0" width={width} height="1" className={fills[name]} />,
        )}
      </svg>
      <dl className="tabular mt-2.5 flex flex-wrap gap-x-5 gap-y-1.5 text-sm">
        <div className="flex gap-1.5">
          <dt className="text-faint">Found</dt>
          <dd className="font-medium text-ink">{formatCount(job.found)}</dd>
        </div>
        {shown.map(({ name, label, count }) => (
          <div key={name} title={countOf(count, 'page')} className="flex items-center gap-1.5">
            <span aria-hidden className={classNames('size-2 rounded-full', dots[name])} />
            <dt className="text-faint">{label}</dt>
            <dd className="font-medium text-ink">{formatCount(count)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

interface CoveragePart {
  name: 'fetched' | 'unchanged' | 'skipped' | 'failed' | 'waiting';
  label: string;
  count: number;
  /** Start and width in percent. */
  from: number;
  width: number;
}

const labels = {
  fetched: 'Fetched',
  unchanged: 'Unchanged',
  skipped: 'Skipped',
  failed: 'Failed',
  waiting: 'Not reached',
};

/**
 * Returns the shares of all pages found, by result. They add up to 100 percent; each non-empty one gets at least 1.5
 * percent.
 */
export function coverageOf(
  job: Pick<JobRun, 'found' | 'fetched' | 'unchanged' | 'skipped' | 'failed'>,
): CoveragePart[] {
  const { fetched, unchanged, skipped, failed } = job;
  const done = fetched + unchanged + skipped + failed;
  const counts = { fetched, unchanged, skipped, failed, waiting: Math.max(0, job.found - done) };
  const total = done + counts.waiting;
  if (total === 0) return [];
  const names = Object.keys(counts) as CoveragePart['name'][];
  const wished = names.map((name) => (counts[name] === 0 ? 0 : Math.max(1.5, (counts[name] / total) * 100)));
  const scale = 100 / wished.reduce((sum, width) => sum + width, 0);
  let from = 0;
  return names.map((name, place) => {
    const width = (wished[place] ?? 0) * scale;
    const part = { name, label: labels[name], count: counts[name], from, width };
    from += width;
    return part;
  });
}
