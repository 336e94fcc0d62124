import * as limits from '#contract/limits.ts';
import type { TriedSearch } from '#contract/try-search.ts';
import { countOf, formatCompact, formatCount, formatMs } from '../../ui/quantities.ts';
import { writtenParts } from './written-search.ts';

const meterClasses = 'tabular border-line border-t px-5 pt-4 pb-4.5';

/** The cost of the answer that the server wrote into the page. */
export function WrittenMeter({ html }: { html: string }) {
  return (
    <div
      data-written={writtenParts.meter}
      className={meterClasses}
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

/** The answer's cost, compared with a look-up without documentation search. */
export function TokenMeter({ answer }: { answer: TriedSearch | undefined }) {
  const tokens = answer?.tokens;
  const percent = tokens === undefined ? undefined : Math.round((1 - tokens / limits.baselineTokens) * 100);
  return (
    <div className={meterClasses}>
      <div role="status" className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p className="flex items-baseline gap-2">
          <span className="font-display text-4xl text-lamp leading-none tracking-tight">
            {tokens === undefined ? '…' : formatCount(tokens)}
          </span>
          <span className="text-soft text-sm">tokens</span>
        </p>
        <p className="text-faint text-sm">
          {percent === undefined ? (
            `of a ${formatCount(limits.baselineTokens)}-token baseline`
          ) : (
            <>
              <span className="text-ink">{percent}% below</span> the {formatCount(limits.baselineTokens)}-token baseline
            </>
          )}
        </p>
      </div>
      <TokenField tokens={tokens} />
      <p className="mt-3 min-h-4.5 text-faint text-xs">
        {answer &&
          `${countOf(answer.results.length, 'passage')} out of ${formatCompact(answer.searchedSnippets)}, found in ${formatMs(answer.tookMs)} on this installation`}
      </p>
    </div>
  );
}

const tokensPerCell = 50;
const rows = 4;
const step = 10;
const cell = 7;
const columns = limits.baselineTokens / tokensPerCell / rows;

/**
 * A look-up's tokens as a grid of cells, `tokensPerCell` each: the answer's tokens are lit, the saved ones dark. The
 * figures are also shown as text.
 */
function TokenField({ tokens }: { tokens: number | undefined }) {
  const lit = tokens === undefined ? 0 : Math.min(Math.ceil(tokens / tokensPerCell), rows * columns);
  const places = Array.from({ length: lit }, (_, at) => ({ x: Math.floor(at / rows) * step, y: (at % rows) * step }));
  return (
    <svg
      viewBox={`0 0 ${columns * step - (step - cell)} ${rows * step - (step - cell)}`}
      aria-hidden
      className="block h-auto w-full"
    >
      <defs>
        <pattern id="unlit-tokens" width={step} height={step} patternUnits="userSpaceOnUse">
          <rect width={cell} height={cell} rx="1.5" className="fill-line" />
        </pattern>
      </defs>
      <rect width={columns * step} height={rows * step} fill="url(#unlit-tokens)" />
      {/* New cells for each answer, so that their animation restarts. */}
      <g key={tokens} className="lights">
        {places.map(({ x, y }) => (
          <rect key={`${x} ${y}`} x={x} y={y} width={cell} height={cell} rx="1.5" className="fill-lamp" />
        ))}
      </g>
    </svg>
  );
}
