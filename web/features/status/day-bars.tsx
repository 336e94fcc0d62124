import { type PointerEvent, useMemo, useState } from 'react';
import { dayBar, dayPaths } from '#contract/chart-shapes.ts';
import type { StatusState } from '#contract/status.ts';
import { type Day, dayInWords } from '#contract/status-words.ts';

const fills: Record<StatusState, string> = {
  operational: 'fill-lamp',
  degraded: 'fill-warn',
  down: 'fill-danger',
  unknown: 'fill-transparent',
};

/** One bar a day, filled as far as the day was measured. Read out one by one: arrow keys, or the pointer. */
export function DayBars({ label, days }: { label: string; days: Day[] }) {
  const [active, setActive] = useState<number>();
  const { ground, filled } = useMemo(() => dayPaths(days), [days]);
  const last = days.length - 1;
  const shown = active === undefined ? undefined : days[active];
  const current = days[active ?? last];
  const follow = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const place = Math.floor(((event.clientX - left) / width) * days.length);
    setActive(Math.min(Math.max(place, 0), last));
  };
  return (
    <div>
      <div className="relative h-8" onPointerMove={follow} onPointerLeave={() => setActive(undefined)}>
        <input
          type="range"
          aria-label={`${label}, day by day`}
          aria-valuetext={current && dayInWords(current)}
          min={0}
          max={last}
          value={active ?? last}
          onChange={(event) => setActive(Number(event.target.value))}
          onFocus={() => setActive(active ?? last)}
          onBlur={() => setActive(undefined)}
          className="peer pointer-events-none absolute inset-0 size-full opacity-0"
        />
        <svg
          aria-hidden
          viewBox={`0 0 ${days.length * dayBar.width} ${dayBar.height}`}
          preserveAspectRatio="none"
          className="absolute inset-0 size-full rounded-xs outline-offset-3 peer-focus-visible:outline-2 peer-focus-visible:outline-lamp"
        >
          <path d={ground} className="fill-line" />
          {active !== undefined && (
            <rect
              x={active * dayBar.width + 0.5}
              width={dayBar.width - 1}
              height={dayBar.height}
              className="fill-line-strong"
            />
          )}
          {filled.map(([state, path]) => (
            <path key={state} d={path} className={fills[state]} />
          ))}
        </svg>
      </div>
      <p aria-hidden className="tabular mt-1 flex min-h-4 justify-between gap-3 text-2xs text-faint">
        {shown ? (
          <span className="text-soft">{dayInWords(shown)}</span>
        ) : (
          <>
            <span>90 days ago</span>
            <span>Today</span>
          </>
        )}
      </p>
    </div>
  );
}
