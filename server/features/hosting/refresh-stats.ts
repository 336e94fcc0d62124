import type { HostedRepository } from '#contract/hosting.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import { CodeHostError } from '#server/platform/code-host/code-host.ts';
import type { Workspace } from '#server/platform/db/schema.ts';
import { tellingFaults } from './ask-host.ts';
import type { HostingDependencies } from './dependencies.ts';
import { requireCodeHost } from './person-token.ts';
import { checkReadable, readingToken, requireActive } from './reading.ts';
import { changeHosted, findHosted, type HostedRow } from './repository-store.ts';
import { answerHosted, enterWorkspace, requireHosted } from './workspace.ts';

/** Counts a repository's files again and updates the host's data. Throws while it is paused. */
export async function refreshRepositoryStats(
  ctx: Context,
  input: { id: string; teamId?: string | undefined },
  deps: HostingDependencies,
): Promise<HostedRepository> {
  const where = await enterWorkspace(ctx, input.teamId, 'sources.write');
  requireCodeHost(deps);
  const row = await requireHosted(ctx, where.workspace, input.id);
  requireActive(row);
  await count(ctx, row, deps);
  return answerHosted(ctx, where, input.id);
}

/** Does the same for a newly added repository, where a failure does not matter. */
export async function countRepository(
  ctx: Context,
  workspace: Workspace,
  id: string,
  deps: HostingDependencies,
): Promise<void> {
  const row = await findHosted(ctx.db.query, workspace, id);
  if (row === undefined) return;
  await count(ctx, row, deps).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    ctx.log.warn({ err: error }, 'the files of a repository were not counted');
  });
}

async function count(ctx: Context, row: HostedRow, deps: HostingDependencies): Promise<void> {
  const host = requireCodeHost(deps);
  const said = await checkReadable(ctx, row, deps);
  const token = await readingToken(ctx, row, deps);
  const ref = { kind: row.refKind, name: row.refName };
  const { found, isCut } = await tellingFaults(
    ctx,
    () =>
      host.listFiles(token, said.fullName, ref).catch((error: unknown) => {
        if (!(error instanceof CodeHostError) || error.fault !== 'not-found') throw error;
        throw new AppError('hosting-ref-not-found', { values: { repository: said.fullName, ...ref } });
      }),
    said.fullName,
  );
  const inside = found.filter((path) => row.folder === '' || path.startsWith(`${row.folder}/`));
  const now = ctx.clock.now();
  const stats = {
    files: inside.length,
    documentationFiles: inside.filter(isDocumentationFile).length,
    isPartial: isCut,
    ...{ sizeBytes: said.sizeBytes, defaultBranch: said.defaultBranch, pushedAt: said.pushedAt, countedAt: now },
  };
  await changeHosted(ctx.db.query, row.id, { stats: JSON.stringify(stats) });
  announceChange(ctx.db, { collection: 'hosting', audience: row.workspace });
}

const endings =
  /\.(md|mdx|mdc|markdown|mdown|mkd|rst|rest|adoc|asciidoc|asc|ipynb|html?|xhtml|txt|org|pod|man|[1-9])$/i;
const names = /(^|\/)(readme|openapi|swagger)(\.[a-z]+)?$/i;

/** Returns true if a file's name suggests documentation; only for display, unrelated to what is indexed. */
function isDocumentationFile(path: string): boolean {
  return endings.test(path) || names.test(path);
}
