import { queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { LoaderCircle, Search } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { Link } from 'react-router';
import { answerBlocks, answerMark } from '#contract/answer-blocks.ts';
import { documentPath } from '#contract/document-path.ts';
import * as limits from '#contract/limits.ts';
import { searchPlaceholders } from '#contract/public-page.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { callLater } from '../../lib/call-later.ts';
import { commands } from '../../lib/commands.ts';
import { useIsStarted } from '../../lib/started.ts';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TokenMeter, WrittenMeter } from './token-meter.tsx';
import { writtenParts, writtenSearch } from './written-search.ts';

/**
 * A search of the installation's public index for visitors, with its token cost. The server writes the first one into
 * the page; it stays until the visitor searches.
 */
export function LiveSearch() {
  const [found] = useState(writtenSearch);
  const isStarted = useIsStarted();
  // The server wrote no search: hydrate as it is, then request one.
  const written = isStarted && found?.query === '' ? undefined : found;
  const showcase = useQuery({ ...showcaseOptions, enabled: written === undefined });
  const box = useRef<HTMLInputElement>(null);
  const [asked, setAsked] = useState('');
  const tried = useQuery(triedOptions(asked));
  const isEmpty = showcase.data?.moduleCount === 0;
  const example = showcase.data?.example ?? undefined;
  const exampleQuery = written?.query ?? example?.query ?? '';
  const answer = asked === '' ? example : tried.data;
  const isBusy = asked !== '' && tried.isFetching;
  const isWritten = written !== undefined && asked === '';

  const ask = (query: string) => {
    const text = query.trim();
    if (box.current !== null) box.current.value = query;
    if (text === '') return;
    if (text === asked && tried.isError) void tried.refetch();
    setAsked(text === exampleQuery ? '' : text);
  };

  return (
    <section
      aria-labelledby="try"
      className="desk on-dark relative min-w-0 overflow-hidden rounded-xl border border-line shadow-lg"
    >
      <h2 id="try" className="sr-only">
        Try the search
      </h2>
      <AskForm box={box} words={exampleQuery} isBusy={isBusy} onAsk={ask} />
      <Suggestions
        suggestions={written?.suggestions ?? showcase.data?.suggestions ?? []}
        chosen={isWritten ? exampleQuery : answer?.query}
        isNew={written === undefined}
        onAsk={ask}
      />
      {isWritten ? (
        <div
          {...answerArea}
          data-written={writtenParts.answer}
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: written.answerHtml }}
        />
      ) : (
        <div {...answerArea} aria-busy={isBusy}>
          {isEmpty ? (
            <EmptyIndex />
          ) : asked === '' && showcase.isError ? (
            <Refusal query={showcase} />
          ) : asked !== '' && tried.isError ? (
            <Refusal query={tried} />
          ) : answer ? (
            <AnswerText key={answer.query} text={answer.text} />
          ) : showcase.data && asked === '' ? (
            <p className="text-soft">Ask a question to see the passages that an agent gets.</p>
          ) : (
            <Waiting />
          )}
        </div>
      )}
      {isWritten ? <WrittenMeter html={written.meterHtml} /> : <TokenMeter answer={answer} />}
    </section>
  );
}

const answerArea = {
  role: 'group',
  'aria-label': 'Answer',
  tabIndex: 0,
  className:
    'h-72 overflow-y-auto overscroll-contain px-5 py-4 font-mono text-xs leading-5 -outline-offset-2 md:h-[17.5rem]',
};

interface AskFormProps {
  box: RefObject<HTMLInputElement | null>;
  /** Initial text of the search box. */
  words: string;
  isBusy: boolean;
  onAsk: (words: string) => void;
}

function AskForm({ box, words, isBusy, onAsk }: AskFormProps) {
  return (
    <form
      role="search"
      action="/search"
      onSubmit={(event) => {
        event.preventDefault();
        onAsk(box.current?.value ?? '');
      }}
      className="flex h-14 items-center gap-3 border-line border-b pr-2.5 pl-5 has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-lamp has-[input:focus-visible]:-outline-offset-2"
    >
      {isBusy ? (
        <LoaderCircle aria-hidden className="size-4.5 shrink-0 animate-[turn_0.9s_linear_infinite] text-lamp" />
      ) : (
        <Search aria-hidden className="size-4.5 shrink-0 text-lamp" />
      )}
      <input
        ref={box}
        name="q"
        data-written-query=""
        type="text"
        inputMode="search"
        enterKeyHint="search"
        aria-label="Search the public documentation here"
        placeholder="What does your agent want to know?"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={limits.queryCharactersMax}
        // Uncontrolled: text typed before hydration is kept.
        defaultValue={words}
        className="h-full w-full min-w-0 bg-transparent text-ink text-md outline-none placeholder:text-faint"
      />
      <button type="submit" className={buttonClasses('action')}>
        Search
      </button>
    </form>
  );
}

