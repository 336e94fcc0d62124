import { useId, useState } from 'react';
import { latencyChart, linePath, niceMaximum } from '#contract/chart-shapes.ts';
import type { LatencyPoint } from '#contract/status.ts';
import { stepInWords } from '#contract/status-words.ts';
import { ChartFrame, ChartTable } from '../../ui/chart-frame.tsx';
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
          <ChartTable
            title={title}
            heads={['From', 'Median', '95th percentile', 'Calls', 'Failed']}
            rows={rowsOf(points, labelOf)}
            labelClassName="whitespace-nowrap"
          />
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
    <ChartFrame
      {...{ title, height, active, onActiveChange }}
      count={points.length}
      step={stepWidth}
      axis={[formatMs(top), formatMs(top / 2), '0']}
      labelOf={(place) => points[place] && labelOf(points[place])}
      readoutOf={(place) => points[place] && readout(points[place], labelOf)}
      className="h-44"
      drawingClassName="overflow-visible"
      hasFewLabels
    >
      <path {...line} d={p95.line} strokeWidth={2} strokeDasharray="5 4" className="stroke-busy" />
      <path {...line} d={p95.points} strokeWidth={pointWidth} className="stroke-busy" />
      <path {...line} d={p50.line} strokeWidth={2} className="stroke-lamp" />
      <path {...line} d={p50.points} strokeWidth={pointWidth} className="stroke-lamp" />
    </ChartFrame>
  );
}

function readout(point: LatencyPoint, labelOf: (point: LatencyPoint) => string): string {
  const { calls, errors, p50, p95 } = point;
  if (p50 === null || p95 === null) return `${labelOf(point)}: no calls`;
  const failed = errors === 0 ? '' : `, ${errors} failed`;
  return `${labelOf(point)}: median ${formatMs(p50)}, 95th percentile ${formatMs(p95)}, ${countOf(calls, 'call')}${failed}`;
}

/** Rows of the table, newest first, without the times in which there were no calls. */
function rowsOf(points: LatencyPoint[], labelOf: (point: LatencyPoint) => string) {
  return points
    .filter(({ calls }) => calls > 0)
    .toReversed()
    .map((point) => ({
      label: labelOf(point),
      cells: [formatMs(point.p50 ?? 0), formatMs(point.p95 ?? 0), formatCount(point.calls), formatCount(point.errors)],
    }));
}
