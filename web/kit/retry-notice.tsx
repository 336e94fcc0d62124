import { createContext, type ReactNode, useCallback, useContext, useEffect, useId, useMemo, useState } from 'react';
import { sentenceForPeople } from '../lib/api-error.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

interface FailedQuery {
  error: unknown;
  errorUpdatedAt?: number | undefined;
  isFetching: boolean;
  refetch: () => unknown;
}

interface RetryNoticeProps {
  /** The failed query, which can be retried. */
  query: FailedQuery;
  title?: string;
  /** Replaces the error's own message. */
  children?: string;
  /** A compact form for use inside a panel. */
  isSmall?: boolean;
}

/** Shown instead of data that failed to load: the reason and a retry button. One `OneNotice` can replace several. */
export function RetryNotice({ query, title, children, isSmall = false }: RetryNoticeProps) {
  const { isSpokenFor, report } = useContext(Reports);
  const id = useId();
  useEffect(() => report(id, query), [report, id, query]);
  useEffect(() => () => report(id, undefined), [report, id]);
  if (isSpokenFor) return <p className="text-faint">{children ?? `${title ?? 'Not loaded'}.`}</p>;
  return (
    <Notice
      tone="bad"
      {...(title === undefined ? {} : { title })}
      action={
        <Button size={isSmall ? 'sm' : 'md'} isBusy={query.isFetching} onClick={() => void query.refetch()}>
          Try again
        </Button>
      }
    >
      {/* A new element for each failure, so that it is announced again. */}
      <span key={query.errorUpdatedAt}>{children ?? sentenceForPeople(query.error)}</span>
    </Notice>
  );
}

interface Reporting {
  isSpokenFor: boolean;
  report: (id: string, query: FailedQuery | undefined) => void;
}

const alone: Reporting = { isSpokenFor: false, report: () => undefined };
const Reports = createContext(alone);

/** Replaces the retry notices below it by a single one with one button to reload everything. */
export function OneNotice({ children }: { children: ReactNode }) {
  const [failed, setFailed] = useState<ReadonlyMap<string, FailedQuery>>(new Map());
  const report = useCallback((id: string, query: FailedQuery | undefined) => {
    setFailed((known) => {
      const before = known.get(id);
      if (before?.error === query?.error && before?.isFetching === query?.isFetching) return known;
      const next = new Map(known);
      if (query === undefined) next.delete(id);
      else next.set(id, query);
      return next;
    });
  }, []);
  const queries = [...failed.values()];
  const isSpokenFor = queries.length > 1;
  const isFetching = queries.some((query) => query.isFetching);
  const refetch = () => Promise.all(queries.map((query) => query.refetch()));
  const reporting = useMemo(() => ({ isSpokenFor, report }), [isSpokenFor, report]);
  return (
    <>
      {isSpokenFor && (
        <div className="page pt-6 pb-0">
          <RetryNotice
            title="Couldn't load parts of this page"
            query={{ error: queries[0]?.error, errorUpdatedAt: queries[0]?.errorUpdatedAt, isFetching, refetch }}
          />
        </div>
      )}
      <Reports value={reporting}>{children}</Reports>
    </>
  );
}
