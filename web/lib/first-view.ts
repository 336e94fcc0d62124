import type { FetchQueryOptions } from '@tanstack/react-query';
import { pageClient } from './query-client.ts';
import { sessionOptions } from './session.ts';
import { siteOptions } from './site.ts';
import { selectedWorkspace } from './workspace.ts';

/** A screen whose data takes longer than that is shown without it. */
const waitMs = 500;

/** Routes of the page, each within the other, that still read. */
let reading = 0;

/**
 * Waits for the session, then for what the first view of a screen reads, so that the screen is rendered once instead of once for
 * each answer. The document of the screen has made these calls (`scripts/start-of-pages.ts`). Screens that are opened later do not wait.
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
    // An answer that no one has taken would be an old one later.
    if (reading === 0) delete window.early;
  };
  reading += 1;
  await Promise.race([read().then(end, end), new Promise((go) => setTimeout(go, waitMs))]);
  return null;
}
