import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { insertSegment } from '#server/features/catalog/module-store.ts';
import { deleteGivenUp, giveUpBlobs } from '#server/platform/blobs/blob-deletions.ts';
import { type BlobConfig, BlobError, type Blobs, openBlobs } from '#server/platform/blobs/index.ts';
import { emptyTrash, guardBlobs } from '#server/platform/blobs/trash.ts';
import {
  adoptStore,
  createClaim,
  isIncoming,
  markIncoming,
  storeClaimable,
  storeRecordKey,
} from '#server/platform/store-claim.ts';
import { freshDatabase } from '#test/services/database.ts';
import { silentLog } from '#test/services/log.ts';
import { moduleRow } from '#test/services/rows.ts';
import { createSettableClock } from '#test/services/settable-clock.ts';
import { temporaryFolder } from '#test/services/temporary-folder.ts';
import { startScheduledJobs } from '../scheduled-jobs.ts';
import { storeJobs } from './open-maintenance.ts';
import { renewStoreClaim, requireOwn, settleStore } from './settle-store.ts';
import { surveyStore, sweepStore } from './sweep-store.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const bytes = Buffer.from('some bytes');
const isForced = false;

const sameBucket = { kind: 's3', bucket: 'b', prefix: '' } as BlobConfig;
const claimOf = (ctx: Context, blobs: Blobs) => createClaim(ctx, storeClaimable(blobs, sameBucket));
const settle = (ctx: Context, blobs: Blobs) => settleStore(ctx, { blobs, claim: claimOf(ctx, blobs) });

async function openParts() {
  const clock = createSettableClock();
  const folder = temporaryFolder();
  const blobs = await openBlobs({ kind: 'folder', folder });
  const contextOn = (db: Context['db']): Context => {
    return { db, clock, log: silentLog, requestId: 'r', actor: { kind: 'operator', userId: 'o' }, workspace: 'user:o' };
  };
  const ctx = contextOn(await freshDatabase());
  /** Stores a file at the current time of the test's clock. */
  const put = async (key: string) => {
    await blobs.put(key, bytes);
    const at = new Date(clock.now());
    await utimes(join(folder, key), at, at);
  };
  const addSegments = async (count: number, on = ctx) => {
    await on.db.query
      .insertInto('modules')
      .values(moduleRow({ id: 'kept', segments: '[]' }))
      .execute();
    for (let number = 0; number < count; number += 1) {
      const blobKey = `segments/kept/${number}.seg`;
      await put(blobKey);
      await insertSegment(on.db.query, { id: `s${number}`, moduleId: 'kept', blobKey, createdAt: 0 });
    }
  };
  return { clock, blobs, ctx, contextOn, put, addSegments };
}

async function keysIn(blobs: Blobs): Promise<string[]> {
  return (await blobs.list('')).filter((key) => key !== storeRecordKey && !key.startsWith('segments/kept/'));
}

describe('a sweep', () => {
  test('moves files that no row has referenced for a day to the trash and deletes them seven days later', async () => {
    const { clock, blobs, ctx, put, addSegments } = await openParts();
    await settle(ctx, blobs);
    await addSegments(20);
    await put('segments/gone/x.seg');
    clock.advance(dayMs - 1);
    await sweepStore(ctx, { blobs }, { isForced });
    expect(await keysIn(blobs)).toEqual(['segments/gone/x.seg']);
    clock.advance(1);
    await put('pdfs/set/files/young.pdf');
    await sweepStore(ctx, { blobs }, { isForced });
    expect(await keysIn(blobs)).toEqual(['pdfs/set/files/young.pdf', 'trash/2026-01-02/segments/gone/x.seg']);
    clock.advance(7 * dayMs);
    await emptyTrash({ blobs, log: silentLog }, clock.now());
    expect(await keysIn(blobs)).toContain('trash/2026-01-02/segments/gone/x.seg');
    clock.advance(dayMs);
    await emptyTrash({ blobs, log: silentLog }, clock.now());
    expect(await keysIn(blobs)).toEqual(['pdfs/set/files/young.pdf']);
  });

  test('keeps everything while no file is referenced or over a tenth would go, until the operator forces it', async () => {
    const { clock, blobs, ctx, put, addSegments } = await openParts();
    await settle(ctx, blobs);
    await put('segments/gone/x.seg');
    await put('pdfs/set/files/y.pdf');
    clock.advance(2 * dayMs);
    expect(await sweepStore(ctx, { blobs }, { isForced })).toMatchObject({ held: 'the database names no file at all' });
    expect(await keysIn(blobs)).toHaveLength(2);
    await addSegments(16);
    // 2 of 18.
    expect((await sweepStore(ctx, { blobs }, { isForced })).held).toContain('more than a tenth');
    expect(await keysIn(blobs)).toEqual(['pdfs/set/files/y.pdf', 'segments/gone/x.seg']);
    await sweepStore(ctx, { blobs }, { isForced: true });
    expect((await keysIn(blobs)).every((key) => key.startsWith('trash/'))).toBe(true);
  });

  test('runs an hour after the start, and not if another database uses the store', async () => {
    const { blobs, clock, ctx } = await openParts();
    let [sweeps, isOurs] = [0, true];
    const sweep = async () => {
      sweeps += 1;
    };
    const jobs = startScheduledJobs(
      ctx,
      storeJobs(clock.elapsed(), { blobs, claim: claimOf(ctx, blobs) }, sweep),
      async () => isOurs,
    );
    const minutes = async (count: number) => {
      for (let minute = 0; minute < count; minute += 1) {
        await expect.poll(() => clock.sleeperCount, { interval: 1 }).toBe(2);
        clock.advance(60_000);
      }
      await expect.poll(() => clock.sleeperCount, { interval: 1 }).toBe(2);
    };
    await minutes(59);
    expect(sweeps).toBe(0);
    await minutes(1);
    expect(sweeps).toBe(1);
    isOurs = false;
    await minutes(120);
    expect(sweeps).toBe(1);
    await jobs.stop();
  });
});

