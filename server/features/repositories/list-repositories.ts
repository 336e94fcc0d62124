import type { Repository } from '#contract/repositories.ts';
import type { Context } from '#server/context.ts';
import { isOperator, requirePerson } from '#server/features/accounts/index.ts';
import { requireRight } from '#server/features/teams/index.ts';
import { refusalForOthers } from '#server/platform/refusal-for-others.ts';
import { listRepositoryRows } from './store.ts';

/** Returns the repositories of the modules in the current workspace and the public index. */
export async function listRepositories(ctx: Context): Promise<Repository[]> {
  requirePerson(ctx);
  requireRight(ctx, 'sources.read');
  const workspaces = ctx.workspace === null ? ['public' as const] : [ctx.workspace, 'public' as const];
  const rows = await listRepositoryRows(ctx.db.query, workspaces);
  const tell = (await isOperator(ctx)) ? (error: string) => error : refusalForOthers;
  return rows.map((row) => ({
    moduleId: row.slug,
    visibility: row.workspace === 'public' ? 'public' : 'private',
    url: row.url,
    ref: row.refKind === null || row.refName === null ? null : { kind: row.refKind, name: row.refName },
    folder: row.folder,
    revision: row.revision,
    checkedAt: row.checkedAt,
    nextCheckAt: row.nextCheckAt,
    checkError: row.checkError && tell(row.checkError),
  }));
}
