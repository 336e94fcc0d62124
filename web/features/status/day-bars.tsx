import { type PointerEvent, useState } from 'react';
import type { StatusState } from '#contract/status.ts';
import { type Day, dayInWords } from './status-words.ts';

const fills: Record<StatusState, string> = {
  operational: 'fill-lamp',
  degraded: 'fill-warn',
  down: 'fill-danger',
  unknown: 'fill-transparent',
};

/** Units of the drawing; it is stretched to its box. */
const barWidth = 4;
const height = 32;
/** What was measured for a moment only can still be seen. */
const shownMin = 0.15;

/** One bar a day, filled as far as the day was measured. Read out one by one: arrow keys, or the pointer. */
export function DayBars({ label, days }: { label: string; days: Day[] }) {
  const [active, setActive] = useState<number>();
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
          viewBox={`0 0 ${days.length * barWidth} ${height}`}
          preserveAspectRatio="none"
          className="absolute inset-0 size-full rounded-xs outline-offset-3 peer-focus-visible:outline-2 peer-focus-visible:outline-lamp"
        >
          {days.map((day, place) => (
            <Bar key={day.at} day={day} x={place * barWidth} isActive={place === active} />
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

function Bar({ day, x, isActive }: { day: Day; x: number; isActive: boolean }) {
  const filled = day.checks === 0 ? 0 : Math.max(day.measured, shownMin) * height;
  return (
    <>
      <rect
        x={x + 0.5}
        y={0}
        width={barWidth - 1}
        height={height}
        className={isActive ? 'fill-line-strong' : 'fill-line'}
      />
      <rect x={x + 0.5} y={height - filled} width={barWidth - 1} height={filled} className={fills[day.state]} />
    </>
  );
}