describe('a store with an owner record', () => {
  test('is refused to a new database and to another installation, and stays unchanged', async () => {
    const { blobs, ctx, contextOn, addSegments } = await openParts();
    await settle(ctx, blobs);
    await addSegments(3);
    const before = await blobs.entries('');
    const empty = contextOn(await freshDatabase());
    await expect(settle(empty, blobs)).rejects.toThrow(/belongs to installation .* to none.*lectern store adopt/);
    const stranger = contextOn(await freshDatabase());
    await settle(stranger, await openBlobs({ kind: 'folder', folder: temporaryFolder() }));
    await expect(settle(stranger, blobs)).rejects.toThrow(/belongs to installation .* to installation/);
    expect(await blobs.entries('')).toEqual(before);
    // The owner was not changed either.
    await requireOwn(claimOf(ctx, blobs));
  });

  test('without a record is refused to a database that knows none of its files', async () => {
    const { blobs, ctx, contextOn, addSegments } = await openParts();
    await addSegments(2);
    await expect(settle(contextOn(await freshDatabase()), blobs)).rejects.toThrow(/does not know/);
    await settle(ctx, blobs);
    expect(await blobs.exists(storeRecordKey)).toBe(true);
  });

  test('that is empty is refused to a database that references files, until it is adopted', async () => {
    const { blobs, clock, ctx, addSegments } = await openParts();
    await settle(ctx, blobs);
    await addSegments(2);
    // As seen by a process whose BLOB_STORE has a typo.
    const empty = await openBlobs({ kind: 'folder', folder: temporaryFolder() });
    await expect(settle(ctx, empty)).rejects.toThrow(/is empty.*lectern store adopt/);
    expect(await empty.list('')).toEqual([]);
    await requireOwn(claimOf(ctx, blobs));
    await adoptStore(ctx.db, claimOf(ctx, empty), empty, clock.now());
    await settle(ctx, empty);
  });

  test('accepts the second of two processes that start on an empty store concurrently', async () => {
    const { blobs, ctx } = await openParts();
    // The other process claims the store between this one's first and second look.
    const late: Blobs = Object.assign(Object.create(blobs) as Blobs, {
      list: async (prefix: string) => {
        await settle(ctx, blobs);
        return blobs.list(prefix);
      },
    });
    await settle(ctx, late);
    await requireOwn(claimOf(ctx, blobs));
  });

  test('is claimed once it responds, if it was unreachable at the start', async () => {
    const { blobs, ctx } = await openParts();
    const away: Blobs = Object.assign(Object.create(blobs) as Blobs, {
      exists: () => Promise.reject(new BlobError('unreachable', 'away')),
    });
    await settle(ctx, away);
    const claim = claimOf(ctx, blobs);
    expect(await claim.standing()).toBe('unclaimed');
    await renewStoreClaim(ctx, { blobs, claim });
    await requireOwn(claim);
  });

  test('keeps the mark of an unfinished move even if it was unreachable at the start', async () => {
    const { clock, blobs, ctx } = await openParts();
    await settle(ctx, blobs);
    await markIncoming(blobs, blobs);
    const claim = claimOf(ctx, blobs);
    clock.advance(hourMs);
    await expect(renewStoreClaim(ctx, { blobs, claim })).rejects.toThrow('did not finish');
    expect([await claim.standing(), await isIncoming(blobs)]).toEqual(['other', true]);
  });

  /** Returns another database with the current rows of the first. */
  async function copyOf({ ctx, contextOn }: Awaited<ReturnType<typeof openParts>>): Promise<Context> {
    const copy = contextOn(await freshDatabase());
    for (const table of ['settings', 'modules', 'segments', 'blobDeletions'] as const) {
      const rows = await ctx.db.query.selectFrom(table).selectAll().execute();
      if (rows.length > 0)
        await copy.db.query
          .insertInto(table)
          .values(rows as never)
          .execute();
    }
    return copy;
  }

  test('deletes nothing for a restored database, and keeps unknown files after it is adopted', async () => {
    const parts = await openParts();
    const { clock, blobs, ctx, put, addSegments } = parts;
    await settle(ctx, blobs);
    await addSegments(30);
    const restored = await copyOf(parts);
    // A day on which files are stored and one is replaced.
    clock.advance(hourMs);
    await put('pdfs/set/files/today.pdf');
    await blobs.move('segments/kept/7.seg', 'trash/2026-01-01/segments/kept/7.seg');
    const claim = claimOf(ctx, blobs);
    expect(await claim.renew()).toBe('own');
    clock.advance(hourMs);
    await settle(restored, blobs);
    expect(await blobs.exists('segments/kept/7.seg')).toBe(true);
    clock.advance(hourMs);
    const restoredClaim = claimOf(restored, blobs);
    expect(await restoredClaim.renew()).toBe('other');
    await expect(requireOwn(restoredClaim)).rejects.toThrow(/lectern store adopt/);
    await adoptStore(restored.db, restoredClaim, blobs, clock.now());
    await requireOwn(restoredClaim);
    clock.advance(30 * dayMs);
    await sweepStore(restored, { blobs }, { isForced });
    expect(await blobs.exists('pdfs/set/files/today.pdf')).toBe(true);
    expect((await surveyStore(restored, { blobs })).unseen.map(({ key }) => key)).toEqual(['pdfs/set/files/today.pdf']);
    await sweepStore(restored, { blobs }, { isForced: true });
    expect(await blobs.exists('pdfs/set/files/today.pdf')).toBe(false);
  });

  test('deletes nothing for a copy of its database, however recent, and keeps working for the original', async () => {
    const parts = await openParts();
    const { clock, blobs, ctx, addSegments } = parts;
    await settle(ctx, blobs);
    await addSegments(1);
    const copy = await copyOf(parts);
    const [first, second] = [claimOf(ctx, blobs), claimOf(copy, blobs)];
    const guarded = guardBlobs(blobs, async () => (await second.standing()) === 'own');
    const key = 'segments/kept/0.seg';
    const remove = () => copy.db.transaction((tx) => giveUpBlobs(tx, [key], clock.now()));
    await settle(copy, blobs);
    await remove();
    for (let minute = 0; minute < 4; minute += 1) {
      await deleteGivenUp({ db: copy.db, blobs: guarded, log: silentLog });
      expect(await guarded.move(key, `trash/2026-01-01/${key}`)).toBe(false);
      expect(await blobs.exists(key)).toBe(true);
      clock.advance(60_000);
      expect(await first.renew()).toBe('own');
      expect(await second.renew()).toBe('other');
    }
    // A user's removal is recorded and executed once the operator has decided.
    await adoptStore(copy.db, second, blobs, clock.now());
    await deleteGivenUp({ db: copy.db, blobs: guarded, log: silentLog });
    expect(await blobs.exists(key)).toBe(false);
    expect(await first.renew()).toBe('other');
  });

  test('belongs to a moved database once no other has used it for two minutes', async () => {
    const parts = await openParts();
    const { clock, blobs, ctx } = parts;
    await settle(ctx, blobs);
    const moved = await copyOf(parts);
    const claim = claimOf(moved, blobs);
    clock.advance(119_000);
    expect(await claim.renew()).toBe('unsure');
    await expect(requireOwn(claim)).rejects.toThrow(/two minutes/);
    clock.advance(1_000);
    expect(await claim.renew()).toBe('own');
    // The next process of the same database need not wait, and the old database is locked out.
    await requireOwn(claimOf(moved, blobs));
    expect(await claimOf(ctx, blobs).renew()).toBe('other');
  });

  test('can be adopted and then keeps files that the database does not know', async () => {
    const { clock, blobs, ctx, contextOn, addSegments, put } = await openParts();
    await settle(ctx, blobs);
    await addSegments(40);
    await put('pdfs/set/files/old.pdf');
    clock.advance(2 * dayMs);
    const other = contextOn(await freshDatabase());
    await adoptStore(other.db, claimOf(other, blobs), blobs, clock.now());
    await settle(other, blobs);
    await expect(settle(ctx, blobs)).rejects.toThrow(/belongs to installation/);
    clock.advance(2 * dayMs);
    await sweepStore(other, { blobs }, { isForced });
    expect(await blobs.list('segments/kept/')).toHaveLength(40);
    expect(await blobs.exists('pdfs/set/files/old.pdf')).toBe(true);
  });
});
