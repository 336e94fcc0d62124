import * as limits from '#contract/limits.ts';
import { formatCount } from '../../ui/quantities.ts';

interface Column {
  label: string;
  value: number;
  /** Shown above the column. */
  said: string;
}

interface ColumnChartProps {
  title: string;
  /** What the columns show, below them. */
  axis: string;
  columns: Column[];
  /** The value of a full-height column. */
  most: number;
}

const height = 150;
const columnWidth = 96;

/** A column chart of a few values; the figures above the columns are text, so screen readers read them. */
export function ColumnChart({ title, axis, columns, most }: ColumnChartProps) {
  const width = columns.length * columnWidth;
  return (
    <figure className="chart">
      <figcaption>{title}</figcaption>
      <svg
        viewBox={`0 0 ${width} ${height + 46}`}
        role="img"
        aria-label={`${title}: ${columns.map(({ label, said }) => `${label}: ${said}`).join(', ')}`}
      >
        {columns.map(({ label, value, said }, place) => {
          const tall = Math.max(2, (value / most) * height);
          const middle = place * columnWidth + columnWidth / 2;
          return (
            <g key={label}>
              <rect x={middle - 24} y={20 + height - tall} width="48" height={tall} rx="3" className="fill-lamp" />
              <text x={middle} y={13 + height - tall} className="chart-value">
                {said}
              </text>
              <text x={middle} y={height + 40} className="chart-label">
                {label}
              </text>
            </g>
          );
        })}
        <line x1="0" x2={width} y1={height + 20.5} y2={height + 20.5} className="stroke-line-strong" />
      </svg>
      <p>{axis}</p>
    </figure>
  );
}

interface TokensChartProps {
  title: string;
  steps: { from: number; to: number; count: number }[];
  mean: number;
}

/** A histogram of tokens per question, up to the baseline at the right edge. */
export function TokensChart({ title, steps, mean }: TokensChartProps) {
  const width = 640;
  const tall = 130;
  const stepWidth = width / steps.length;
  const most = Math.max(...steps.map(({ count }) => count));
  const at = (tokens: number) => (tokens / limits.baselineTokens) * width;
  const said = steps
    .filter(({ count }) => count > 0)
    .map(({ from, to, count }) => `${count} from ${formatCount(from)} to ${formatCount(to)}`)
    .join(', ');
  return (
    <figure className="chart">
      <figcaption>{title}</figcaption>
      <svg
        viewBox={`0 -22 ${width} ${tall + 48}`}
        role="img"
        aria-label={`${title}: ${said}; the mean is ${formatCount(mean)}`}
      >
        {steps.map(({ from, count }, place) => (
          <g key={from}>
            <rect
              x={place * stepWidth + 1.5}
              y={tall - (count / most) * tall}
              width={stepWidth - 3}
              height={(count / most) * tall}
              rx="2"
              className="fill-lamp"
            />
            {count > 0 && (
              <text x={(place + 0.5) * stepWidth} y={tall - (count / most) * tall - 6} className="chart-value">
                {count}
              </text>
            )}
          </g>
        ))}
        <line x1="0" x2={width} y1={tall + 0.5} y2={tall + 0.5} className="stroke-line-strong" />
        <line x1={width - 0.5} x2={width - 0.5} y1="0" y2={tall} className="stroke-line-strong" strokeDasharray="3 4" />
        <text x={width - 8} y="12" className="chart-edge">
          baseline
        </text>
        {[0, 2_500, 5_000, 7_500, limits.baselineTokens].map((tokens) => (
          <text
            key={tokens}
            x={at(tokens)}
            y={tall + 20}
            className={tokens === 0 ? 'chart-start' : tokens === limits.baselineTokens ? 'chart-edge' : 'chart-label'}
          >
            {formatCount(tokens)}
          </text>
        ))}
      </svg>
      <p>Tokens in all tool results for one question. Each column covers 500 tokens.</p>
    </figure>
  );
}
