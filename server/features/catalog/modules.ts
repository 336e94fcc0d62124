import { indexStackName, type LibraryModule, type PrivateIndex, privateIndexId } from '#contract/library.ts';
import { AppError } from '#server/app-error.ts';
import { type Context, teamOf } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import { requireRight } from '#server/features/teams/index.ts';
import {
  countPublicModules,
  findModules,
  listNewestPublic,
  listServedModules,
  listWorkspaceModules,
  type ModuleRow,
} from './module-store.ts';
import { readableWorkspaces, seesPathsOf } from './policy.ts';
import { presentModule, visibilityOf } from './present-module.ts';

/** Returns the modules that the actor can search: private ones first, each group by id. */
export async function listModules(ctx: Context): Promise<LibraryModule[]> {
  const rows = await listServedModules(ctx.db.query, readableWorkspaces(ctx));
  const seesPaths = await seesPathsOf(ctx, rows);
  return rows.map((row) => presentModule(row, seesPaths));
}

/**
 * Returns the readable module with this id; the private one if a public one exists too and `visibility` is not given.
 */
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

/**
 * Returns the index of the user or team that the caller acts for: its modules by id. A source whose first run has not
 * succeeded is listed as a run only.
 */
export async function getPrivateIndex(ctx: Context): Promise<PrivateIndex> {
  const userId = requirePerson(ctx);
  requireRight(ctx, 'sources.read');
  const workspace = ctx.workspace ?? (`user:${userId}` as const);
  const teamId = teamOf(workspace) ?? null;
  const all = await listWorkspaceModules(ctx.db.query, workspace);
  const rows = all.filter(({ lastUpdatedAt }) => lastUpdatedAt !== null);
  const seesPaths = await seesPathsOf(ctx, rows);
  const modules = rows.map((row) => presentModule(row, seesPaths)).sort((a, b) => (a.moduleId < b.moduleId ? -1 : 1));
  const changes = rows.map(({ createdAt, lastUpdatedAt }) => lastUpdatedAt ?? createdAt);
  return {
    uid: teamId === null ? userId : null,
    teamId,
    indexId: privateIndexId,
    stackName: indexStackName,
    createdAt: rows.length === 0 ? null : Math.min(...rows.map(({ createdAt }) => createdAt)),
    updatedAt: rows.length === 0 ? null : Math.max(...changes),
    totalDocs: rows.reduce((sum, { pageCount }) => sum + pageCount, 0),
    modules,
  };
}

/** Returns the most recently updated public modules, newest first. */
export async function getPublicFigures(
  ctx: Pick<Context, 'db'>,
  listed: number,
): Promise<{ modules: number; latest: { moduleId: string; displayName: string; lastUpdatedAt: number }[] }> {
  const [modules, rows] = [await countPublicModules(ctx.db.query), await listNewestPublic(ctx.db.query, listed)];
  return {
    modules,
    latest: rows.map(({ slug, displayName, lastUpdatedAt }) => ({
      ...{ moduleId: slug, displayName, lastUpdatedAt: lastUpdatedAt ?? 0 },
    })),
  };
}
