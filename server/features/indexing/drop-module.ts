import {
  deleteModule,
  findModules,
  findRunningJob,
  markModuleSegmentsDropped,
} from '#server/features/catalog/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Workspace } from '#server/platform/db/schema.ts';
import { type JobRow, requestCancel } from './job-store.ts';

/**
 * Drops a module in the transaction of the caller, who has checked the right to do so; the next sweep deletes its
 * files. Returns its active run, which was asked to stop: after the commit, call `notices.cancelRequested(run.id)`.
 */
export async function dropModule(
  tx: Transaction,
  { workspace, slug, now }: { workspace: Workspace; slug: string; now: number },
): Promise<JobRow | undefined> {
  const [module] = await findModules(tx, [workspace], slug);
  if (module === undefined) return undefined;
  const running = await findRunningJob(tx, module.id);
  if (running !== undefined) await requestCancel(tx, running.id, now);
  // In this order, a version being published is either marked here or finds no module.
  await deleteModule(tx, module.id);
  await markModuleSegmentsDropped(tx, module.id, now);
  // The runs change too: their module is now a removed one.
  for (const collection of ['modules', 'jobRuns'] as const) announceChange(tx, { collection, audience: workspace });
  return running;
}
