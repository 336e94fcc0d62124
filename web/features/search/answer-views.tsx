import type { KeyboardEvent, RefObject } from 'react';
import type { SearchOutput } from '#contract/search.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { countOf } from '../../ui/quantities.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { AddressOnlyResult, ResultCard } from './result-card.tsx';
import type { View } from './search-params.ts';

interface AnswerViewsProps {
  answer: SearchOutput;
  view: View;
  onViewChange: (view: View) => void;
  resultsRef: RefObject<HTMLOListElement | null>;
  /** Leaves the first result upward, to the box. */
  onUp: () => void;
}

/** The same answer twice: laid out for people, and as the exact text an agent receives. */
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
    // The arrows move between the links inside, which are the controls.
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

/** Moves focus to a result, with its head in view. */
export function focusResult(results: HTMLOListElement | null, position: number): void {
  const link = results?.querySelector<HTMLAnchorElement>(`a[data-result="${position}"]`);
  link?.focus({ preventScroll: true });
  link?.closest('article')?.scrollIntoView({ block: 'nearest' });
}
