import { type PointerEvent, useId, useState } from 'react';
import { latencyChart, linePath, niceMaximum } from '#contract/chart-shapes.ts';
import type { LatencyPoint } from '#contract/status.ts';
import { stepInWords } from '#contract/status-words.ts';
import { countOf, formatCount, formatMs } from '../../ui/quantities.ts';

interface LatencyChartProps {
  title: string;
  points: LatencyPoint[];
  stepMinutes: number;
}

const { stepWidth, height, pointWidth } = latencyChart;

/** Median and 95th percentile as lines, broken where there were no calls. The same numbers are read out and stand in a table. */
export function LatencyChart({ title, points, stepMinutes }: LatencyChartProps) {
  const [active, setActive] = useState<number>();
  const [isTable, setIsTable] = useState(false);
  const id = useId();
  const labelOf = ({ at }: LatencyPoint) => stepInWords(at, stepMinutes);
  const shown = active === undefined ? undefined : points[active];
  return (
    <figure className="flex flex-col gap-3">
      <figcaption className="flex min-h-6 flex-wrap items-center justify-between gap-x-4 gap-y-1 text-soft text-xs">
        <span className="flex items-center gap-4">
          <span className="sr-only">{title}</span>
          <Key className="stroke-lamp" name="Median" />
          <Key className="stroke-busy" name="95th percentile" isDashed />
        </span>
        <span className="flex items-center gap-3">
          {shown && !isTable && (
            <span aria-hidden className="tabular hidden sm:inline">
              {readout(shown, labelOf)}
            </span>
          )}
          <button
            type="button"
            aria-expanded={isTable}
            aria-controls={id}
            onClick={() => setIsTable(!isTable)}
            className="h-6 rounded-xs px-1 text-faint hover:text-ink"
          >
            {isTable ? 'Show as chart' : 'Show as table'}
          </button>
        </span>
      </figcaption>
      <div id={id}>
        {isTable ? (
          <LatencyTable title={title} points={points} labelOf={labelOf} />
        ) : (
          <Lines {...{ title, points, labelOf, active }} onActiveChange={setActive} />
        )}
      </div>
    </figure>
  );
}

function Key({ className, name, isDashed = false }: { className: string; name: string; isDashed?: boolean }) {
  return (
    <span className="flex items-center gap-1.5">
      <svg aria-hidden viewBox="0 0 16 2" className="h-0.5 w-4">
        <path d="M0 1H16" strokeWidth={2} strokeDasharray={isDashed ? '4 2' : undefined} className={className} />
      </svg>
      {name}
    </span>
  );
}

interface LinesProps extends Pick<LatencyChartProps, 'title' | 'points'> {
  labelOf: (point: LatencyPoint) => string;
  active: number | undefined;
  onActiveChange: (active: number | undefined) => void;
}

function Lines({ title, points, labelOf, active, onActiveChange }: LinesProps) {
  const top = niceMaximum(Math.max(1, ...points.map(({ p95 }) => p95 ?? 0)));
  const last = points.length - 1;
  const current = points[active ?? last];
  const follow = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const place = Math.floor(((event.clientX - left) / width) * points.length);
    onActiveChange(Math.min(Math.max(place, 0), last));
  };
  return (
    <div className="grid grid-cols-[auto_1fr] gap-x-2.5 gap-y-1.5 text-2xs text-faint">
      <div aria-hidden className="tabular flex h-44 flex-col justify-between text-right leading-none">
        <span>{formatMs(top)}</span>
        <span>{formatMs(top / 2)}</span>
        <span>0</span>
      </div>
      <div className="relative h-44" onPointerMove={follow} onPointerLeave={() => onActiveChange(undefined)}>
        <input
          type="range"
          aria-label={`${title}, one by one`}
          aria-valuetext={current && readout(current, labelOf)}
          min={0}
          max={last}
          value={active ?? last}
          onChange={(event) => onActiveChange(Number(event.target.value))}
          onFocus={() => onActiveChange(active ?? last)}
          onBlur={() => onActiveChange(undefined)}
          className="peer pointer-events-none absolute inset-0 size-full opacity-0"
        />
        <Drawing points={points} top={top} active={active} />
      </div>
      <div aria-hidden className="tabular col-start-2 flex justify-between">
        {[0, Math.floor(last / 2), last].map((place) => {
          const point = points[place];
          const isMiddle = place !== 0 && place !== last;
          return (
            <span key={place} className={isMiddle ? 'max-sm:hidden' : undefined}>
              {point && labelOf(point)}
            </span>
          );
        })}
      </div>
    </div>
  );
}

