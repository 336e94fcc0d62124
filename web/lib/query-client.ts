import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { sessionKey } from './session.ts';

/** One cache for one page load. A refused session is read again, so that guards see the sign-out. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // A server that answered has said what it means; only silence is worth asking again.
        retry: (failures, error) => error instanceof ApiError && error.code === 'offline' && failures < 2,
        refetchOnWindowFocus: true,
      },
    },
  });
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.queryKey[0] === sessionKey[0]) return;
    const { error } = query.state;
    if (error instanceof ApiError && error.code === 'unauthenticated' && query.state.fetchStatus === 'idle') {
      void client.invalidateQueries({ queryKey: sessionKey });
    }
  });
  return client;
}
