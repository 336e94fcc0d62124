import { deleteModule, listWorkspaceModules, markModuleSegmentsDropped } from '#server/features/catalog/index.ts';
import { deleteCredentials } from '#server/features/source-credentials/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Workspace } from '#server/platform/db/schema.ts';
import { deleteJobs } from './job-store.ts';

/**
 * Removes a person's private modules and runs, for a deleted account. A run in progress loses its row, and with it the
 * lease, so it stops by itself; files go with the next sweep.
 */
export async function removePersonalLibrary(tx: Transaction, userId: string, now: number): Promise<void> {
  await removeLibrary(tx, `user:${userId}`, now);
}

/** The same for a team that is deleted. */
export async function removeTeamLibrary(tx: Transaction, teamId: string, now: number): Promise<void> {
  await removeLibrary(tx, `team:${teamId}`, now);
}

async function removeLibrary(tx: Transaction, workspace: Exclude<Workspace, 'public'>, now: number): Promise<void> {
  await deleteJobs(tx, workspace, now);
  for (const { id } of await listWorkspaceModules(tx, workspace)) {
    await deleteModule(tx, id);
    await markModuleSegmentsDropped(tx, id, now);
  }
  await deleteCredentials(tx, workspace);
  announceChange(tx, { collection: 'modules', audience: workspace });
}
