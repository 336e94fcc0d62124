import { useEffect, useState } from 'react';
import { Tooltip } from './tooltip.tsx';

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** '3 minutes ago'; below a minute 'just now'. */
export function relativeTo(at: number, now: number): string {
  const seconds = (at - now) / 1_000;
  const unit = units.find(([, length]) => Math.abs(seconds) >= length);
  return unit ? relative.format(Math.trunc(seconds / unit[1]), unit[0]) : 'just now';
}

/** The time, re-read every so often by whoever shows how long ago something was. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** How long ago, with the exact time on hover and focus. `at` is epoch milliseconds. */
export function RelativeTime({
  at,
  isQuiet = false,
}: {
  at: number /** Inside a link, which takes the focus. */;
  isQuiet?: boolean;
}) {
  const now = useNow(30_000);
  return (
    <Tooltip content={exact.format(at)}>
      <time
        dateTime={new Date(at).toISOString()}
        tabIndex={isQuiet ? undefined : 0}
        className="whitespace-nowrap rounded-xs"
      >
        {relativeTo(at, now)}
      </time>
    </Tooltip>
  );
}
