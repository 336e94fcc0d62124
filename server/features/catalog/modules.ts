import type { LibraryModule } from '#contract/library.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { findModules, listServedModules, type ModuleRow } from './module-store.ts';
import { readableWorkspaces, seesPathsOf } from './policy.ts';
import { presentModule, visibilityOf } from './present-module.ts';

/** Modules that serve something to the actor: private ones first, each group by id. */
export async function listModules(ctx: Context): Promise<LibraryModule[]> {
  const rows = await listServedModules(ctx.db.query, readableWorkspaces(ctx));
  const seesPaths = await seesPathsOf(ctx, rows);
  return rows.map((row) => presentModule(row, seesPaths));
}

/** The module of this id that one reads; the private one when there is a public one too and `visibility` does not say. */
export async function findReadableModule(
  ctx: Context,
  input: { moduleId: string; visibility?: 'public' | 'private' },
): Promise<ModuleRow> {
  const found = await findModules(ctx.db.query, readableWorkspaces(ctx), input.moduleId);
  const wanted = found.filter(
    (row) => (input.visibility ?? visibilityOf(row.workspace)) === visibilityOf(row.workspace),
  );
  const module = wanted.find((row) => row.workspace !== 'public') ?? wanted[0];
  if (module === undefined) throw new AppError('module-not-found', { values: { module: input.moduleId } });
  return module;
}
