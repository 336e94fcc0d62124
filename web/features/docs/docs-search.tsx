import { Autocomplete } from '@base-ui/react/autocomplete';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { type DocsAnswer, type DocsHit, docsQueryCharactersMax, productDocsEndpoints } from '#contract/product-docs.ts';
import { callApi } from '../../lib/api-client.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { Modal } from '../../ui/modal.tsx';
import { countOf, formatCount } from '../../ui/quantities.ts';

const typingPauseMs = 120;
const sectionNames = { guide: 'Guide', operate: 'Operate', reference: 'Reference', errors: 'Errors' } as const;

interface DocsSearchProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** Searches the product's documentation with the engine that searches all sources; results link to the passage. */
export function DocsSearch({ isOpen, onOpenChange }: DocsSearchProps) {
  const close = () => onOpenChange(false);
  return (
    <Modal
      isOpen={isOpen}
      onClose={close}
      label="Search the documentation"
      className="mx-auto mt-[10dvh] flex max-h-[min(34rem,80dvh)] w-[calc(100vw-1.5rem)] max-w-2xl flex-col overflow-hidden rounded-xl border"
    >
      <SearchPart onDone={close} />
    </Modal>
  );
}

function SearchPart({ onDone }: { onDone: () => void }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const query = useRested(typed.trim());
  const marked = useRef<string>(undefined);
  const found = useQuery({
    queryKey: ['product-docs', query],
    queryFn: ({ signal }) => callApi(productDocsEndpoints.searchProductDocs, { query }, signal),
    enabled: query !== '',
    placeholderData: keepPreviousData,
    retry: false,
  });
  const answer = query === '' || found.isError ? undefined : found.data;
  const hits = answer?.results ?? [];
  const go = (hit: DocsHit) => {
    onDone();
    void navigate(hit.path);
  };
  return (
    <Autocomplete.Root
      open
      inline
      items={hits}
      filter={null}
      itemToStringValue={(hit: DocsHit) => hit.pageTitle}
      value={typed}
      onValueChange={(value, { reason }) => reason !== 'item-press' && setTyped(value)}
      autoHighlight="always"
      keepHighlight
      onItemHighlighted={(hit: DocsHit | undefined) => {
        marked.current = hit?.path;
      }}
    >
      <div className="flex items-center gap-3 border-line border-b px-4">
        <Search aria-hidden className="size-4 shrink-0 text-faint" />
        <Autocomplete.Input
          aria-label="Search the documentation"
          placeholder="Search the documentation"
          maxLength={docsQueryCharactersMax}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            event.preventBaseUIHandler();
            event.preventDefault();
            const chosen = hits.find(({ path }) => path === marked.current) ?? hits[0];
            if (chosen) go(chosen);
          }}
          className="h-12 w-full bg-transparent text-md text-ink outline-none placeholder:text-faint"
        />
        <button type="button" onClick={onDone}>
          <span className="sr-only">Close</span> <Kbd>Esc</Kbd>
        </button>
      </div>
      <Autocomplete.List className="min-h-0 overflow-y-auto overscroll-contain outline-none not-empty:p-1.5">
        {(hit: DocsHit) => <Hit key={hit.path} hit={hit} onChoose={() => go(hit)} />}
      </Autocomplete.List>
      <p
        role="status"
        className="tabular flex min-h-10 flex-wrap items-center gap-x-3 border-line border-t bg-sunken px-4 py-2 text-faint text-xs"
      >
        {found.isError && query !== '' ? sentenceForPeople(found.error) : statusOf(answer)}
      </p>
    </Autocomplete.Root>
  );
}

function Hit({ hit, onChoose }: { hit: DocsHit; onChoose: () => void }) {
  const place = [hit.section === null ? undefined : sectionNames[hit.section], hit.pageTitle, ...hit.headingPath];
  const title = hit.headingPath.at(-1) ?? hit.pageTitle;
  const above = place.slice(0, -1).filter((part) => part !== undefined && part !== title);
  return (
    <Autocomplete.Item
      value={hit}
      onClick={onChoose}
      className="flex cursor-default flex-col gap-0.5 rounded-md px-3 py-2 outline-none data-highlighted:bg-hover"
    >
      <span className="flex items-baseline justify-between gap-3">
        <span className="wrap-anywhere min-w-0 font-medium text-ink">{title}</span>
        <span className="tabular shrink-0 text-2xs text-faint">{countOf(hit.tokens, 'token')}</span>
      </span>
      <span className="wrap-anywhere text-faint text-xs">{above.join(' › ')}</span>
      <span className="wrap-anywhere line-clamp-2 text-soft text-sm">{hit.excerpt}</span>
    </Autocomplete.Item>
  );
}

function statusOf(answer: DocsAnswer | undefined): string {
  if (answer === undefined) return 'The same search that your agents use.';
  if (answer.results.length === 0) return 'No results. Try the name of a setting, command, endpoint or error.';
  const tokens = answer.results.reduce((sum, hit) => sum + hit.tokens, 0);
  const passages = countOf(answer.results.length, 'passage');
  return `${passages} of ${formatCount(answer.searchedSnippets)}: ${countOf(tokens, 'token')} instead of the ${formatCount(answer.wholePageTokens)} of their pages.`;
}

/** Returns the text after typing has paused, so that not every letter starts a search. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const pause = setTimeout(() => setRested(text), typingPauseMs);
    return () => clearTimeout(pause);
  }, [text]);
  return text === '' ? '' : rested;
}