interface SuggestionsProps {
  suggestions: readonly string[];
  chosen: string | undefined;
  /** True for suggestions that fade in; those that the server wrote are already visible. */
  isNew: boolean;
  onAsk: (query: string) => void;
}

/** Titles of indexed pages. A single scrolling line with a fixed height, so that nothing moves when they load. */
function Suggestions({ suggestions, chosen, isNew, onAsk }: SuggestionsProps) {
  return (
    <div
      data-written={writtenParts.suggestions}
      className="fades-out flex h-11 items-center gap-2 overflow-x-auto px-5 pt-1"
    >
      {import.meta.env.SSR && !import.meta.env.DEV && searchPlaceholders.suggestions}
      {suggestions.length > 0 && (
        <ul aria-label="Queries to try" className={isNew ? 'streams flex gap-2' : 'flex gap-2'}>
          {suggestions.map((query) => (
            <li key={query}>
              <button
                type="button"
                aria-pressed={query === chosen}
                onClick={() => onAsk(query)}
                className="h-7 select-none whitespace-nowrap rounded-full border border-line px-3 text-soft text-xs transition-colors duration-100 hover:border-line-strong hover:text-ink aria-pressed:border-lamp-line aria-pressed:bg-lamp-ground aria-pressed:text-ink"
              >
                {query}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Refusal({ query }: { query: UseQueryResult }) {
  return (
    <div role="alert" className="flex h-full flex-col items-start justify-center gap-3 font-sans text-sm">
      <p className="font-medium text-ink">No answer</p>
      <p key={query.errorUpdatedAt} className="text-soft">
        {sentenceForPeople(query.error)}
      </p>
      <Button size="sm" isBusy={query.isFetching} onClick={() => void query.refetch()}>
        Try again
      </Button>
    </div>
  );
}

function Waiting() {
  return (
    <div aria-hidden className="appear-late flex flex-col gap-3">
      {['w-3/5', 'w-2/5', 'w-full', 'w-11/12', 'w-4/5', 'w-1/2'].map((width) => (
        <Skeleton key={width} className={`h-3.5 ${width}`} />
      ))}
    </div>
  );
}

/**
 * The answer exactly as an agent receives it, with links to its pages. The server renders the first one the same way
 * (`server/http/public-face/written-search.ts`).
 */
function AnswerText({ text }: { text: string }) {
  return (
    <div className="streams flex flex-col gap-4">
      {answerBlocks(text).map(({ head, address, body }, place) => (
        <div key={place} className="min-w-0">
          {head !== undefined && (
            <p className="text-lamp">
              <span aria-hidden>{answerMark}</span>
              {address === undefined ? (
                head
              ) : (
                <Link
                  to={documentPath(address)}
                  className="rounded-xs underline decoration-lamp-line underline-offset-3 hover:decoration-lamp"
                >
                  {head}
                </Link>
              )}
            </p>
          )}
          {body !== '' && <pre className="wrap-anywhere whitespace-pre-wrap text-soft">{body}</pre>}
        </div>
      ))}
    </div>
  );
}

/** Shown if there is no public index, not even of the product's own documentation: says what to do. */
function EmptyIndex() {
  return (
    <div className="font-sans text-sm">
      <p className="font-medium text-ink">Nothing is indexed here yet</p>
      <p className="mt-1 text-soft">Index a site to try the search:</p>
      <CodeBlock code={commands.index} isCommand label="Command that indexes a site" className="mt-2.5" />
    </div>
  );
}

const contract = async () => (await import('#contract/try-search.ts')).trySearchEndpoints;

/** The sources that visitors may search on this installation. */
const showcaseOptions = queryOptions({
  queryKey: ['showcase'],
  queryFn: ({ signal }) => callLater(async () => (await contract()).getShowcase, {}, signal),
  staleTime: 60_000,
  // A new installation is still indexing its own documentation.
  refetchInterval: ({ state }) => state.data?.moduleCount === 0 && 3_000,
});

/**
 * The response to a visitor's query. Each call counts against a limit, so the response is cached and never requested
 * again automatically.
 */
function triedOptions(query: string) {
  return queryOptions({
    queryKey: ['tried', query],
    queryFn: ({ signal }) => callLater(async () => (await contract()).trySearch, { query }, signal),
    enabled: query !== '',
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    retry: false,
  });
}
