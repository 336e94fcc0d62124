import { pagesOfJob } from '../../lib/job-pages.ts';
import { Badge } from '../../ui/badge.tsx';
import { type ListedSource, sourceBadge } from './listed-sources.ts';

/** The state of a source in a word; while it is being read, how far that has come. */
export function SourceStateBadge({ source }: { source: ListedSource }) {
  const { label, tone } = sourceBadge(source);
  const { lastRun } = source;
  if (source.state === 'ready') {
    // Most are: a word is enough where nothing must be done.
    return (
      <span className="inline-flex items-center gap-1.5 whitespace-nowrap text-soft text-sm">
        <span aria-hidden className="size-1.5 rounded-full bg-lamp" />
        {label}
      </span>
    );
  }
  const pages = lastRun && pagesOfJob(lastRun);
  const isCounting = source.state === 'running' && lastRun?.status === 'CRAWLING';
  return (
    <Badge tone={tone}>
      {label}
      {isCounting && pages !== undefined && pages.total > 0 && (
        <span className="tabular">{Math.floor((pages.done / pages.total) * 100)}%</span>
      )}
    </Badge>
  );
}
