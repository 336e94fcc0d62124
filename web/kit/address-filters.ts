import { useEffect, useState, useSyncExternalStore } from 'react';
import { useSearchParams } from 'react-router';

const typingPauseMs = 200;
const never = () => () => undefined;
const none = new URLSearchParams();

/**
 * Returns the address's parameters and a function that changes some of them, where '' removes one. Filters in the
 * address survive a reload and Back. A prerendered page starts without them, to match its HTML.
 */
export function useAddressFilters(): [URLSearchParams, (change: Record<string, string>) => void] {
  const [params, setParams] = useSearchParams();
  const change = (part: Record<string, string>) => {
    const next = new URLSearchParams(params);
    for (const [name, value] of Object.entries(part)) {
      if (value === '') next.delete(name);
      else next.set(name, value);
    }
    setParams(next, { replace: true, preventScrollReset: true });
  };
  const isRunning = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return [isRunning ? params : none, change];
}

interface FieldAhead {
  typed: string;
  setTyped: (typed: string) => void;
  /** The text that the address will contain. */
  wanted: string;
  /** Must be called with the text before it is written into the address. */
  note: (words: string) => void;
}

/**
 * Keeps the text of a field that is also stored in the address. The address is updated with a delay, so a field bound
 * to it would lose letters. Back, Forward and links change the field; the field's own update of the address doesn't,
 * because more text may have been typed since.
 */
export function useFieldAhead(words: string, onOther?: (words: string) => void): FieldAhead {
  const [typed, setTyped] = useState(words);
  const [followed, setFollowed] = useState(words);
  const [underWay, setUnderWay] = useState<readonly string[]>([]);
  const wanted = typed.trim();
  if (words !== followed) {
    setFollowed(words);
    const place = underWay.indexOf(words);
    if (place >= 0) setUnderWay(underWay.slice(place + 1));
    else if (words !== wanted) {
      setTyped(words);
      onOther?.(words);
    }
  }
  const note = (next: string) => next !== words && setUnderWay([...underWay, next]);
  return { typed, setTyped, wanted, note };
}

/** Keeps a filter's text in a field and writes it to the address when typing pauses. */
export function useFilterWords(words: string, write: (words: string) => void): [string, (typed: string) => void] {
  const { typed, setTyped, wanted, note } = useFieldAhead(words);
  useEffect(() => {
    if (wanted === words) return undefined;
    const pause = setTimeout(() => {
      note(wanted);
      write(wanted);
    }, typingPauseMs);
    return () => clearTimeout(pause);
  });
  return [typed, setTyped];
}
