import { useQuery } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { lazy, type ReactNode, type RefObject, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { PageHead } from '../../lib/public-page-head.tsx';
import { fetchWrittenPage, writtenElementId, writtenPageIn } from '../../lib/written-page.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import './docs.css';
import { useToast } from '../../ui/toast.tsx';

/** Most readers do not search: the search is loaded when first opened. */
const DocsSearch = lazy(() => import('./docs-search.tsx').then(({ DocsSearch: part }) => ({ default: part })));

/**
 * A documentation page in the browser: the prerendered one as it is, any other fetched from the server. `missing` is
 * shown if the page does not exist.
 */
export function DocsScreen({ path, missing }: { path: string; missing: ReactNode }) {
  const page = useQuery({
    queryKey: ['written-page', path],
    queryFn: ({ signal }) => fetchWrittenPage(path, signal),
    initialData: () => {
      const loaded = writtenPageIn(document);
      return loaded?.about.path === path ? loaded : undefined;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { hash } = useLocation();
  const element = useRef<HTMLDivElement>(null);
  const html = page.data?.html;
  useCopyButtons(element, html);
  useLinksWithin(element);
  const [search, setSearch] = useState<'unopened' | 'open' | 'closed'>('unopened');
  useSearchKeys(
    element,
    useCallback(() => setSearch('open'), []),
  );
  useEffect(() => {
    if (hash !== '') document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }, [html, hash]);
  if (page.data === null) return missing;
  if (page.data === undefined && page.isError)
    return <Failure isBusy={page.isFetching} onRetry={() => void page.refetch()} />;
  if (page.data === undefined) return <Waiting />;
  return (
    <>
      <PageHead page={page.data.about} />
      <div
        id={writtenElementId}
        ref={element}
        data-page={JSON.stringify(page.data.about)}
        className="docs"
        suppressHydrationWarning
        dangerouslySetInnerHTML={{ __html: page.data.html }}
      />
      {search !== 'unopened' && (
        <Suspense fallback={null}>
          <DocsSearch isOpen={search === 'open'} onOpenChange={(isOpen) => setSearch(isOpen ? 'open' : 'closed')} />
        </Suspense>
      )}
    </>
  );
}

/** Opens links between documentation pages without a full page load. */
function useLinksWithin(element: RefObject<HTMLDivElement | null>): void {
  const navigate = useNavigate();
  useEffect(() => {
    const follow = (event: MouseEvent): void => {
      if (!(event.target instanceof Element) || !element.current?.contains(event.target)) return;
      const link = event.target.closest('a');
      if (link === null || link.origin !== location.origin || link.target !== '') return;
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      if (!/^\/docs(\/|$)/.test(link.pathname)) return;
      event.preventDefault();
      void navigate(link.pathname + link.hash);
    };
    document.addEventListener('click', follow);
    return () => document.removeEventListener('click', follow);
  }, [element, navigate]);
}

function Waiting() {
  return (
    <div className="docs appear-late" aria-busy>
      <span className="sr-only" role="status">
        Loading the page…
      </span>
      <div className="docs-menu" />
      <div className="docs-text grid gap-4">
        <Skeleton className="h-9 w-64" />
        <Skeleton className="h-4 w-full" />
        <Skeleton className="h-4 w-4/5" />
      </div>
    </div>
  );
}

function Failure({ isBusy, onRetry }: { isBusy: boolean; onRetry: () => void }) {
  return (
    <div className="page py-16">
      <EmptyState
        icon={<CloudOff aria-hidden className="size-5" />}
        title="Couldn't load this page"
        action={
          <Button isBusy={isBusy} onClick={onRetry}>
            Try again
          </Button>
        }
      >
        The server did not respond. Try again, or go back to the last page.
      </EmptyState>
    </div>
  );
}

const copiedMs = 2_000;

/** Makes the copy buttons of a prerendered page's code blocks work; `html` is the element's content. */
function useCopyButtons(element: RefObject<HTMLElement | null>, html: string | undefined): void {
  const toast = useToast();
  useEffect(() => {
    const holder = element.current;
    if (holder === null || html === undefined) return;
    const copy = async (button: HTMLButtonElement): Promise<void> => {
      const code = button.closest('.docs-code')?.querySelector('pre')?.textContent ?? '';
      try {
        await navigator.clipboard.writeText(code);
      } catch {
        toast({ id: 'copy', message: 'Failed to copy', tone: 'bad', target: button });
        return;
      }
      toast({ id: 'copy', message: 'Copied to clipboard', target: button });
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, copiedMs);
    };
    const onClick = (event: MouseEvent): void => {
      const button = event.target instanceof Element ? event.target.closest('button') : null;
      if (button?.matches('[data-copy]')) void copy(button);
    };
    holder.addEventListener('click', onClick);
    return () => holder.removeEventListener('click', onClick);
  }, [element, html, toast]);
}

/** Opens the search with its buttons in a prerendered page, and with `/` outside text fields. */
function useSearchKeys(element: RefObject<HTMLElement | null>, open: () => void): void {
  useEffect(() => {
    const onClick = (event: MouseEvent): void => {
      const isOurs = event.target instanceof Element && event.target.closest('[data-docs-search]') !== null;
      if (isOurs && element.current?.contains(event.target as Element)) open();
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      open();
    };
    document.addEventListener('click', onClick);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('click', onClick);
      document.removeEventListener('keydown', onKey);
    };
  }, [element, open]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest('input, textarea, select, [contenteditable], [role="dialog"]') !== null
  );
}
