import type { JobRun } from '#contract/library.ts';

export interface CoveragePart {
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
