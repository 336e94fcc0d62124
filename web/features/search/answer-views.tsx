import { ChevronRight, Lock } from 'lucide-react';
import { Fragment, type KeyboardEvent, type RefObject, Suspense } from 'react';
import { Link } from 'react-router';
import { documentPath } from '#contract/document-path.ts';
import type { SearchHit, SearchOutput } from '#contract/search.ts';
import { Badge } from '../../ui/badge.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { EarlyMarkdown } from '../../ui/early-markdown.ts';
import { countOf } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import type { View } from './search-params.ts';

interface AnswerViewsProps {
  answer: SearchOutput;
  view: View;
  onViewChange: (view: View) => void;
  resultsRef: RefObject<HTMLOListElement | null>;
  /** Moves the focus from the first result up to the search box. */
  onUp: () => void;
}

/** One response in two views: formatted for people, and as the exact text an agent receives. */
export function AnswerViews({ answer, view, onViewChange, resultsRef, onUp }: AnswerViewsProps) {
  return (
    <Tabs
      label="View"
      look="pill"
      value={view}
      onChange={onViewChange}
      panelClassName="pt-4"
      aside={
        <p className="hidden text-faint text-xs md:block">
          <kbd className="font-sans">↑ ↓</kbd> between results, <kbd className="font-sans">Enter</kbd> opens the
          original
        </p>
      }
      tabs={[
        { name: 'results', label: 'Results', panel: <Results answer={answer} resultsRef={resultsRef} onUp={onUp} /> },
        {
          name: 'raw',
          label: 'As an agent gets it',
          panel: (
            <CodeBlock
              code={answer.text}
              title={`The exact response: ${countOf(answer.tokens, 'token')}`}
              label="Text for the agent"
              isWrapped
            />
          ),
        },
      ]}
    />
  );
}

function Results({ answer, resultsRef, onUp }: Pick<AnswerViewsProps, 'answer' | 'resultsRef' | 'onUp'>) {
  const isPreview = answer.isPreview === true;
  const onKeyDown = (event: KeyboardEvent<HTMLOListElement>) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    if (!(event.target instanceof HTMLElement) || event.target.dataset.result === undefined) return;
    event.preventDefault();
    const next = Number(event.target.dataset.result) + (event.key === 'ArrowDown' ? 1 : -1);
    if (next < 0) onUp();
    else focusResult(event.currentTarget, next);
  };
  return (
    // Arrow keys move between the links inside, which are the controls.
    <ol ref={resultsRef} onKeyDown={onKeyDown} className="flex flex-col gap-4">
      {answer.results.map((hit, position) => (
        <li key={`${hit.moduleId} ${hit.url} ${position}`}>
          {hit.text === '' ? (
            <AddressOnlyResult hit={hit} position={position} isPreview={isPreview} />
          ) : (
            <ResultCard hit={hit} position={position} />
          )}
        </li>
      ))}
    </ol>
  );
}

/** Focuses a result and scrolls its heading into view. */
export function focusResult(results: HTMLOListElement | null, position: number): void {
  const link = results?.querySelector<HTMLAnchorElement>(`a[data-result="${position}"]`);
  link?.focus({ preventScroll: true });
  link?.closest('article')?.scrollIntoView({ block: 'nearest' });
}

interface ResultProps {
  hit: SearchHit;
  /** Position among the results, used by the arrow keys. */
  position: number;
}

/** A passage: its location, text and cost. Its heading links to the original. */
function ResultCard({ hit, position }: ResultProps) {
  return (
    <article className="rounded-lg border border-line bg-surface shadow-sm">
      <header className="flex items-start gap-3 border-line border-b px-4 py-3 sm:px-5">
        <div className="min-w-0 flex-1">
          <Origin hit={hit} />
          <h2 className="font-semibold text-ink text-md leading-snug">
            <ResultLink hit={hit} position={position} />
          </h2>
        </div>
        <span className="tabular shrink-0 pt-0.5 text-faint text-sm">{countOf(hit.tokens, 'token')}</span>
      </header>
      <div className="px-4 py-4 sm:px-5">
        <Suspense fallback={<p className="prose whitespace-pre-wrap">{hit.text}</p>}>
          <EarlyMarkdown text={hit.text} baseUrl={hit.url} headingLevel={3} />
        </Suspense>
      </div>
      <footer className="flex items-center gap-3 px-4 pb-2.5 text-faint text-xs sm:px-5">
        <ViewerLink hit={hit} className="min-w-0 flex-1" />
        <span className="hidden shrink-0 sm:inline">
          fetched <RelativeTime at={hit.fetchedAt} />
        </span>
        <CopyButton text={hit.text} label="Copy passage" />
      </footer>
    </article>
  );
}

/** A page that matches the words but exceeds the budget: an agent gets its address and can read it. */
function AddressOnlyResult({ hit, position, isPreview }: ResultProps & { isPreview: boolean }) {
  return (
    <article className="flex items-start gap-3 rounded-lg border border-line bg-surface px-4 py-3 shadow-sm sm:px-5">
      <div className="min-w-0 flex-1">
        <Origin hit={hit} />
        <h2 className="font-medium text-base text-ink leading-snug">
          <ResultLink hit={hit} position={position} />
        </h2>
        <ViewerLink hit={hit} className="mt-0.5 block text-faint text-xs" />
      </div>
      {!isPreview && <span className="shrink-0 pt-0.5 text-faint text-sm">address only</span>}
    </article>
  );
}

/** A link that opens the passage in the viewer, among the other passages of its page. */
function ViewerLink({ hit, className }: { hit: SearchHit; className: string }) {
  return (
    <Link
      to={documentPath(hit.url, { moduleId: hit.moduleId, visibility: hit.visibility, passage: hit.passageId })}
      aria-label={`Read on the page: ${bareAddress(hit.url)}`}
      title={hit.url}
      className={`${className} truncate rounded-xs font-mono decoration-1 decoration-lamp-line underline-offset-3 hover:text-ink hover:underline`}
    >
      {bareAddress(hit.url)}
    </Link>
  );
}

function Origin({ hit }: { hit: SearchHit }) {
  return (
    <div className="mb-0.5 flex flex-wrap items-center gap-x-2 text-faint text-xs">
      <span className="wrap-anywhere">{hit.moduleName}</span>
      {hit.visibility === 'private' && <Badge icon={<Lock aria-hidden className="size-3" />}>Private</Badge>}
    </div>
  );
}

function ResultLink({ hit, position }: ResultProps) {
  const path = trailOf(hit);
  return (
    <a
      href={hit.url}
      target="_blank"
      rel="noreferrer"
      data-result={position}
      className="rounded-xs decoration-1 decoration-lamp-line underline-offset-3 hover:underline"
    >
      {path.map((part, place) => (
        // A path may contain the same heading twice; its parts never move.
        <Fragment key={`${place} ${part}`}>
          {place > 0 && (
            <>
              <span className="sr-only"> &gt; </span>
              <ChevronRight aria-hidden className="mx-0.5 inline size-3.5 align-[-0.125em] text-faint" />
            </>
          )}
          <span className={place < path.length - 1 ? 'font-normal text-soft' : undefined}>{part}</span>
        </Fragment>
      ))}
    </a>
  );
}

/** Returns title and headings as a path, without a first heading that repeats the title. */
function trailOf({ title, headingPath, url }: SearchHit): string[] {
  const headings = headingPath[0] === title ? headingPath.slice(1) : headingPath;
  const path = [title, ...headings].filter((part) => part !== '');
  return path.length > 0 ? path : [url];
}

function bareAddress(url: string): string {
  return url.replace(/^https?:\/\//, '');
}
