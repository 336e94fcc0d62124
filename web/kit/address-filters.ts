import { useEffect, useState, useSyncExternalStore } from 'react';
import { useSearchParams } from 'react-router';

const typingPauseMs = 200;
const never = () => () => undefined;
const none = new URLSearchParams();

/**
 * Returns the parameters of the address and a function that changes some of them, where '' removes one. Filters kept there stay over a
 * reload and Back. A page that is written before it is asked for begins without them, as it was written.
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
  /** The words that the address will have. */
  wanted: string;
  /** Must be called with words before they are written into the address. */
  note: (words: string) => void;
}

/**
 * Keeps the text of a field that is also in the address. The address changes late, so a field bound to it would lose letters. Back,
 * forward and links change the field; an address that it wrote itself doesn't, since more may have been typed since.
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

/** Keeps the words of a filter in a field; the address follows when typing pauses. */
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
