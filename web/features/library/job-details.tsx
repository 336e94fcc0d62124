import type { JobRun } from '#contract/library.ts';
import { Notice } from '../../ui/notice.tsx';
import { formatBytes, formatCount, formatRate, formatSeconds } from '../../ui/quantities.ts';
import { CoverageBar } from './coverage-bar.tsx';
import { LeftOut } from './left-out.tsx';

/** A run's coverage report, which accounts for every page found. */
export function JobDetails({ job }: { job: JobRun }) {
  return (
    <div className="flex flex-col gap-5 px-3 pb-4 pl-9 sm:pr-4 sm:pl-10">
      {job.error !== null && (
        <Notice tone={job.isCancelled ? 'info' : 'bad'} title={job.isCancelled ? 'Cancelled' : 'Why it failed'}>
          {job.error}
          {!job.isCancelled && !job.isModuleRemoved && ' The earlier version is still served.'}
        </Notice>
      )}
      <CoverageBar job={job} />
      <dl className="tabular grid grid-cols-2 gap-x-6 gap-y-2.5 text-sm sm:grid-cols-4">
        {factsOf(job).map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-faint text-xs">{name}</dt>
            <dd className="wrap-anywhere text-ink">{value}</dd>
          </div>
        ))}
        <div className="col-span-2 min-w-0 sm:col-span-4">
          <dt className="text-faint text-xs">Source</dt>
          <dd className="wrap-anywhere text-ink">{job.url}</dd>
        </div>
      </dl>
      <LeftOut job={job} />
    </div>
  );
}

function factsOf(job: JobRun): [string, string][] {
  const facts: [string, string][] = [
    ['Passages', formatCount(job.snippets)],
    ['Content', formatBytes(job.contentBytes)],
  ];
  if (job.startTime !== null && job.endTime !== null) {
    const rate = job.pagesPerSecond > 0 ? ` at ${formatRate(job.pagesPerSecond)} pages/s` : '';
    facts.push(['Duration', `${formatSeconds((job.endTime - job.startTime) / 1_000)}${rate}`]);
  }
  facts.push(['Run', job.id.slice(0, 8)]);
  return facts;
}
