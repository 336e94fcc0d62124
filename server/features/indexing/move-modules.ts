import type { LibraryModule } from '#contract/library.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { recordChange, requirePerson } from '#server/features/accounts/index.ts';
import {
  findModuleById,
  findReadableModule,
  type ModuleRow,
  moveModuleRows,
  presentModule,
  requireMayChange,
  seesPathsOf,
  setModuleName,
  setModuleSource,
  sourceIn,
} from '#server/features/catalog/index.ts';
import { moveCredentialRows } from '#server/features/source-credentials/index.ts';
import { actIn, confirmRight } from '#server/features/teams/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import { auditTeamOf } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Workspace } from '#server/platform/db/schema.ts';
import type { Hook } from '../feature.ts';
import { moveJobs, renameJobs } from './job-store.ts';

type Owner = Exclude<Workspace, 'public'>;

/**
 * Moves the modules of one workspace to another, with their segments and runs, in the caller's transaction; returns how
 * many. From the commit on they belong to the new owner; an active run continues there. Modules whose id the new owner
 * already has stay, and so do runs of removed modules.
 */
export async function moveModules(tx: Transaction, from: Owner, to: Owner, now: number): Promise<number> {
  const moved = await moveModuleRows(tx, from, to);
  const moduleIds = moved.map(({ id }) => id);
  await moveCredentialRows(tx, { credentialIds: credentialIdsOf(moved), from, to });
  await moveJobs(tx, { moduleIds, from, to, now });
  if (moduleIds.length === 0) return 0;
  for (const audience of [from, to]) {
    announceChange(tx, { collection: 'modules', audience });
    announceChange(tx, { collection: 'jobRuns', audience });
  }
  return moduleIds.length;
}

/** Returns the credentials of these modules' sources, which move along because refreshes need them. */
function credentialIdsOf(modules: { source: string }[]): string[] {
  const sources = modules.map(({ source }) => sourceIn(source));
  return sources.flatMap((source) =>
    source !== undefined && 'credentialId' in source ? (source.credentialId ?? []) : [],
  );
}

/** Changes the address of a module's source; the next run reads it there. */
export async function moveSource(tx: Transaction, moduleId: string, url: string): Promise<void> {
  const module = await findModuleById(tx, moduleId);
  if (module === undefined) return;
  const source = sourceIn(module.source);
  if (source === undefined) return;
  await setModuleSource(tx, moduleId, JSON.stringify({ ...source, url }));
}

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
