import * as limits from '#contract/limits.ts';
import type { PdfSet } from '#contract/pdf-sets.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { ownerForWriting } from '#server/features/catalog/index.ts';
import { queueRun } from '#server/features/indexing/index.ts';
import type { PdfSetDependencies } from './dependencies.ts';
import { moduleIdOf } from './names.ts';
import { audit, presentOne } from './sets.ts';
import { listFiles } from './store.ts';
import { announceSets, holdSet, requireSet } from './workspace.ts';

/** Queues a run that reads the files of a set. Throws `pdf-set-busy` while one is active. */
export async function indexPdfSet(ctx: Context, input: { setId: string }, deps: PdfSetDependencies): Promise<PdfSet> {
  const { userId, workspace } = ownerForWriting(ctx);
  await requireSet(ctx, workspace, input.setId);
  const { set, job } = await ctx.db
    .transaction(async (tx) => {
      const held = await holdSet(tx, ctx, workspace, input.setId);
      if ((await listFiles(tx, [held.id])).length === 0) throw new AppError('pdf-set-empty');
      const queued = await queueRun(tx, ctx, {
        ...{ workspace, startedByUserId: userId, displayName: held.displayName },
        slug: moduleIdOf(held.slug),
        source: {
          kind: 'pdf',
          url: `pdf://${held.slug}/`,
          seeds: [],
          maxPages: limits.pdfFilesPerSetMax,
          setId: held.id,
        },
      });
      await audit(tx, ctx.clock.now(), 'pdf-set.index', userId, held);
      announceSets(tx, workspace);
      return { set: held, job: queued.job };
    })
    .catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'job-already-running') throw new AppError('pdf-set-busy');
      throw error;
    });
  deps.notices.jobChanged(job);
  deps.notices.jobQueued();
  return presentOne(ctx, set, deps);
}
