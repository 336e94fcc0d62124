import { useId, useState } from 'react';
import { niceMaximum } from '#contract/chart-shapes.ts';
import { ChartFrame, ChartTable } from './chart-frame.tsx';
import { classNames } from './class-names.ts';
import { formatCompact, formatCount } from './quantities.ts';

type Tone = 'lamp' | 'busy';

export interface ChartSeries {
  /** In the plural, lower case: "searches". */
  name: string;
  tone: Tone;
}

export interface ChartColumn {
  /** The full label, for the readout and the table. */
  label: string;
  /** The short label below the axis. */
  shortLabel: string;
  /** One value per series, from the bottom up. */
  values: number[];
  /** Values for the readout and the table, if different from the bars' heights. */
  readings?: number[];
}

interface BarChartProps {
  /** The measure and its unit of time: "Calls per day". */
  title: string;
  /** Head of the table's first column. */
  columnsLabel: string;
  columns: ChartColumn[];
  series: ChartSeries[];
  /** Shown instead of the bars if all values are 0. */
  emptyText: string;
}

const fills: Record<Tone, string> = { lamp: 'fill-lamp', busy: 'fill-busy' };
const swatches: Record<Tone, string> = { lamp: 'bg-lamp', busy: 'bg-busy' };
/** Drawing units; the drawing is stretched to its box. */
const columnWidth = 10;
const height = 100;

/** Stacked bars. The values can be read column by column (arrow keys, pointer) and are available as a table. */
export function BarChart({ title, columnsLabel, columns, series, emptyText }: BarChartProps) {
  const [active, setActive] = useState<number>();
  const [isTable, setIsTable] = useState(false);
  const tableId = useId();
  const shown = active === undefined ? undefined : columns[active];
  const isEmpty = columns.every(({ values }) => sum(values) === 0);
  return (
    <figure className="flex flex-col gap-3">
      <figcaption className="flex flex-col gap-1 text-sm">
        <span className="flex min-h-6 items-start justify-between gap-x-4">
          <span className="heading-part">{title}</span>
          {!isEmpty && (
            <button
              type="button"
              aria-expanded={isTable}
              aria-controls={tableId}
              onClick={() => setIsTable(!isTable)}
              className="h-6 shrink-0 rounded-xs px-1 text-faint text-xs hover:text-ink"
            >
              {isTable ? 'Show as chart' : 'Show as table'}
            </button>
          )}
        </span>
        <span className="flex flex-wrap gap-x-4 gap-y-1 text-soft text-xs">
          {series.map(({ name, tone }) => (
            <span key={name} className="flex items-center gap-1.5">
              <span aria-hidden className={classNames('size-2 rounded-xs', swatches[tone])} />
              {name}
            </span>
          ))}
          {shown && !isTable && (
            <span aria-hidden className="tabular ml-auto hidden sm:inline">
              {readout(shown, series)}
            </span>
          )}
        </span>
      </figcaption>
      <div id={tableId}>
        {isEmpty ? (
          <p className="flex h-40 items-center justify-center rounded-md border border-line border-dashed px-4 text-center text-faint">
            {emptyText}
          </p>
        ) : isTable ? (
          <ChartTable
            title={title}
            heads={[columnsLabel, ...series.map(({ name }) => name)]}
            rows={columns.toReversed().map(({ label, values, readings = values }) => ({
              label,
              cells: readings.map(formatCount),
            }))}
          />
        ) : (
          <Bars {...{ title, columns, series, active, onActiveChange: setActive }} />
        )}
      </div>
    </figure>
  );
}

interface BarsProps extends Omit<BarChartProps, 'columnsLabel' | 'emptyText'> {
  active: number | undefined;
  onActiveChange: (active: number | undefined) => void;
}

function Bars({ title, columns, series, active, onActiveChange }: BarsProps) {
  const top = niceMaximum(Math.max(0, ...columns.map(({ values }) => sum(values))));
  return (
    <ChartFrame
      {...{ title, height, active, onActiveChange }}
      count={columns.length}
      step={columnWidth}
      axis={[formatCompact(top), formatCompact(top / 2), '0']}
      labelOf={(place) => columns[place]?.shortLabel}
      readoutOf={(place) => columns[place] && readout(columns[place], series)}
      className="h-40"
    >
      {columns.map((column, place) => (
        <Stack key={column.label} x={place * columnWidth} values={column.values} series={series} top={top} />
      ))}
    </ChartFrame>
  );
}

function Stack({ x, values, series, top }: { x: number; values: number[]; series: ChartSeries[]; top: number }) {
  return values.map((value, place) => {
    const below = sum(values.slice(0, place));
    const size = (value / top) * height;
    const tone = series[place]?.tone ?? 'lamp';
    return (
      <rect
        key={series[place]?.name}
        x={x + 1.5}
        y={height - (below / top) * height - size}
        width={columnWidth - 3}
        height={size}
        className={fills[tone]}
      />
    );
  });
}

function readout({ label, values, readings = values }: ChartColumn, series: ChartSeries[]): string {
  const parts = readings.map((value, place) => `${formatCount(value)} ${series[place]?.name ?? ''}`);
  return `${label}: ${parts.join(', ')}`;
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
