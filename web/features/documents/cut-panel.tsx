import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { encodedAnchor } from '#contract/anchor.ts';
import { type DocumentPlace, documentPath } from '#contract/document-path.ts';
import type { Document, DocumentCut } from '#contract/documents.ts';
import * as limits from '#contract/limits.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PartHeading } from '../../ui/part-heading.tsx';
import { countOf, formatCount } from '../../ui/quantities.ts';
import { Select } from '../../ui/select.tsx';

interface CutPanelProps {
  document: Document;
  place: DocumentPlace;
  cut: DocumentCut | null | undefined;
  isBusy: boolean;
  error: unknown;
  retry: () => void;
}

const steps = [500, 1_000, 2_500, limits.readTokensDefault, 10_000];

/** Previews what a read with a query would send of this page. The address holds the query and budget. */
export function CutPanel({ document, place, cut, isBusy, error, retry }: CutPanelProps) {
  const navigate = useNavigate();
  const [query, setQuery] = useState(place.query ?? '');
  const tokens = place.tokens ?? limits.readTokensDefault;
  const ask = (asked: { query: string | undefined; tokens: number | undefined }) => {
    const { moduleId, visibility, passage } = place;
    const url = place.anchor === '' ? place.address : `${place.address}#${encodedAnchor(place.anchor)}`;
    void navigate(documentPath(url, { moduleId, visibility, passage, view: place.view, ...asked }), {
      replace: true,
      preventScrollReset: true,
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask({ query: query.trim() === '' ? undefined : query.trim(), tokens });
  };
  return (
    <section aria-labelledby="cut-heading" className="print:hidden">
      <PartHeading id="cut-heading">Preview a read</PartHeading>
      <p className="mt-1 text-pretty text-soft text-sm">
        Agents read within a token budget. Enter a question to mark the passages that an agent would get.
      </p>
      <form role="search" aria-label="Preview a read" onSubmit={submit} className="mt-3 flex flex-col gap-2">
        <TextField
          label="Agent's question"
          value={query}
          onValueChange={setQuery}
          placeholder="retry with backoff"
          maxLength={limits.queryCharactersMax}
          autoComplete="off"
          spellCheck={false}
        />
        <div className="flex flex-wrap items-center gap-2">
          <Select
            label="Budget"
            value={String(tokens)}
            onChange={(value) => ask({ query: query.trim() || undefined, tokens: Number(value) })}
            options={[...new Set([...steps, tokens])]
              .sort((a, b) => a - b)
              .map((value) => ({ value: String(value), label: countOf(value, 'token') }))}
          />
          <Button type="submit" look="action" size="sm" isBusy={isBusy} className="h-8">
            Show
          </Button>
          {cut && (
            <Button
              look="quiet"
              size="sm"
              onClick={() => {
                setQuery('');
                ask({ query: undefined, tokens: undefined });
              }}
            >
              Clear
            </Button>
          )}
        </div>
      </form>
      {error !== null && error !== undefined && (
        <div className="mt-3">
          <Notice tone="bad" title="Something went wrong" action={<Button onClick={retry}>Try again</Button>}>
            {sentenceForPeople(error)}
          </Notice>
        </div>
      )}
      {cut && <CutOutcome document={document} cut={cut} />}
    </section>
  );
}

function CutOutcome({ document, cut }: { document: Document; cut: DocumentCut }) {
  const whole = cut.kept.filter(({ isWhole }) => isWhole).length;
  const inPart = cut.kept.length - whole;
  const out = document.snippetCount - cut.kept.length;
  return (
    <div role="status" className="mt-4 text-sm">
      <p className="tabular text-ink">
        <span className="font-semibold text-md">{formatCount(cut.tokens)}</span>
        <span className="text-soft"> of {countOf(cut.wholePageTokens, 'token')}</span>
      </p>
      <CutRuler cut={cut} snippetCount={document.snippetCount} />
      <p className="text-soft">
        {countOf(whole, 'passage')} whole, {formatCount(inPart)} in part
        {out > 0 ? `; ${countOf(out, 'passage')} with ${countOf(cut.leftOutTokens, 'token')} left out` : ''}.
      </p>
    </div>
  );
}

/** The page as a ruler from top to bottom, with the parts to be sent filled in. */
function CutRuler({ cut, snippetCount }: { cut: DocumentCut; snippetCount: number }) {
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${Math.max(snippetCount, 1)} 1`}
      preserveAspectRatio="none"
      className="my-2 block h-2.5 w-full rounded-xs bg-hover"
    >
      {cut.kept.map(({ index, isWhole }) => (
        <rect
          key={index}
          x={index}
          y={isWhole ? 0 : 0.5}
          width="1"
          height={isWhole ? 1 : 0.5}
          className={isWhole ? 'fill-lamp' : 'fill-busy'}
        />
      ))}
    </svg>
  );
}
