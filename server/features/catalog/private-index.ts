import { indexStackName, type PrivateIndex, privateIndexId } from '#contract/library.ts';
import { type Context, teamOf } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import { requireRight } from '#server/features/teams/index.ts';
import { listWorkspaceModules } from './module-store.ts';
import { seesPathsOf } from './policy.ts';
import { presentModule } from './present-module.ts';

/** The index of the person or team one acts for: its modules by id. A source whose first run has not succeeded is a run, and no part of it. */
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
