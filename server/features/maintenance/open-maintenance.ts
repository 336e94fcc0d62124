import type { Context } from '#server/context.ts';
import type { OpenShelf } from '#server/features/catalog/index.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import { emptyTrash } from '#server/platform/blobs/trash.ts';
import type { Platform } from '#server/platform/open-platform.ts';
import { type Claim, markEveryMs } from '#server/platform/store-claim.ts';
import { feature } from '../feature.ts';
import type { ScheduledJob } from '../scheduled-jobs.ts';
import { renewStoreClaim, requireStoreOf, settleStore, takeBackNamed } from './settle-store.ts';
import { sweepStore } from './sweep-store.ts';

const sweepEveryMs = 60 * 60_000;

/**
 * Opens the jobs that keep files and rows consistent. Must be opened before anything else uses the file store: throws
 * BlobError `foreign` if its files belong to another installation.
 */
export async function openMaintenance({ db, clock, log, blobs, storeClaim, sealingKeys, isExclusive }: Platform) {
  const base = { db, clock, log };
  if (isExclusive) await settleStore(base, { blobs, claim: storeClaim });
  else await requireStoreOf(base, blobs);
  return feature({
    name: 'maintenance',
    verbs: {
      async *examine(ctx: Context, shelf: OpenShelf) {
        const { examineInstallation } = await import('./examine-installation.ts');
        yield* examineInstallation(ctx, { blobs, shelf });
      },
      isOurSecret: async (ctx: Context) => (await import('./renew-secrets.ts')).isOurSecret(ctx, sealingKeys),
    },
    scheduledJobs: [
      ...storeJobs(clock.elapsed(), { blobs, claim: storeClaim }, async (ctx) => {
        await takeBackNamed(ctx, blobs);
        await sweepStore(ctx, { blobs }, { isForced: false });
        await emptyTrash({ blobs, log: ctx.log }, ctx.clock.now());
      }),
      // Each process has its own environment variables.
      ...(['worker', 'server'] as const).map((where) => ({
        ...{ name: 'check the secret', where, everyMs: sweepEveryMs },
        run: async (ctx: Context) => (await import('./renew-secrets.ts')).reportUnopened(ctx, sealingKeys),
      })),
    ],
  });
}

/**
 * Returns the jobs that mark the store every minute and sweep it every hour. The first sweep runs an hour after the
 * start, so that an operator who started with the wrong database has time to notice.
 */
export function storeJobs(
  startedAt: number,
  store: { blobs: Blobs; claim: Claim },
  sweep: (ctx: Context) => Promise<unknown>,
): ScheduledJob[] {
  return [
    {
      name: 'mark the file store',
      where: 'worker',
      everyMs: markEveryMs,
      run: (ctx) => renewStoreClaim(ctx, store),
    },
    {
      name: 'sweep the file store',
      where: 'worker',
      everyMs: sweepEveryMs,
      deletesFiles: true,
      async run(ctx) {
        if (ctx.clock.elapsed() - startedAt >= sweepEveryMs) await sweep(ctx);
      },
    },
  ];
}
