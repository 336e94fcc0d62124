import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openRig, type Rig } from '#test/library/rig.ts';
import { onEachDatabase } from '#test/services/database.ts';
import { userRow } from '#test/services/rows.ts';
import { createSettableClock, type SettableClock } from '#test/services/settable-clock.ts';
import { until } from '#test/services/until.ts';
import { JobLease, RunStopped, takeIndexJob } from './job-lease.ts';
import type { JobRow } from './job-store.ts';
import { releaseAllLeases } from './job-store.ts';
import { cancelJob } from './jobs.ts';

const leaseMs = 30_000;

onEachDatabase('the lease of a run', (kind) => {
  async function openParts(): Promise<{ rig: Rig; clock: SettableClock; stopping: AbortController }> {
    const clock = createSettableClock();
    return { rig: await openRig({ kind, clock }), clock, stopping: new AbortController() };
  }

  function hold(rig: Rig, row: JobRow, stopping: AbortController): JobLease {
    const lease = new JobLease(rig.ctx, row, { ...rig.deps, stopping: stopping.signal });
    onTestFinished(() => lease.release());
    return lease;
  }

  async function take(rig: Rig, owner: string, except?: string[]): Promise<JobRow> {
    const row = await takeIndexJob(rig.ctx, owner, except);
    if (row === undefined) throw new Error('no run is waiting');
    return row;
  }

  const account = async (rig: Rig, id: string) => {
    await rig.ctx.db.query.insertInto('users').values(userRow({ id })).execute();
    return rig.as(id);
  };

  const rowOf = (rig: Rig) => rig.ctx.db.query.selectFrom('jobRuns').selectAll().executeTakeFirstOrThrow();

  test('each run is taken by exactly one process, and all runs are taken', async () => {
    const { rig } = await openParts();
    for (const name of ['a', 'b', 'c']) await rig.start(`https://${name}.example/`);
    const owners = ['one', 'two', 'three', 'four', 'five'];
    const taken = await Promise.all(owners.map((owner) => takeIndexJob(rig.ctx, owner)));
    const rows = taken.filter((row) => row !== undefined);
    expect(rows.map(({ slug }) => slug).sort()).toEqual(['a.example', 'b.example', 'c.example']);
    expect(await takeIndexJob(rig.ctx, 'six')).toBeUndefined();
  });

  test('the oldest run that is not excluded is taken first', async () => {
    const { rig, clock } = await openParts();
    const first = await rig.start('https://a.example/');
    clock.advance(1);
    const second = await rig.start('https://b.example/');
    expect(await take(rig, 'one', [first.id])).toMatchObject({ id: second.id });
    expect(await take(rig, 'one')).toMatchObject({ id: first.id, attempt: 1, startTime: clock.now() });
  });

  test('tenants take turns: many runs of one do not delay the first of another', async () => {
    const { rig, clock } = await openParts();
    const [a, b] = [await account(rig, 'ann'), await account(rig, 'ben')];
    const own = { visibility: 'private' } as const;
    for (let at = 0; at < 5; at += 1) await rig.start(`https://a${at}.example/`, own, a);
    clock.advance(10);
    for (let at = 0; at < 2; at += 1) await rig.start(`https://b${at}.example/`, own, b);
    clock.advance(1);
    // The operator's public runs count as a separate tenant.
    await rig.start('https://c.example/');
    const order: string[] = [];
    for (let at = 0; at < 8; at += 1) {
      clock.advance(1);
      order.push((await take(rig, `worker ${at}`)).slug.slice(0, 1));
    }
    expect(order.join('')).toBe('abcabaaa');
    expect(await takeIndexJob(rig.ctx, 'idle')).toBeUndefined();
  });

  test('with a single slot, the tenant that was served last waits', async () => {
    const { rig, clock } = await openParts();
    const own = { visibility: 'private' } as const;
    const [ann, ben] = [await account(rig, 'ann'), await account(rig, 'ben')];
    for (const name of ['a', 'b']) await rig.start(`https://${name}.example/`, own, ann);
    const first = await take(rig, 'one');
    await rig.ctx.db.query.updateTable('jobRuns').set({ status: 'FAILED' }).where('id', '=', first.id).execute();
    clock.advance(1);
    const late = await rig.start('https://late.example/', own, ben);
    expect(await take(rig, 'one')).toMatchObject({ id: late.id });
  });

  test('another process takes a run whose lease has expired, and the first process notices', async () => {
    const { rig, clock, stopping } = await openParts();
    await rig.start('https://a.example/');
    const held = await take(rig, 'one');
    clock.advance(leaseMs - 1);
    expect(await takeIndexJob(rig.ctx, 'two')).toBeUndefined();
    clock.advance(1);
    expect(await take(rig, 'two')).toMatchObject({ leaseOwner: 'two', attempt: 2 });
    const first = hold(rig, held, stopping);
    first.report({ found: 99 });
    expect(await first.write({ status: 'COMPLETE' })).toBe(false);
    expect(first.stopReason()).toBe('lease-lost');
    expect(first.signal.reason).toBeInstanceOf(RunStopped);
    await expect(rig.ctx.db.transaction((tx) => first.confirm(tx))).rejects.toBeInstanceOf(RunStopped);
    expect(await rowOf(rig)).toMatchObject({ leaseOwner: 'two', status: 'QUEUED', found: 0 });
  });

  test('progress is written with the heartbeat, which extends the lease', async () => {
    const { rig, clock, stopping } = await openParts();
    await rig.start('https://a.example/');
    const lease = hold(rig, await take(rig, 'one'), stopping);
    lease.report({ found: 3 });
    lease.report({ fetched: 2 });
    for (let beat = 0; beat < 100; beat += 1) {
      await until('the heart rests', () => clock.sleeperCount > 0);
      clock.advance(500);
    }
    await until(
      'all beats are written',
      async () => ((await rowOf(rig)).leaseUntil ?? 0) >= clock.now() + leaseMs - 500,
    );
    expect(await rowOf(rig)).toMatchObject({ found: 3, fetched: 2, leaseOwner: 'one' });
    expect(await takeIndexJob(rig.ctx, 'two')).toBeUndefined();
    expect(lease.stopReason()).toBeUndefined();
  });

  test('of concurrent writes the last one stays', async () => {
    const { rig, stopping } = await openParts();
    await rig.start('https://a.example/');
    const lease = hold(rig, await take(rig, 'one'), stopping);
    for (let round = 0; round < 20; round += 1) {
      await Promise.all([1, 2, 3, 4, 5, 6].map((fetched) => lease.write({ fetched })));
      expect((await rowOf(rig)).fetched).toBe(6);
    }
  });

  test('a cancellation arrives by the bus, and without it by the heartbeat', async () => {
    for (const isTold of [true, false]) {
      const { rig, clock, stopping } = await openParts();
      const { id: jobId } = await rig.start('https://a.example/');
      const lease = hold(rig, await take(rig, 'one'), stopping);
      const notices = isTold ? rig.notices : { ...rig.notices, cancelRequested: () => undefined };
      expect(await cancelJob(rig.ctx, { jobId }, notices)).toMatchObject({ isCancelled: true, status: 'QUEUED' });
      if (!isTold) {
        await until('the heart rests', () => clock.sleeperCount > 0);
        expect(lease.signal.aborted).toBe(false);
        clock.advance(500);
      }
      await until('the run hears of it', () => lease.signal.aborted);
      expect(lease.stopReason()).toBe('cancelled');
    }
  });

  test('the first reason to stop is kept', async () => {
    const { rig, stopping } = await openParts();
    const { id: jobId } = await rig.start('https://a.example/');
    const lease = hold(rig, await take(rig, 'one'), stopping);
    stopping.abort();
    await cancelJob(rig.ctx, { jobId }, rig.notices);
    expect(lease.stopReason()).toBe('stopping');
    const late = hold(rig, lease.row, stopping);
    expect(late.stopReason()).toBe('stopping');
  });

  test('a run that has ended cannot be written to', async () => {
    const { rig, clock, stopping } = await openParts();
    await rig.start('https://a.example/');
    const lease = hold(rig, await take(rig, 'one'), stopping);
    const over = { status: 'FAILED', endTime: clock.now(), leaseOwner: null, leaseUntil: null } as const;
    expect(await lease.write(over)).toBe(true);
    expect(await lease.write({ status: 'COMPLETE' })).toBe(false);
    expect(await rowOf(rig)).toMatchObject({ status: 'FAILED', leaseOwner: null });
    expect(await takeIndexJob(rig.ctx, 'two')).toBeUndefined();
  });

  test('a heartbeat after the last write does not count the run as lost; a last write to a lost run does', async () => {
    const { rig, clock, stopping } = await openParts();
    await rig.start('https://a.example/');
    const lease = hold(rig, await take(rig, 'one'), stopping);
    const over = { status: 'COMPLETE', endTime: clock.now(), leaseOwner: null, leaseUntil: null } as const;
    const ended = lease.write(over);
    const beat = lease.write({});
    expect(await ended).toBe(true);
    await beat;
    expect(await lease.write({})).toBe(false);
    expect(lease.stopReason()).toBeUndefined();
    const other = hold(rig, lease.row, stopping);
    expect(await other.write(over)).toBe(false);
    expect(other.stopReason()).toBe('lease-lost');
  });

  test('the owner of the data folder releases the leases of earlier processes', async () => {
    const { rig, clock } = await openParts();
    await rig.start('https://a.example/');
    await take(rig, 'one');
    await releaseAllLeases(rig.ctx.db.query, clock.now());
    expect(await take(rig, 'two')).toMatchObject({ leaseOwner: 'two', attempt: 2 });
  });
});

