import { useQuery } from '@tanstack/react-query';
import { BookOpenText, SearchX, TextSearch } from 'lucide-react';
import { useDeferredValue, useRef } from 'react';
import * as limits from '#contract/limits.ts';
import type { SearchOutput } from '#contract/search.ts';
import { ApiError, type ApiErrorCode, sentenceForPeople } from '../../lib/api-error.ts';
import { modulesOptions } from '../../lib/library-queries.ts';
import { openings } from '../../lib/openings.ts';
import { useSession } from '../../lib/session.ts';
import { siteOptions } from '../../lib/site.ts';
import { individualWorkspace, useWorkspaceId } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { ActionLink, ButtonLink } from '../../ui/button-link.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Explain } from '../../ui/explain.tsx';
import { Notice } from '../../ui/notice.tsx';
import { countOf, formatCompact, formatCount, formatMs } from '../../ui/quantities.ts';
import { Select, type SelectOption } from '../../ui/select.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { AnswerViews, focusResult } from './answer-views.tsx';
import { searchOptions, useLiveSearch } from './queries.ts';
import { SearchBox } from './search-box.tsx';
import { budgetChoices, type SearchParams } from './search-params.ts';

/** Errors for a module in the address that is missing or not readable: the remedy is to search all modules. */
const moduleMissingCodes = new Set<ApiErrorCode>(['module-not-found', 'module-unknown']);

export function SearchScreen() {
  const { params, isFinished, typed, setTyped, submit, change } = useLiveSearch();
  const workspace = useWorkspaceId();
  const isOperator = useSession().data?.user?.isOperator;
  // In a team, the team pays for searches, even the operator's.
  const areCreditsOn = useQuery(siteOptions).data?.areCreditsOn !== false;
  const isCharged = areCreditsOn && (isOperator === false || workspace !== individualWorkspace);
  const search = useQuery(searchOptions(workspace, params, { isDraft: isCharged && !isFinished, isCharged }));
  const inputRef = useRef<HTMLInputElement>(null);
  const resultsRef = useRef<HTMLOListElement>(null);
  // A response is rendered in slices, so that a phone stays usable meanwhile.
  const rendered = useDeferredValue(search.data);
  const answer = search.data && rendered;
  const isModuleMissing = search.error instanceof ApiError && moduleMissingCodes.has(search.error.code);

  return (
    <div className="page flex flex-col gap-4 py-8">
      <h1 className="sr-only">Search</h1>
      <SearchBox
        inputRef={inputRef}
        value={typed}
        onChange={setTyped}
        onSubmit={submit}
        onDown={() => focusResult(resultsRef.current, 0)}
        isBusy={search.isFetching}
      />
      <SearchFilters params={params} onChange={change} />
      {search.isError && (
        <Notice
          tone={isModuleMissing ? 'warn' : 'bad'}
          title="Search failed"
          action={
            isModuleMissing ? (
              <Button onClick={() => change({ moduleId: undefined })}>Search all sources</Button>
            ) : (
              <Button isBusy={search.isFetching} onClick={() => void search.refetch()}>
                Try again
              </Button>
            )
          }
        >
          <span key={search.errorUpdatedAt}>{sentenceForPeople(search.error)}</span>
        </Notice>
      )}
      {params.query === '' && <Invitation onTry={setTyped} />}
      {params.query !== '' && !answer && !search.isError && <AnswerLoading />}
      {answer && !search.isError && (
        <div className={classNames('flex flex-col gap-4 transition-opacity', search.isPlaceholderData && 'opacity-60')}>
          {answer.isPreview ? <PreviewNote answer={answer} /> : <TokenMeter answer={answer} />}
          {answer.note !== undefined && answer.results.length > 0 && (
            <Notice tone="info">
              <div className="flex flex-col gap-1.5">
                {answer.note.split('\n').map((line) => (
                  <p key={line}>{line}</p>
                ))}
              </div>
            </Notice>
          )}
          {answer.results.length === 0 ? (
            <NothingFound
              query={answer.query}
              note={answer.note}
              hasFilter={params.moduleId !== undefined}
              onClear={() => change({ moduleId: undefined })}
            />
          ) : (
            <AnswerViews
              answer={answer}
              view={params.view}
              onViewChange={(view) => change({ view })}
              resultsRef={resultsRef}
              onUp={() => inputRef.current?.focus()}
            />
          )}
        </div>
      )}
    </div>
  );
}

/** Shown while a user who pays for searches is typing: the number of results, and how to get them. */
function PreviewNote({ answer }: { answer: SearchOutput }) {
  return (
    <p role="status" className="text-faint text-sm">
      <span className="text-ink">{countOf(answer.results.length, 'match', 'matches')}</span>. Press{' '}
      <kbd className="font-sans">Enter</kbd> or stop typing to get the passages, for{' '}
      {countOf(limits.searchCredits, 'credit')}.
    </p>
  );
}

