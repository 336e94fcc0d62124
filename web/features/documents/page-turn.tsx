import { ArrowLeft, ArrowRight } from 'lucide-react';
import { Link } from 'react-router';
import type { Document } from '#contract/documents.ts';

/** The pages beside this one in its module. */
export function PageTurn({ document, pathOfPage }: { document: Document; pathOfPage: (url: string) => string }) {
  const { previous, next } = document;
  if (previous === null && next === null) return null;
  const classes =
    'wrap-anywhere flex min-w-0 flex-1 basis-56 items-center gap-3 rounded-lg border border-line bg-surface px-4 py-3 text-ink hover:border-line-strong hover:bg-hover';
  return (
    <nav aria-label="Pages of the module" className="mt-10 flex flex-wrap gap-3 print:hidden">
      {previous !== null && (
        <Link to={pathOfPage(previous.url)} rel="prev" className={classes}>
          <ArrowLeft aria-hidden className="size-4 shrink-0 text-faint" />
          <span className="min-w-0">
            <span className="block text-faint text-xs">Previous page</span>
            {previous.title || previous.url}
          </span>
        </Link>
      )}
      {next !== null && (
        <Link to={pathOfPage(next.url)} rel="next" className={`${classes} justify-end text-right`}>
          <span className="min-w-0">
            <span className="block text-faint text-xs">Next page</span>
            {next.title || next.url}
          </span>
          <ArrowRight aria-hidden className="size-4 shrink-0 text-faint" />
        </Link>
      )}
    </nav>
  );
}
