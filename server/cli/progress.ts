import type { JobRun } from '#contract/library.ts';
import { hasPassingFailures, skipReasonText } from '#contract/skip-reasons.ts';
import { countOf } from './table.ts';

/** Where progress is shown: standard error, so that standard output contains only results. */
export interface ProgressScreen {
  isTerminal: boolean;
  write(text: string): void;
}

const plainLineEveryMs = 5_000;

/** Shows a job as one line that is rewritten on a terminal, and elsewhere as a plain line every 5 seconds. */
export function createProgress(screen: ProgressScreen): { show(job: JobRun, nowMs: number): void; end(): void } {
  let shownAtMs = Number.NEGATIVE_INFINITY;
  let isLineOpen = false;
  return {
    show(job, nowMs) {
      if (screen.isTerminal) {
        screen.write(`\r\u001b[2K${progressLine(job)}`);
        isLineOpen = true;
      } else if (nowMs - shownAtMs >= plainLineEveryMs) {
        screen.write(`${progressLine(job)}\n`);
        shownAtMs = nowMs;
      }
    },
    end() {
      if (isLineOpen) screen.write('\r\u001b[2K');
      isLineOpen = false;
    },
  };
}

export function progressLine(job: JobRun): string {
  const parts = [`${job.moduleId}: ${stateOf(job)}`, `${job.found} found`, `${job.fetched} fetched`];
  if (job.unchanged > 0) parts.push(`${job.unchanged} unchanged`);
  if (job.skipped > 0) parts.push(`${job.skipped} skipped`);
  if (job.failed > 0) parts.push(`${job.failed} failed`);
  parts.push(countOf(job.snippets, 'passage'));
  if (job.pagesPerSecond > 0) parts.push(`${job.pagesPerSecond.toFixed(1)} pages/s`);
  if (job.secondsLeft !== null) parts.push(`${duration(job.secondsLeft)} left`);
  return parts.join(', ');
}

/** Returns the summary of an ended job: totals, then why pages are not in the index. */
export function summaryOf(job: JobRun): string {
  const seconds = job.startTime !== null && job.endTime !== null ? (job.endTime - job.startTime) / 1000 : 0;
  const lines = [
    `${job.moduleId}: ${countOf(job.snippets, 'passage')} from ${job.fetched + job.unchanged} of ${countOf(job.found, 'page')} in ${duration(seconds)}` +
      ` (${job.pagesPerSecond.toFixed(1)} pages/s)`,
    `  fetched ${job.fetched}, unchanged ${job.unchanged}, skipped ${job.skipped}, failed ${job.failed}`,
  ];
  if (isOnlyPage(job)) {
    lines.push(
      `  ONLY ONE PAGE WAS FOUND: no link on it leads to another page below ${job.url}.`,
      '  Start from a page with links, add --seed addresses, or try --scripts if the page needs scripts.',
    );
  }
  const unfilled = job.skipReasons.find(({ reason }) => reason === 'needs-scripts');
  if (unfilled !== undefined) {
    lines.push(
      `  ${countOf(unfilled.count, 'page').toUpperCase()} ${unfilled.count === 1 ? 'LACKS' : 'LACK'} TEXT THAT SCRIPTS ADD. Index it with --scripts, or index the sources.`,
    );
  }
  if (hasPassingFailures(job)) lines.push(`  To read only what failed: lectern index ${job.moduleId} --retry`);
  if (job.retryAt !== null) lines.push(`  A running server retries it after ${new Date(job.retryAt).toISOString()}.`);
  for (const { reason, count, examples } of job.skipReasons) {
    lines.push(
      `  ${count} ${reason}: ${skipReasonText(reason)}${examples[0] === undefined ? '' : `, for example ${examples[0]}`}`,
    );
  }
  return lines.join('\n');
}

/** Returns true if only a site's start page was read, which is rarely intended. */
function isOnlyPage({ kind, status, limits, fetched, unchanged, url, skipReasons }: JobRun): boolean {
  const isStartRead = !skipReasons.some(({ examples }) => examples.includes(url));
  const isWhole = isStartRead && status === 'COMPLETE' && limits.maxPages > 1 && limits.depth !== 0;
  return kind === 'site' && isWhole && fetched + unchanged === 1 && !/\.(?:pdf|md|txt)$/i.test(url);
}

function stateOf(job: JobRun): string {
  switch (job.status) {
    case 'QUEUED':
      return 'waiting';
    case 'CRAWLING':
      return job.isCancelled ? 'stopping' : 'reading pages';
    case 'INDEXING':
      return 'building the index';
    case 'COMPLETE':
      return 'complete';
    case 'FAILED':
      return 'failed';
  }
}

/** Formats a duration: `42 s`, `3 min 5 s`, `2 h 10 min`. */
export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
