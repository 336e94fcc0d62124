import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { insertSegment } from '#server/features/catalog/module-store.ts';
import { type Blobs, openBlobs } from '#server/platform/blobs/index.ts';
import { emptyTrash } from '#server/platform/blobs/trash.ts';
import { createSettableClock } from '#server/platform/clock.ts';
import { adoptStore, claimStore, renewClaim, storeRecordKey } from '#server/platform/store-claim.ts';
import { freshDatabase } from '#test/services/database.ts';
import { silentLog } from '#test/services/log.ts';
import { moduleRow } from '#test/services/rows.ts';
import { temporaryFolder } from '#test/services/temporary-folder.ts';
import { startScheduledJobs } from '../scheduled-jobs.ts';
import { storeJob } from './open-maintenance.ts';
import { settleStore } from './settle-store.ts';
import { surveyStore, sweepStore } from './sweep-store.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const bytes = Buffer.from('some bytes');
const isForced = false;

async function openParts() {
  const clock = createSettableClock();
  const folder = temporaryFolder();
  const blobs = await openBlobs({ kind: 'folder', folder });
  const contextOn = (db: Context['db']): Context => {
    return { db, clock, log: silentLog, requestId: 'r', actor: { kind: 'operator', userId: 'o' }, workspace: 'user:o' };
  };
  const ctx = contextOn(await freshDatabase());
  /** Stores a file as of now by the clock of the test. */
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
  test('moves to the trash what no row has named for a day, and deletes it there after seven days', async () => {
    const { clock, blobs, ctx, put, addSegments } = await openParts();
    await settleStore(ctx, blobs);
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

  test('leaves everything while the database names no file, and more than a tenth of the store, until the operator says so', async () => {
    const { clock, blobs, ctx, put, addSegments } = await openParts();
    await settleStore(ctx, blobs);
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

  test('comes an hour after the start, and not where another database works on the store', async () => {
    const { clock, ctx } = await openParts();
    let sweeps = 0;
    let isOurs = true;
    const work = {
      renew: async () => isOurs,
      sweep: async () => {
        sweeps += 1;
      },
    };
    const jobs = startScheduledJobs(ctx, [storeJob(clock.now(), work)]);
    const minutes = async (count: number) => {
      for (let minute = 0; minute < count; minute += 1) {
        await expect.poll(() => clock.sleeperCount, { interval: 1 }).toBe(1);
        clock.advance(60_000);
      }
      await expect.poll(() => clock.sleeperCount, { interval: 1 }).toBe(1);
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

describe('a store that says whose it is', () => {
  test('is refused to a new database and to a stranger, and nothing is changed', async () => {
    const { blobs, ctx, contextOn, addSegments } = await openParts();
    await settleStore(ctx, blobs);
    await addSegments(3);
    const before = await blobs.entries('');
    const empty = contextOn(await freshDatabase());
    await expect(settleStore(empty, blobs)).rejects.toThrow(/belongs to installation .* to none.*lectern store adopt/);
    const stranger = contextOn(await freshDatabase());
    await settleStore(stranger, await openBlobs({ kind: 'folder', folder: temporaryFolder() }));
    await expect(settleStore(stranger, blobs)).rejects.toThrow(/belongs to installation .* to installation/);
    expect(await blobs.entries('')).toEqual(before);
    // Whose it is was not changed either.
    expect(await settleStore(ctx, blobs)).toMatchObject({ isRestored: false });
  });

  test('is refused without that word where the database knows none of its files', async () => {
    const { blobs, ctx, contextOn, addSegments } = await openParts();
    await addSegments(2);
    await expect(settleStore(contextOn(await freshDatabase()), blobs)).rejects.toThrow(/does not know/);
    await settleStore(ctx, blobs);
    expect(await blobs.exists(storeRecordKey)).toBe(true);
  });

  test('lets the second of two processes in that start on an empty store at once', async () => {
    const { blobs, ctx } = await openParts();
    // The other process claims the store between the first look of this one and its second.
    const late: Blobs = Object.assign(Object.create(blobs) as Blobs, {
      list: async (prefix: string) => {
        await settleStore(ctx, blobs);
        return blobs.list(prefix);
      },
    });
    expect(await settleStore(ctx, late)).toMatchObject({ isRestored: false });
  });

  test('keeps what a database put back from a backup does not know, and gives it the files it names back', async () => {
    const { clock, blobs, ctx, contextOn, put, addSegments } = await openParts();
    await settleStore(ctx, blobs);
    await addSegments(30);
    const { id } = await settleStore(ctx, blobs);
    const backup = await ctx.db.query.selectFrom('settings').selectAll().execute();
    // A day on which files are stored, and one is replaced.
    clock.advance(hourMs);
    await renewClaim({ db: ctx.db, blobs }, { id, now: clock.now() });
    await put('pdfs/set/files/today.pdf');
    await blobs.move('segments/kept/7.seg', 'trash/2026-01-01/segments/kept/7.seg');
    clock.advance(hourMs);
    await renewClaim({ db: ctx.db, blobs }, { id, now: clock.now() });
    const restored = contextOn(await freshDatabase());
    await restored.db.query.insertInto('settings').values(backup).execute();
    await addSegments(0, restored);
    for (let number = 0; number < 30; number += 1) {
      const row = { id: `s${number}`, moduleId: 'kept', blobKey: `segments/kept/${number}.seg`, createdAt: 0 };
      await insertSegment(restored.db.query, row);
    }
    expect(await settleStore(restored, blobs)).toEqual({ id, isRestored: true });
    expect(await blobs.exists('segments/kept/7.seg')).toBe(true);
    clock.advance(30 * dayMs);
    await sweepStore(restored, { blobs }, { isForced });
    expect(await blobs.exists('pdfs/set/files/today.pdf')).toBe(true);
    expect((await surveyStore(restored, { blobs })).unseen.map(({ key }) => key)).toEqual(['pdfs/set/files/today.pdf']);
    await sweepStore(restored, { blobs }, { isForced: true });
    expect(await blobs.exists('pdfs/set/files/today.pdf')).toBe(false);
  });

  test('notices a copy of its database that works on it', async () => {
    const { blobs, ctx, contextOn } = await openParts();
    const { id } = await settleStore(ctx, blobs);
    const copy = contextOn(await freshDatabase());
    await copy.db.query
      .insertInto('settings')
      .values(await ctx.db.query.selectFrom('settings').selectAll().execute())
      .execute();
    expect(await renewClaim({ db: ctx.db, blobs }, { id, now: 1 })).toBe(true);
    expect(await renewClaim({ db: copy.db, blobs }, { id, now: 2 })).toBe(false);
    expect((await settleStore(copy, blobs)).isRestored).toBe(true);
    expect(await renewClaim({ db: ctx.db, blobs }, { id, now: 3 })).toBe(false);
  });

  test('can be adopted, and then keeps what the database does not know', async () => {
    const { clock, blobs, ctx, contextOn, addSegments, put } = await openParts();
    await settleStore(ctx, blobs);
    await addSegments(40);
    await put('pdfs/set/files/old.pdf');
    clock.advance(2 * dayMs);
    const other = contextOn(await freshDatabase());
    await adoptStore({ db: other.db, blobs }, clock.now());
    expect(
      await claimStore({ db: other.db, blobs }, { now: clock.now(), knowsFiles: async () => false }),
    ).toMatchObject({
      isRestored: false,
    });
    await expect(settleStore(ctx, blobs)).rejects.toThrow(/belongs to installation/);
    clock.advance(2 * dayMs);
    await sweepStore(other, { blobs }, { isForced });
    expect(await blobs.list('segments/kept/')).toHaveLength(40);
    expect(await blobs.exists('pdfs/set/files/old.pdf')).toBe(true);
  });
});