test('a run survives a brief database write failure but not a lasting one', async () => {
  const clock = createSettableClock();
  const rig = await openRig({ clock });
  await rig.start('https://a.example/');
  const row = await takeIndexJob(rig.ctx, 'one');
  if (row === undefined) throw new Error('no run is waiting');
  const lease = new JobLease(rig.ctx, row, { ...rig.deps, stopping: new AbortController().signal });
  onTestFinished(() => lease.release());
  const beat = async () => {
    await until('the heart rests', () => clock.sleeperCount > 0);
    clock.advance(500);
    await until('it has beaten', () => clock.sleeperCount > 0 || lease.signal.aborted);
  };
  lease.report({ found: 5 });
  await sql`pragma query_only = 1`.execute(rig.ctx.db.query);
  await beat();
  await beat();
  expect(lease.signal.aborted).toBe(false);
  await sql`pragma query_only = 0`.execute(rig.ctx.db.query);
  await beat();
  const read = () => rig.ctx.db.query.selectFrom('jobRuns').selectAll().executeTakeFirstOrThrow();
  await until('what was reported meanwhile is written', async () => (await read()).found === 5);
  await sql`pragma query_only = 1`.execute(rig.ctx.db.query);
  for (let beats = 0; beats < 70 && !lease.signal.aborted; beats += 1) await beat();
  expect(lease.stopReason()).toBe('lease-lost');
});
