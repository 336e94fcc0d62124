import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, ArrowRight } from 'lucide-react';
import { useCallback, useEffect, useRef } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { encodedAnchor } from '#contract/anchor.ts';
import { type DocumentPlace, documentPath, type DocumentView as OtherView } from '#contract/document-path.ts';
import type { Document } from '#contract/documents.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { countOf } from '../../ui/quantities.ts';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { CutPanel } from './cut-panel.tsx';
import { DocumentHead } from './document-head.tsx';
import { Outline } from './outline.tsx';
import { Passages } from './passages.tsx';
import { Provenance } from './provenance.tsx';
import { documentCutOptions, documentMarkdownOptions } from './queries.ts';
import { goToPassage, type Place, placeOfAnchor, useCurrentPassage, useHeldPassage } from './reading-place.ts';
import { useParts } from './use-parts.ts';

type View = 'passages' | OtherView;

interface DocumentViewProps {
  document: Document;
  place: DocumentPlace;
  isAnchorUnknown: boolean;
  /** Called with an anchor that cannot be located in the passages shown so far. */
  onUnknownAnchor: (anchor: string) => void;
}

/** The viewer: outline, page, and details. */
export function DocumentView({ document, place, isAnchorUnknown, onUnknownAnchor }: DocumentViewProps) {
  const parts = useParts(document);
  const current = useCurrentPassage(parts.snippets);
  const cutQuery = useQuery(documentCutOptions(useWorkspaceId(), place));
  const cut = place.query === undefined && place.tokens === undefined ? undefined : cutQuery.data;
  const { moduleId, visibility } = place;
  const pathOfPage = useCallback((url: string) => documentPath(url, { moduleId, visibility }), [moduleId, visibility]);
  const { query, tokens, view } = place;
  const pathOf = useCallback(
    (anchor: string) =>
      documentPath(`${document.url}#${encodeURIComponent(anchor)}`, { moduleId, visibility, query, tokens, view }),
    [document.url, moduleId, visibility, query, tokens, view],
  );
  const go = useGoToPlace(document, place, parts, onUnknownAnchor);
  const shown: View = view === undefined || (view === 'sent' && !cut) ? 'passages' : view;
  const setView = useViewInAddress(place);
  const outline = { document, current, anchor: place.anchor, pathOf, onGo: go };
  const hasOutline = document.outline.length > 0;
  return (
    <div className="frame py-8 md:py-10" data-document>
      <DocumentHead document={document} place={place} />
      {isAnchorUnknown && (
        <p role="status" className="mt-4 text-soft text-sm">
          This page has no section <code className="wrap-anywhere font-mono text-ink">#{place.anchor}</code>.
        </p>
      )}
      <div className="mt-8 grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_17rem] xl:grid-cols-[12.5rem_minmax(0,1fr)_17rem]">
        {hasOutline && (
          <>
            <Outline
              {...outline}
              className="sticky top-20 max-h-[calc(100dvh-6rem)] self-start overflow-y-auto max-xl:hidden print:hidden"
            />
            <details className="rounded-lg border border-line bg-surface px-4 py-2 lg:col-span-2 xl:hidden print:hidden">
              <summary className="py-1 font-medium text-sm">On this page</summary>
              <Outline {...outline} className="pt-2 pb-1" />
            </details>
          </>
        )}
        <div className={hasOutline ? 'min-w-0' : 'min-w-0 xl:col-span-2'}>
          <Tabs<View>
            label="View"
            look="pill"
            value={shown}
            onChange={setView}
            panelClassName="pt-5"
            tabs={[
              {
                name: 'passages',
                label: 'Passages',
                panel:
                  document.snippetCount === 0 ? (
                    <EmptyState icon="¶" title="This page has no text">
                      The page is indexed but has no readable text.
                    </EmptyState>
                  ) : (
                    <Passages document={document} parts={parts} cut={cut} pathOf={pathOf} pathOfPage={pathOfPage} />
                  ),
              },
              { name: 'markdown', label: 'Markdown', panel: <MarkdownView place={place} document={document} /> },
              ...(cut
                ? [
                    {
                      name: 'sent' as const,
                      label: 'As an agent gets it',
                      panel: (
                        <CodeBlock
                          code={cut.text}
                          title={`The exact response: ${countOf(cut.tokens, 'token')}`}
                          label="Text for the agent"
                          isWrapped
                        />
                      ),
                    },
                  ]
                : []),
            ]}
          />
          <PageTurn document={document} pathOfPage={pathOfPage} />
        </div>
        <aside
          aria-label="About this page"
          className="flex flex-col gap-8 self-start max-lg:row-start-1 max-lg:rounded-lg max-lg:border max-lg:border-line max-lg:p-4 lg:sticky lg:top-20"
        >
          <CutPanel
            key={`${document.url} ${document.module.moduleId}`}
            document={document}
            place={place}
            cut={cut}
            isBusy={cutQuery.isFetching}
            error={cutQuery.error}
            retry={() => void cutQuery.refetch()}
          />
          <Provenance document={document} />
        </aside>
      </div>
    </div>
  );
}

