import type { JobRun } from '#contract/library.ts';
import { classNames } from '../../ui/class-names.ts';
import { countOf, formatCount } from '../../ui/quantities.ts';
import { type CoveragePart, coverageOf } from './coverage.ts';

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
