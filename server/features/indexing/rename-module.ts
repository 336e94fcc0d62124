import type { LibraryModule } from '#contract/library.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { recordChange, requirePerson } from '#server/features/accounts/index.ts';
import {
  findReadableModule,
  type ModuleRow,
  presentModule,
  requireMayChange,
  seesPathsOf,
  setModuleName,
} from '#server/features/catalog/index.ts';
import { actIn, confirmRight } from '#server/features/teams/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import { auditTeamOf } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Hook } from '../feature.ts';
import { renameJobs } from './job-store.ts';

/** Runs in the transaction that renames a module. */
export type ModuleRenamed = Hook<[tx: Transaction, module: ModuleRow]>;

/**
 * Renames a module for users; its id, which agents use, stays. If private and public modules share the id, the private
 * one is renamed unless `visibility` says otherwise.
 */
export async function renameModule(
  ctx: Context,
  input: { moduleId: string; displayName: string; visibility?: 'public' | 'private'; teamId?: string },
  renamed: ModuleRenamed,
): Promise<LibraryModule> {
  const actorUserId = requirePerson(ctx);
  const acting = await actIn(ctx, input.teamId);
  const { id, workspace, slug, displayName: before } = await findReadableModule(acting, input);
  await requireMayChange(acting, workspace);
  const module = await ctx.db.transaction(async (tx) => {
    if (workspace !== 'public') await confirmRight(tx, acting, 'sources.write');
    const row = await changeModuleName(tx, id, input.displayName);
    if (row === undefined) throw new AppError('module-changed');
    await renamed(tx, row);
    await recordChange(tx, ctx.clock.now(), {
      ...{ actorUserId, action: 'module.rename', entityId: id },
      detail: { moduleId: slug, before, name: row.displayName },
      ...auditTeamOf(workspace),
    });
    return row;
  });
  return presentModule(module, await seesPathsOf(acting, [module]));
}

/**
 * Renames a module and its runs in the transaction of the caller, who has checked the right to do so. Runs are renamed
 * too, because each sets the module's name when it ends. Returns undefined if the module is gone.
 */
export async function changeModuleName(
  tx: Transaction,
  moduleRowId: string,
  displayName: string,
): Promise<ModuleRow | undefined> {
  const module = await setModuleName(tx, moduleRowId, displayName);
  if (module === undefined) return undefined;
  await renameJobs(tx, moduleRowId, displayName);
  for (const collection of ['modules', 'jobRuns'] as const) {
    announceChange(tx, { collection, audience: module.workspace });
  }
  return module;
}
