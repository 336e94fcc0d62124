import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { startIndexJobInput } from '#contract/library.ts';
import type { Context } from '#server/context.ts';
import { findModules, isOwnDocs, ownDocsFolder, sourceIn } from '#server/features/catalog/index.ts';
import type { LibraryNotices } from './notices.ts';
import { startIndexJob } from './start-index-job.ts';

const settingName = 'own-docs';

/**
 * Queues a run that indexes the product's own documentation as a public module, at the first start of an otherwise
 * empty installation, and again after an upgrade with changed pages. A module that was removed is not restored. Does
 * nothing if the documentation was not built. Throws `job-already-running` while such a run is active.
 */
export async function indexOwnDocs(
  ctx: Context,
  { programFolder, productName }: { programFolder: string; productName: string },
  notices: LibraryNotices,
): Promise<void> {
  const folder = join(programFolder, ownDocsFolder);
  const builtAt = await lastBuild(programFolder);
  if (builtAt === undefined) return;
  const moduleId =
    productName
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'docs';
  const isFirst = await claim(ctx, moduleId);
  if (isFirst ? !(await isUnused(ctx)) : !(await isOutdated(ctx, { folder, builtAt }))) return;
  const input = startIndexJobInput.parse({
    ...{ source: folder, moduleId, displayName: productName },
    ...{ visibility: 'public', library: productName, replace: true },
  });
  await startIndexJob(ctx, input, notices);
}

/** Returns true for the first of several processes that start at once. */
async function claim({ db }: Context, moduleId: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db.query
    .insertInto('settings')
    .values({ name: settingName, value: JSON.stringify({ moduleId }) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

async function isUnused({ db }: Context): Promise<boolean> {
  const module = await db.query.selectFrom('modules').select('id').limit(1).executeTakeFirst();
  return module === undefined;
}

async function isOutdated(ctx: Context, built: { folder: string; builtAt: number }): Promise<boolean> {
  const setting = await ctx.db.query
    .selectFrom('settings')
    .select('value')
    .where('name', '=', settingName)
    .executeTakeFirst();
  const { moduleId } = JSON.parse(setting?.value ?? '{"moduleId":""}') as { moduleId: string };
  const [module] = await findModules(ctx.db.query, ['public'], moduleId);
  if (module === undefined || module.lastUpdatedAt === null) return false;
  const source = sourceIn(module.source);
  return (
    source !== undefined && isOwnDocs(source) && (source.url !== built.folder || module.lastUpdatedAt < built.builtAt)
  );
}

async function lastBuild(programFolder: string): Promise<number | undefined> {
  try {
    return (await stat(join(programFolder, 'dist', 'docs', 'pages.json'))).mtimeMs;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
