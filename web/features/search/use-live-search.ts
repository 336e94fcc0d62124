import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useFieldAhead } from '../../kit/address-filters.ts';
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
  const [finished, setFinished] = useState(params.query);
  const { typed, setTyped, wanted, note } = useFieldAhead(params.query, setFinished);

  const go = (next: SearchParams) => {
    note(next.query);
    setUrlParams(writeSearchParams(next), { replace: true, preventScrollReset: true });
  };

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