/** Scrolls to the passage that the address names, each time it names one, as soon as that passage is on the page. */
function useGoToPlace(
  page: Document,
  { anchor, passage, query, tokens }: DocumentPlace,
  parts: ReturnType<typeof useParts>,
  onUnknownAnchor: (anchor: string) => void,
): (place: Place) => void {
  const { key } = useLocation();
  const wanted = useRef<Place>(undefined);
  const gone = useRef({ spot: '', cut: '', key: '' });
  const isNamed = anchor !== '' || passage !== undefined;
  const named = parts.snippets.find(({ id }) => id === passage);
  const place = named ?? placeOfAnchor(page, parts.snippets, anchor);
  const target = place ?? (isNamed && page.target !== null ? { index: page.target } : undefined);
  const spot = `${page.url} ${anchor} ${passage ?? ''}`;
  const cut = `${tokens ?? ''} ${query ?? ''}`;
  const hold = useHeldPassage();
  // The browser keeps the scroll position and the focus, not React.
  useEffect(() => {
    const { current: last } = gone;
    // Requesting a different read preview keeps the reading position.
    const isThere = last.spot === spot && (last.key === key || last.cut !== cut);
    if (isThere) gone.current = { spot, cut, key };
    if (!isNamed || isThere) return;
    if (place === undefined) onUnknownAnchor(anchor);
    if (target === undefined) return;
    if (goToPassage(target)) {
      gone.current = { spot, cut, key };
      hold(target);
    } else parts.showPassage(target.index);
  });
  useEffect(() => {
    if (wanted.current === undefined || !goToPassage(wanted.current)) return;
    hold(wanted.current);
    wanted.current = undefined;
  });
  return (wish) => {
    if (goToPassage(wish)) return;
    wanted.current = wish;
    parts.showPassage(wish.index);
  };
}

function MarkdownView({ place, document }: { place: DocumentPlace; document: Document }) {
  const { moduleId, visibility } = document.module;
  const page = { ...place, address: document.url, moduleId, visibility };
  const query = useQuery(documentMarkdownOptions(useWorkspaceId(), page));
  if (query.data) return <CodeBlock code={query.data.markdown} title="The whole page" label="Markdown" isWrapped />;
  if (query.isError) {
    return <RetryNotice query={query} title="Couldn't load the Markdown" />;
  }
  return (
    <Loading label="Loading the Markdown…">
      <Skeleton className="h-64 w-full" />
    </Loading>
  );
}

/** Returns a function that stores the view in the address, so that it survives a reload and Back. */
function useViewInAddress({ address, anchor, ...own }: DocumentPlace): (view: View) => void {
  const navigate = useNavigate();
  const url = anchor === '' ? address : `${address}#${encodedAnchor(anchor)}`;
  return (view) =>
    void navigate(documentPath(url, { ...own, view: view === 'passages' ? undefined : view }), {
      replace: true,
      preventScrollReset: true,
    });
}

/** Links to the previous and next page of the module. */
function PageTurn({ document, pathOfPage }: { document: Document; pathOfPage: (url: string) => string }) {
  const { previous, next } = document;
  if (previous === null && next === null) return null;
  const classes =
    'wrap-anywhere flex min-w-0 flex-1 basis-56 items-center gap-3 rounded-lg border border-line bg-surface px-4 py-3 text-ink hover:border-line-strong hover:bg-hover';
  return (
    <nav aria-label="Pages of the source" className="mt-10 flex flex-wrap gap-3 print:hidden">
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