/** Shown before the first search: an introduction, or how to add the first source. */
function Invitation({ onTry }: { onTry: (query: string) => void }) {
  const modules = useQuery(modulesOptions(useWorkspaceId()));
  if (modules.data?.length === 0) {
    return (
      <EmptyState
        icon={<BookOpenText aria-hidden className="size-5" />}
        title="No documentation yet"
        action={<ActionLink to="/resources#add">Add your first source</ActionLink>}
      >
        Index a documentation site, then search it here exactly as your agents do.
      </EmptyState>
    );
  }
  const examples = modules.data?.slice(0, 4) ?? [];
  return (
    <EmptyState
      icon={<TextSearch aria-hidden className="size-5" />}
      title={openings['/search'].title}
      action={
        examples.length > 0 && (
          <div className="flex max-w-full flex-wrap justify-center gap-2">
            {examples.map(({ moduleId, displayName }) => (
              <Button
                key={moduleId}
                size="sm"
                onClick={() => onTry(`getting started with ${displayName}`)}
                className="max-w-full"
              >
                <span className="truncate">getting started with {displayName}</span>
              </Button>
            ))}
          </div>
        )
      }
    >
      {openings['/search'].text}
    </EmptyState>
  );
}

interface NothingFoundProps {
  query: string;
  note: string | undefined;
  hasFilter: boolean;
  onClear: () => void;
}

function NothingFound({ query, note, hasFilter, onClear }: NothingFoundProps) {
  return (
    <EmptyState
      icon={<SearchX aria-hidden className="size-5" />}
      title={`Nothing found for “${query.length > 80 ? `${query.slice(0, 80)}…` : query}”`}
      action={
        hasFilter ? (
          <Button onClick={onClear}>Search all sources</Button>
        ) : (
          <ButtonLink to="/resources#add">Add a source</ButtonLink>
        )
      }
    >
      {note ?? "Use the documentation's own words, such as the name of a function or an option."}
    </EmptyState>
  );
}

function AnswerLoading() {
  return (
    <Loading label="Searching…" className="flex flex-col gap-4">
      {[0, 1].map((card) => (
        <div key={card} className="rounded-lg border border-line bg-surface">
          <div className="flex flex-col gap-2 border-line border-b px-5 py-3.5">
            <Skeleton className="h-3 w-24" />
            <Skeleton className="h-4 w-80 max-w-full" />
          </div>
          <div className="flex flex-col gap-2.5 p-5">
            <Skeleton className="h-3.5 w-full" />
            <Skeleton className="h-3.5 w-11/12" />
            <Skeleton className="h-3.5 w-2/3" />
            <Skeleton className="mt-2 h-20 w-full" />
          </div>
        </div>
      ))}
    </Loading>
  );
}

const allModules = '';

interface SearchFiltersProps {
  params: SearchParams;
  onChange: (part: Partial<Omit<SearchParams, 'query'>>) => void;
}

function SearchFilters({ params, onChange }: SearchFiltersProps) {
  const modules = useQuery(modulesOptions(useWorkspaceId())).data ?? [];
  const options: SelectOption[] = [
    { value: allModules, label: 'All sources' },
    ...modules
      .toSorted((a, b) => a.displayName.localeCompare(b.displayName, undefined, { numeric: true }))
      .map(({ moduleId, displayName, snippetCount }) => ({
        value: moduleId,
        label: displayName,
        note: formatCompact(snippetCount),
      })),
  ];
  // The address may name a module that was removed.
  if (params.moduleId !== undefined && !options.some(({ value }) => value === params.moduleId)) {
    options.push({ value: params.moduleId, label: params.moduleId });
  }
  return (
    <div className="flex min-w-0 flex-wrap gap-2">
      <Select
        label="In"
        value={params.moduleId ?? allModules}
        onChange={(value) => onChange({ moduleId: value === allModules ? undefined : value })}
        options={options}
        className="max-w-60"
      />
      <span className="flex items-center gap-2">
        <Select
          label="Budget"
          value={String(params.budgetTokens)}
          onChange={(value) => onChange({ budgetTokens: Number(value) })}
          options={budgetChoices(params.budgetTokens).map((tokens) => ({
            value: String(tokens),
            label: `${formatCount(tokens)} tokens`,
          }))}
        />
        <Explain term="Budget">Maximum number of tokens in a response. A larger budget returns more passages.</Explain>
      </span>
    </div>
  );
}

/** The response's cost for an agent, compared with a look-up without documentation search. */
function TokenMeter({ answer }: { answer: SearchOutput }) {
  const passages = answer.results.filter(({ text }) => text !== '').length;
  const share = Math.min(answer.tokens / limits.baselineTokens, 1);
  const percentSaved = Math.max(0, Math.round((1 - share) * 100));
  return (
    <div className="tabular flex flex-wrap items-center justify-between gap-x-6 gap-y-2 text-faint text-sm">
      <p role="status">
        <span className="text-ink">{countOf(passages, 'passage')}</span> out of{' '}
        {countOf(answer.searchedSnippets, 'passage').replace(/^[\d,]+/, formatCompact(answer.searchedSnippets))} in{' '}
        {formatMs(answer.tookMs)}
      </p>
      {/* A search without results saves no tokens. */}
      {answer.results.length > 0 && (
        <div className="flex items-center gap-2.5">
          <span aria-hidden className="hidden h-1.5 w-24 overflow-hidden rounded-full bg-hover sm:block">
            <span className="block h-full min-w-1 rounded-full bg-lamp" style={{ width: `${share * 100}%` }} />
          </span>
          <p>
            <span className="text-ink">{countOf(answer.tokens, 'token')}</span>, {percentSaved}% below the{' '}
            {formatCount(limits.baselineTokens)} baseline
          </p>
        </div>
      )}
    </div>
  );
}
