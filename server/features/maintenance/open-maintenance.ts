import type { Context } from '#server/context.ts';
import type { OpenShelf } from '#server/features/catalog/index.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import { emptyTrash } from '#server/platform/blobs/trash.ts';
import type { Platform } from '#server/platform/open-platform.ts';
import { renewClaim } from '#server/platform/store-claim.ts';
import { feature } from '../feature.ts';
import type { ScheduledJob } from '../scheduled-jobs.ts';
import { requireStoreOf, settleStore } from './settle-store.ts';
import { sweepStore } from './sweep-store.ts';

const renewEveryMs = 60_000;
const sweepEveryMs = 60 * 60_000;

/**
 * Keeps files and rows in step. Opened before anything else uses the file store: throws BlobError `foreign` if its files belong to
 * another database.
 */
export async function openMaintenance({ db, clock, log, blobs, isExclusive }: Platform) {
  const base = { db, clock, log };
  if (!isExclusive) await requireStoreOf(base, blobs);
  const storeId = isExclusive ? (await settleStore(base, blobs)).id : '';
  let isOurs = storeId !== '';
  return feature({
    name: 'maintenance',
    verbs: {
      /** Returns false while another database uses the same file store: then nothing may be deleted. */
      mayDelete: () => isOurs,
      async *examine(ctx: Context, shelf: OpenShelf) {
        const { examineInstallation } = await import('./examine-installation.ts');
        yield* examineInstallation(ctx, { blobs, shelf });
      },
    },
    scheduledJobs: [
      storeJob(clock.now(), {
        async renew() {
          isOurs = storeId !== '' && (await renewClaim({ db, blobs }, { id: storeId, now: clock.now() }));
          return isOurs;
        },
        sweep: (ctx) => sweep(ctx, blobs),
      }),
    ],
  });
}

async function sweep(ctx: Context, blobs: Blobs): Promise<void> {
  await sweepStore(ctx, { blobs }, { isForced: false });
  await emptyTrash({ blobs, log: ctx.log }, ctx.clock.now());
}

interface StoreWork {
  /** Marks the store as this installation's again; returns false if another database uses it too. */
  renew(): Promise<boolean>;
  /** Deletes files that no row names, and old ones in the trash. */
  sweep(ctx: Context): Promise<unknown>;
}

/**
 * Marks the store every minute and sweeps it every hour. The first sweep comes an hour after the start: until then an operator who
 * started with the wrong database has noticed.
 */
export function storeJob(startedAt: number, work: StoreWork): ScheduledJob {
  let sweptAt = startedAt;
  return {
    name: 'keep the file store',
    where: 'worker',
    everyMs: renewEveryMs,
    async run(ctx) {
      if (!(await work.renew())) {
        ctx.log.error({}, 'another database works on this file store, so nothing is deleted from it');
        return;
      }
      const now = ctx.clock.now();
      if (now - sweptAt < sweepEveryMs) return;
      sweptAt = now;
      await work.sweep(ctx);
    },
  };
}
