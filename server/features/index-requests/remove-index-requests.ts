import type { Workspace } from '#server/context.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { deleteRequests } from './store.ts';

/** Deletes what was asked for in a workspace that is deleted. */
export async function removeIndexRequests(tx: Transaction, workspace: Workspace): Promise<void> {
  await deleteRequests(tx, workspace);
}
