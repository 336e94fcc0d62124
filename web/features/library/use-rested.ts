import { useEffect, useState } from 'react';

const typingPauseMs = 200;

/** A value once it has not changed for a moment: the timer of the browser tells. */
export function useRested(value: string): string {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), typingPauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}
