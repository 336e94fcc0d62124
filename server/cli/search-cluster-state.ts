import { countLacking, listServedPlaces, requireOwnCluster } from '#server/features/catalog/index.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import type { Database } from '#server/platform/db/database.ts';
import {
  type ClusterHealth,
  openSearchCluster,
  type SearchClusterConfig,
  SearchClusterError,
} from '#server/platform/search-cluster/index.ts';
import type { Finding } from './deep-examination.ts';
import { countOf } from './table.ts';

const what = 'search cluster';

/** Checks the search cluster's nodes and copies, its owner, and how many passages of each served segment it has. */
export async function searchClusterState(
  config: SearchClusterConfig,
  { db, blobs }: { db: Database; blobs: Blobs },
): Promise<Finding> {
  try {
    const cluster = await openSearchCluster(config);
    try {
      const health = await cluster.health();
      if (health.state === 'in-part') return stateOf(health, { served: 0, written: 0 });
      await requireOwnCluster({ db }, cluster);
      const { served, written } = await listServedPlaces(db.query);
      const lacking = await countLacking({ blobs, cluster }, written);
      if (lacking === 0) return stateOf(health, { served, written: written.length });
      const detail = `it lacks passages of ${countOf(lacking, 'segment')}, which searches don't find: delete the indexes, and a worker writes them again`;
      return { what, state: 'fail', detail };
    } finally {
      await cluster.close();
    }
  } catch (error) {
    if (error instanceof SearchClusterError) return { what, state: 'fail', detail: error.message };
    throw error;
  }
}

function stateOf(
  { nodes, state, isReadOnly }: ClusterHealth,
  { served, written }: { served: number; written: number },
): Finding {
  const answering = `${countOf(nodes, 'node')}`;
  if (state === 'in-part') {
    const advice =
      'a part of the index is on no running node: start the missing nodes; until then, searches fail. If its data is lost, delete the indexes, and a worker writes them again';
    return { what, state: 'fail', detail: `${answering}; ${advice}` };
  }
  if (isReadOnly) {
    const advice = 'it accepts no writes: its disks are nearly full, or it is read-only; free some space';
    return { what, state: 'fail', detail: `${answering}; ${advice}` };
  }
  const held = `${written} of ${countOf(served, 'served segment')}`;
  if (written < served) {
    const advice = 'in it; a worker writes the rest, which is searched without it until then';
    return { what, state: 'warn', detail: `${answering}; ${held} ${advice}` };
  }
  if (state === 'uncopied') {
    const advice = 'some passages are on one node only: start the missing nodes, or lower LECTERN_SEARCH_REPLICAS';
    return { what, state: 'warn', detail: `${answering}; ${held} in it; ${advice}` };
  }
  return { what, state: 'ok', detail: `${answering}; ${held} in it` };
}
