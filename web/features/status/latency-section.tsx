import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { latencyChart, linePath, niceMaximum } from '#contract/chart-shapes.ts';
import type { LatencyPoint, LatencyRange, StatusLatency } from '#contract/status.ts';
import { latencyFigures, stepInWords } from '#contract/status-words.ts';
import { useAddressFilters } from '../../kit/address-filters.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { ChartFrame, ChartTable } from '../../ui/chart-frame.tsx';
import { PartHeading } from '../../ui/part-heading.tsx';
import { countOf, formatCount, formatMs } from '../../ui/quantities.ts';
import { Segments } from '../../ui/segments.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { latencyOptions } from './queries.ts';
import { useWritten, Written } from './written-status.tsx';

const ranges = [
  { value: '24h', label: '24 h' },
  { value: '7d', label: '7 days' },
  { value: '90d', label: '90 days' },
] as const;

const kinds = [
  { value: 'search', label: 'Searches' },
  { value: 'read', label: 'Reads' },
] as const;
type Kind = (typeof kinds)[number]['value'];

/** Returns the option that the address names, or else the first. */
function valueOf<Value extends string>(
  options: readonly [{ value: Value }, ...{ value: Value }[]],
  named: string | null,
): Value {
  return (options.find(({ value }) => value === named) ?? options[0]).value;
}

/** Response times of searches and reads by people and agents. */
export function LatencySection() {
  const [filters, setFilters] = useAddressFilters();
  const range = valueOf<LatencyRange>(ranges, filters.get('time'));
  const kind = valueOf<Kind>(kinds, filters.get('calls'));
  const latency = useQuery(latencyOptions(range));
  const written = useWritten('speed');
  const isFirst = range === '24h' && kind === 'search';
  const isWritten = isFirst && latency.data === undefined && written !== undefined;
  return (
    <section aria-labelledby="speed" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <PartHeading id="speed">Speed</PartHeading>
          <p className="text-soft text-sm">Duration of real searches and reads.</p>
        </div>
        <div className="flex flex-wrap gap-2 noscript:hidden">
          <Segments
            label="Calls"
            value={kind}
            options={kinds}
            onChange={(calls) => setFilters({ calls: calls === kinds[0].value ? '' : calls })}
          />
          <Segments
            label="Time"
            value={range}
            options={ranges}
            onChange={(time) => setFilters({ time: time === ranges[0].value ? '' : time })}
          />
        </div>
      </div>
      {latency.data !== undefined && <Latency latency={latency.data} kind={kind} />}
      {isWritten && <Written part="speed" html={written} />}
      {latency.data === undefined && !isWritten && latency.isError && (
        <RetryNotice query={latency} title="Couldn't load response times" />
      )}
      {latency.isPending && !isWritten && (
        <Loading label="Loading the speed…">
          <Skeleton className="h-72 w-full rounded-lg" />
        </Loading>
      )}
    </section>
  );
}

function Latency({ latency, kind }: { latency: StatusLatency; kind: Kind }) {
  const total = latency.total[kind];
  return (
    <div className="flex flex-col gap-5 rounded-lg border border-line bg-surface p-4 shadow-sm sm:p-5">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4">
        {latencyFigures(total, kind).map(([name, value]) => (
          <Figure key={name} name={name} value={value} />
        ))}
      </dl>
      {total.calls === 0 ? (
        <p className="rounded-md border border-line border-dashed px-4 py-10 text-center text-soft">
          {kind === 'search' ? 'No searches' : 'No reads'} in this period.
        </p>
      ) : (
        <LatencyChart
          title={kind === 'search' ? 'Search duration' : 'Read duration'}
          points={latency[kind]}
          stepMinutes={latency.stepMinutes}
        />
      )}
    </div>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="text-faint text-xs">{name}</dt>
      <dd className="tabular font-display text-ink text-xl">{value}</dd>
    </div>
  );
}

interface LatencyChartProps {
  title: string;
  points: LatencyPoint[];
  stepMinutes: number;
}

const { stepWidth, height, pointWidth } = latencyChart;

/**
 * Lines for median and 95th percentile, with gaps where there were no calls. The same values are read out and available
 * as a table.
 */
function LatencyChart({ title, points, stepMinutes }: LatencyChartProps) {
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

/** Returns the table's rows, newest first, without steps that had no calls. */
function rowsOf(points: LatencyPoint[], labelOf: (point: LatencyPoint) => string) {
  return points
    .filter(({ calls }) => calls > 0)
    .toReversed()
    .map((point) => ({
      label: labelOf(point),
      cells: [formatMs(point.p50 ?? 0), formatMs(point.p95 ?? 0), formatCount(point.calls), formatCount(point.errors)],
    }));
}
