import type { PointerEvent, ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface ChartFrameProps {
  title: string;
  /** Size of the drawing in its own units, before it is stretched to its box: `count` steps of width `step`. */
  count: number;
  step: number;
  height: number;
  /** Axis labels for the maximum, the half and zero. */
  axis: readonly [string, string, string];
  /** Returns the label below a step. */
  labelOf: (place: number) => string | undefined;
  /** Returns the text read out at a step. */
  readoutOf: (place: number) => string | undefined;
  active: number | undefined;
  onActiveChange: (active: number | undefined) => void;
  /** Sets the height. */
  className: string;
  drawingClassName?: string;
  /** Hides the middle label on narrow screens. */
  hasFewLabels?: boolean;
  children: ReactNode;
}

/** Axis, lines and labels around a drawing, with a readout for each step (arrow keys, pointer). */
export function ChartFrame(props: ChartFrameProps) {
  const { title, count, step, height, axis, labelOf, readoutOf, active, onActiveChange, className } = props;
  const width = count * step;
  const last = count - 1;
  const follow = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const place = Math.floor(((event.clientX - box.left) / box.width) * count);
    onActiveChange(Math.min(Math.max(place, 0), last));
  };
  return (
    <div className="grid grid-cols-[auto_1fr] gap-x-2.5 gap-y-1.5 text-2xs text-faint">
      <div
        aria-hidden
        className={classNames('tabular flex flex-col justify-between text-right leading-none', className)}
      >
        {axis.map((words, place) => (
          <span key={place}>{words}</span>
        ))}
      </div>
      <div
        className={classNames('relative', className)}
        onPointerMove={follow}
        onPointerLeave={() => onActiveChange(undefined)}
      >
        <input
          type="range"
          aria-label={`${title}, one by one`}
          aria-valuetext={readoutOf(active ?? last)}
          min={0}
          max={last}
          value={active ?? last}
          onChange={(event) => onActiveChange(Number(event.target.value))}
          onFocus={() => onActiveChange(active ?? last)}
          onBlur={() => onActiveChange(undefined)}
          className="peer pointer-events-none absolute inset-0 size-full opacity-0"
        />
        <svg
          aria-hidden
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          className={classNames(
            'absolute inset-0 size-full rounded-xs outline-offset-4 peer-focus-visible:outline-2 peer-focus-visible:outline-lamp',
            props.drawingClassName,
          )}
        >
          {[0, height / 2, height].map((y) => (
            <line key={y} x1={0} x2={width} y1={y} y2={y} vectorEffect="non-scaling-stroke" className="stroke-line" />
          ))}
          {active !== undefined && <rect x={active * step} y={0} width={step} height={height} className="fill-hover" />}
          {props.children}
        </svg>
      </div>
      <div aria-hidden className="tabular col-start-2 flex justify-between">
        {[0, Math.floor(last / 2), last].map((place) => (
          <span
            key={place}
            className={props.hasFewLabels && place !== 0 && place !== last ? 'max-sm:hidden' : undefined}
          >
            {labelOf(place)}
          </span>
        ))}
      </div>
    </div>
  );
}

interface ChartTableProps {
  title: string;
  /** Header of the first column, then of the number columns. */
  heads: readonly [string, ...string[]];
  rows: readonly { label: string; cells: readonly string[] }[];
  labelClassName?: string;
}

/** A chart's values as a scrollable table. */
export function ChartTable({ title, heads: [first, ...others], rows, labelClassName }: ChartTableProps) {
  return (
    <div
      className="max-h-64 overflow-y-auto rounded-md border border-line"
      tabIndex={0}
      role="region"
      aria-label={title}
    >
      <table className="tabular w-full text-left text-sm">
        <caption className="sr-only">{title}</caption>
        <thead className="sticky top-0 bg-sunken text-soft text-xs">
          <tr>
            <th scope="col" className="px-3 py-1.5 font-medium">
              {first}
            </th>
            {others.map((name) => (
              <th key={name} scope="col" className="px-3 py-1.5 text-right font-medium first-letter:uppercase">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, cells }) => (
            <tr key={label} className="border-line border-t">
              <th scope="row" className={classNames('px-3 py-1 font-normal', labelClassName)}>
                {label}
              </th>
              {cells.map((cell, place) => (
                <td key={others[place]} className="px-3 py-1 text-right">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
