import { limits } from '#contract/limits.ts';

const tokensPerCell = 50;
const rows = 4;
const step = 10;
const cell = 7;
const columns = limits.baselineTokens / tokensPerCell / rows;

/**
 * The tokens of one look-up as a field of cells, `tokensPerCell` each: lit are those of the answer, dark those it spares.
 * The figures stand beside it in words.
 */
export function TokenField({ tokens }: { tokens: number | undefined }) {
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
      {/* New cells for a new answer, so that they come on again. */}
      <g key={tokens} className="lights">
        {places.map(({ x, y }) => (
          <rect key={`${x} ${y}`} x={x} y={y} width={cell} height={cell} rx="1.5" className="fill-lamp" />
        ))}
      </g>
    </svg>
  );
}
