import { FileText, FolderClosed, GitBranch, Globe, Lock } from 'lucide-react';
import { Link } from 'react-router';
import { pagesOfJob } from '../../lib/job-pages.ts';
import { Badge } from '../../ui/badge.tsx';
import { countOf } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { kindLabels, type ListedSource, sourceBadge } from './listed-sources.ts';
import { sourcePath } from './source-path.ts';

const icons = { site: Globe, folder: FolderClosed, git: GitBranch, pdf: FileText };

export function KindIcon({ kind }: Pick<ListedSource, 'kind'>) {
  const Icon = icons[kind];
  return (
    <span title={kindLabels[kind]} className="shrink-0 text-faint">
      <Icon aria-hidden className="size-4" />
      <span className="sr-only">{kindLabels[kind]}</span>
    </span>
  );
}

/** Marks a source that other users do not see. */
export function PrivateMark() {
  return (
    <span title="Private" className="shrink-0 text-faint">
      <Lock aria-hidden className="size-3.5" />
      <span className="sr-only">Private</span>
    </span>
  );
}

/** A source's name, linked to its page; on a narrow screen, includes the other columns' content. */
export function SourceName({ source }: { source: ListedSource }) {
  const { moduleId, displayName, module } = source;
  return (
    <div className="flex min-w-0 gap-2.5">
      <KindIcon kind={source.kind} />
      <div className="min-w-0">
        <div className="flex items-baseline gap-x-2">
          <Link
            to={sourcePath(source)}
            className="wrap-anywhere rounded-xs font-medium text-ink decoration-lamp-line underline-offset-3 hover:underline"
          >
            {displayName}
          </Link>
          {source.visibility === 'private' && <PrivateMark />}
        </div>
        {moduleId !== displayName && <div className="wrap-anywhere font-mono text-faint text-xs">{moduleId}</div>}
        {source.state === 'failed' && typeof source.lastRun?.error === 'string' && (
          <p className="mt-0.5 line-clamp-5 text-soft text-xs md:line-clamp-2">{source.lastRun.error}</p>
        )}
        <div className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-faint text-xs md:hidden">
          <SourceStateBadge source={source} />
          {module && (
            <span className="tabular">
              {countOf(module.pageCount, 'page')}
              {module.lastUpdated !== null && (
                <>
                  {' · '}
                  <RelativeTime at={module.lastUpdated} />
                </>
              )}
            </span>
          )}
        </div>
      </div>
    </div>
  );
}

/** A source's state as a word; while it is being read, its progress. */
export function SourceStateBadge({ source }: { source: ListedSource }) {
  const { label, tone } = sourceBadge(source);
  const { lastRun } = source;
  if (source.state === 'ready') {
    // The state of most sources: a word suffices if no action is needed.
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
