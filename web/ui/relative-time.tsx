import { useEffect, useState } from 'react';
import { relativeTo } from './quantities.ts';
import { Tooltip } from './tooltip.tsx';

const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** Returns the current time, refreshed every `everyMs`, for components that show relative times. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** A relative time, with the exact time on hover and focus. `at` is in epoch milliseconds. */
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