function Drawing({ points, top, active }: { points: LatencyPoint[]; top: number; active: number | undefined }) {
  const width = points.length * stepWidth;
  const pathOf = (values: (number | null)[]) => linePath(values, { stepWidth, height, top });
  const p95 = pathOf(points.map((point) => point.p95));
  const p50 = pathOf(points.map((point) => point.p50));
  const line = {
    fill: 'none',
    strokeLinecap: 'round',
    strokeLinejoin: 'round',
    vectorEffect: 'non-scaling-stroke',
  } as const;
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full overflow-visible rounded-xs outline-offset-4 peer-focus-visible:outline-2 peer-focus-visible:outline-lamp"
    >
      {[0, height / 2, height].map((y) => (
        <line key={y} x1={0} x2={width} y1={y} y2={y} vectorEffect="non-scaling-stroke" className="stroke-line" />
      ))}
      {active !== undefined && (
        <rect x={active * stepWidth} y={0} width={stepWidth} height={height} className="fill-hover" />
      )}
      <path {...line} d={p95.line} strokeWidth={2} strokeDasharray="5 4" className="stroke-busy" />
      <path {...line} d={p95.points} strokeWidth={pointWidth} className="stroke-busy" />
      <path {...line} d={p50.line} strokeWidth={2} className="stroke-lamp" />
      <path {...line} d={p50.points} strokeWidth={pointWidth} className="stroke-lamp" />
    </svg>
  );
}

function readout(point: LatencyPoint, labelOf: (point: LatencyPoint) => string): string {
  const { calls, errors, p50, p95 } = point;
  if (p50 === null || p95 === null) return `${labelOf(point)}: no calls`;
  const failed = errors === 0 ? '' : `, ${errors} failed`;
  return `${labelOf(point)}: median ${formatMs(p50)}, 95th percentile ${formatMs(p95)}, ${countOf(calls, 'call')}${failed}`;
}

interface LatencyTableProps {
  title: string;
  points: LatencyPoint[];
  labelOf: (point: LatencyPoint) => string;
}

/** The lines as a table, newest first, without the times in which there were no calls. */
function LatencyTable({ title, points, labelOf }: LatencyTableProps) {
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={title}
      className="max-h-64 overflow-y-auto rounded-md border border-line"
    >
      <table className="tabular w-full text-left text-sm">
        <caption className="sr-only">{title}</caption>
        <thead className="sticky top-0 bg-sunken text-soft text-xs">
          <tr>
            <th scope="col" className="px-3 py-1.5 font-medium">
              From
            </th>
            {['Median', '95th percentile', 'Calls', 'Failed'].map((name) => (
              <th key={name} scope="col" className="px-3 py-1.5 text-right font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points
            .filter(({ calls }) => calls > 0)
            .toReversed()
            .map((point) => (
              <tr key={point.at} className="border-line border-t">
                <th scope="row" className="whitespace-nowrap px-3 py-1 font-normal">
                  {labelOf(point)}
                </th>
                <td className="px-3 py-1 text-right">{formatMs(point.p50 ?? 0)}</td>
                <td className="px-3 py-1 text-right">{formatMs(point.p95 ?? 0)}</td>
                <td className="px-3 py-1 text-right">{formatCount(point.calls)}</td>
                <td className="px-3 py-1 text-right">{formatCount(point.errors)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}
