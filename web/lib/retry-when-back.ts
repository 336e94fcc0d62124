import type { Query, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { request } from './request.ts';

const lookAgainMs = { first: 1_000, longest: 60_000 };

/**
 * Reloads what the screen could not load, as soon as the server responds again. Returns a function that stops it.
 */
export function retryWhenBack(client: QueryClient): () => void {
  const isLost = ({ state }: Query) =>
    state.fetchStatus === 'idle' && state.error instanceof ApiError && state.error.code === 'offline';
  const lost = { type: 'active', predicate: isLost } as const;
  let pause = lookAgainMs.first;
  const lookIn = (ms: number) => setTimeout(() => void look(), ms);
  const look = async () => {
    const isWanted = client.getQueryCache().findAll(lost).length > 0;
    const isAway = isWanted && (await request('/healthz').catch(() => 'away')) === 'away';
    timer = isAway ? lookIn(lookAgainMs.first) : undefined;
    if (isAway) return;
    // Something else may refuse these calls, such as an extension of the browser.
    pause = isWanted ? Math.min(pause * 2, lookAgainMs.longest) : lookAgainMs.first;
    void client.refetchQueries(lost);
  };
  let timer: ReturnType<typeof setTimeout> | undefined = lookIn(pause);
  const stop = client.getQueryCache().subscribe(({ query }) => {
    if (isLost(query)) timer ??= lookIn(pause);
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}
