import type { JobRun } from '#contract/library.ts';
import { skipReasonText } from '#contract/skip-reasons.ts';
import { Notice } from '../../ui/notice.tsx';
import { formatBytes, formatCount, formatRate, formatSeconds } from '../../ui/quantities.ts';

/** The coverage report of a run: every page found is accounted for. */
export function JobDetails({ job }: { job: JobRun }) {
  return (
    <div className="flex flex-col gap-4 px-3 pb-4 pl-9 sm:pr-4 sm:pl-10">
      {job.error !== null && (
        <Notice tone={job.isCancelled ? 'info' : 'bad'} title={job.isCancelled ? 'Cancelled' : 'Why it failed'}>
          {job.error}
          {!job.isCancelled && ' What was served before is still served.'}
        </Notice>
      )}
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
      {job.skipReasons.length > 0 && (
        <div>
          <h3 className="mb-1.5 font-medium text-ink text-sm">Left out, and why</h3>
          <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
            {job.skipReasons.map(({ reason, count, examples }) => (
              <li key={reason} className="px-3 py-2 text-sm">
                <div className="flex justify-between gap-4">
                  <span className="wrap-anywhere text-soft">{skipReasonText(reason)}</span>
                  <span className="tabular text-ink">{formatCount(count)}</span>
                </div>
                {examples.map((example) => (
                  <div key={example} className="wrap-anywhere font-mono text-faint text-xs">
                    {example}
                  </div>
                ))}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function factsOf(job: JobRun): [string, string][] {
  const facts: [string, string][] = [
    ['Found', formatCount(job.found)],
    ['Fetched', formatCount(job.fetched)],
    ['Unchanged', formatCount(job.unchanged)],
    ['Skipped', formatCount(job.skipped)],
    ['Failed', formatCount(job.failed)],
    ['Snippets', formatCount(job.snippets)],
    ['Content', formatBytes(job.contentBytes)],
  ];
  if (job.startTime !== null && job.endTime !== null) {
    const rate = job.pagesPerSecond > 0 ? ` at ${formatRate(job.pagesPerSecond)} pages/s` : '';
    facts.push(['Took', `${formatSeconds((job.endTime - job.startTime) / 1_000)}${rate}`]);
  }
  return facts;
}
