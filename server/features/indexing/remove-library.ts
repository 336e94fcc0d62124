import { deleteModule, listWorkspaceModules, markModuleSegmentsDropped } from '#server/features/catalog/index.ts';
import { deleteCredentials } from '#server/features/source-credentials/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Workspace } from '#server/platform/db/schema.ts';
import { deleteJobs } from './job-store.ts';

/**
 * Removes a user's private modules and runs, for a deleted account. An active run loses its row and thereby its lease,
 * so it stops; the next sweep deletes the files.
 */
export async function removePersonalLibrary(tx: Transaction, userId: string, now: number): Promise<void> {
  await removeLibrary(tx, `user:${userId}`, now);
}

/** Removes a deleted team's modules and runs in the same way. */
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
