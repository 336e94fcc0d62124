import type { FetchQueryOptions } from '@tanstack/react-query';
import { pageClient } from './query-client.ts';
import { sessionOptions } from './session.ts';
import { siteOptions } from './site.ts';
import { selectedWorkspace } from './workspace.ts';

/** A screen whose data takes longer is shown without it. */
const waitMs = 500;

/** Number of the page's nested routes that are still loading. */
let reading = 0;

/**
 * Waits for the session and then for the data of a screen's first view, so that the screen renders once instead of once
 * per response. The screen's document has already started these calls (`scripts/start-of-pages.ts`). Screens opened
 * later do not wait.
 */
export async function readFirstView(
  queriesOf: (workspace: string) => Pick<FetchQueryOptions, 'queryKey'>[] = () => [],
): Promise<null> {
  if (Object.keys(window.early ?? {}).length === 0) return null;
  const read = async () => {
    const client = pageClient();
    const [{ user }] = await Promise.all([client.ensureQueryData(sessionOptions), client.prefetchQuery(siteOptions)]);
    if (user === null) return;
    await Promise.all(queriesOf(selectedWorkspace()).map((query) => client.prefetchQuery(query as FetchQueryOptions)));
  };
  const end = () => {
    reading -= 1;
    // An unused response would be stale if it were used later.
    if (reading === 0) delete window.early;
  };
  reading += 1;
  await Promise.race([read().then(end, end), new Promise((go) => setTimeout(go, waitMs))]);
  return null;
}
