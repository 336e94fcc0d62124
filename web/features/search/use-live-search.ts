import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { readSearchParams, type SearchParams, writeSearchParams } from './search-params.ts';

// Short enough to feel live, long enough that a word typed in one go is one search.
const typingPauseMs = 160;
/** Words that rest this long are meant: the search is finished. */
const finishedAfterMs = 900;

interface LiveSearch {
  params: SearchParams;
  /** What stands in the box; the address follows when typing pauses. */
  typed: string;
  setTyped: (typed: string) => void;
  /** False while someone seems to be still typing. */
  isFinished: boolean;
  /** Searches for what is typed at once. */
  submit: () => void;
  change: (part: Partial<Omit<SearchParams, 'query'>>) => void;
}

/** The search in the address, and the box that runs ahead of it. */
export function useLiveSearch(): LiveSearch {
  const [urlParams, setUrlParams] = useSearchParams();
  const params = readSearchParams(urlParams);
  const [typed, setTyped] = useState(params.query);
  const [followed, setFollowed] = useState(params.query);
  const [finished, setFinished] = useState(params.query);
  const [underWay, setUnderWay] = useState<readonly string[]>([]);

  // Back, forward and links change the address under the box. What the box itself sent there may arrive when more has
  // been typed: that stays.
  if (params.query !== followed) {
    setFollowed(params.query);
    const place = underWay.indexOf(params.query);
    if (place >= 0) setUnderWay(underWay.slice(place + 1));
    else if (params.query !== typed.trim()) {
      setTyped(params.query);
      setFinished(params.query);
    }
  }

  const go = (next: SearchParams) => {
    if (next.query !== params.query) setUnderWay([...underWay, next.query]);
    setUrlParams(writeSearchParams(next), { replace: true, preventScrollReset: true });
  };
  const wanted = typed.trim();

  useEffect(() => {
    if (wanted === params.query) return;
    const pause = setTimeout(() => go({ ...params, query: wanted }), typingPauseMs);
    return () => clearTimeout(pause);
  });

  useEffect(() => {
    if (wanted === finished) return;
    const rest = setTimeout(() => setFinished(wanted), finishedAfterMs);
    return () => clearTimeout(rest);
  }, [wanted, finished]);

  return {
    params,
    isFinished: finished === params.query,
    typed,
    setTyped,
    submit: () => {
      setFinished(wanted);
      go({ ...params, query: wanted });
    },
    change: (part) => {
      setFinished(wanted);
      go({ ...params, query: wanted, ...part });
    },
  };
}
