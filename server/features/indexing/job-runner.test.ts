import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type Clock, systemClock } from '#server/platform/clock.ts';
import { openRig, type Rig } from '#test/library/rig.ts';
import { type SampleSite, startSampleSite } from '#test/library/sample-site.ts';
import { userRow } from '#test/services/rows.ts';
import { actingInTeam, sampleTeam } from '#test/services/sample-team.ts';
import { createSettableClock } from '#test/services/settable-clock.ts';
import { until } from '#test/services/until.ts';
import { startScheduledJobs } from '../scheduled-jobs.ts';
import { takeIndexJob } from './job-lease.ts';
import { type JobRunner, longRunMs, slowRunMs, startJobRunner, turnMs } from './job-runner.ts';
import { getQueueFigures } from './job-store.ts';
import { cancelJob, getJob } from './jobs.ts';
import { topics } from './notices.ts';
import { sweepJobs } from './open-indexing.ts';

async function openParts(options: { clock?: Clock; atOnce?: number } = {}) {
  const sites = await Promise.all([1, 2, 3].map(() => startSampleSite(2)));
  onTestFinished(async () => {
    await Promise.all(sites.map((site) => site.close()));
  });
  const clock = options.clock ?? systemClock;
  const rig = await openRig({ clock, allowHosts: sites.map(({ host }) => host) });
  const start = (): JobRunner => {
    const runner = startJobRunner(rig.ctx, rig.deps, { owner: 'process', atOnce: options.atOnce ?? 2 });
    const stopListening = rig.bus.subscribe(topics.queued, () => runner.wake());
    onTestFinished(async () => {
      stopListening();
      await runner.stop();
    });
    return runner;
  };
  return { rig, sites, start };
}

function hold(site: SampleSite, page?: string): { letGo(): void; wasAsked(): boolean } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let wasAsked = false;
  site.onRequest = (name) => {
    if (page !== undefined && name !== page) return undefined;
    wasAsked = true;
    return promise;
  };
  return { letGo: resolve, wasAsked: () => wasAsked };
}

const statusOf = async (rig: Rig, jobId: string) => (await getJob(rig.ctx, { jobId })).status;

test('all runs are executed, queued before or after the start, two at a time', async () => {
  const { rig, sites, start } = await openParts();
  const holds = sites.map((site) => hold(site));
  const [first, second, third] = sites as [SampleSite, SampleSite, SampleSite];
  const jobs = [await rig.start(first.url)];
  start();
  jobs.push(await rig.start(second.url), await rig.start(third.url));
  await until('two runs are in progress', () => holds.filter(({ wasAsked }) => wasAsked()).length === 2);
  expect(await Promise.all(jobs.map(({ id }) => statusOf(rig, id)))).toEqual(['CRAWLING', 'CRAWLING', 'QUEUED']);
  holds[0]?.letGo();
  await until('the third run has begun', () => holds[2]?.wasAsked());
  holds[1]?.letGo();
  holds[2]?.letGo();
  for (const { id } of jobs) await until('it is done', async () => (await statusOf(rig, id)) === 'COMPLETE');
});

test('a stopped runner releases its runs and takes no more; the next runner continues them', async () => {
  const { rig, sites, start } = await openParts({ atOnce: 1 });
  const held = hold(sites[0] as SampleSite);
  const runner = start();
  const [first, second] = [await rig.start(sites[0]?.url ?? ''), await rig.start(sites[1]?.url ?? '')];
  await until('the first run is in progress', held.wasAsked);
  await runner.stop();
  const rows = await rig.ctx.db.query.selectFrom('jobRuns').selectAll().orderBy('createdAt').orderBy('id').execute();
  expect(rows.map(({ leaseOwner, attempt }) => [leaseOwner, attempt])).toEqual([
    [null, 0],
    [null, 0],
  ]);
  runner.wake();
  held.letGo();
  (sites[0] as SampleSite).onRequest = undefined;
  start();
  for (const { id } of [first, second]) await until('it is done', async () => (await statusOf(rig, id)) === 'COMPLETE');
});

test('a long run does not take slots from tenants without one and continues', async () => {
  const clock = createSettableClock(Date.now());
  const { rig, sites, start } = await openParts({ clock, atOnce: 1 });
  for (const id of ['ann', 'ben']) await rig.ctx.db.query.insertInto('users').values(userRow({ id })).execute();
  const [slow, quick, other] = sites as [SampleSite, SampleSite, SampleSite];
  const held = hold(slow);
  const own = { visibility: 'private' } as const;
  const runner = start();
  const ofAnn = await rig.start(slow.url, own, rig.as('ann'));
  await until('the slow crawl is in progress', held.wasAsked);
  const statusOfRow = async (jobId: string) =>
    (await rig.ctx.db.query.selectFrom('jobRuns').select('status').where('id', '=', jobId).executeTakeFirstOrThrow())
      .status;
  const second = await rig.start(other.url, own, rig.as('ann'));
  const ofBen = await rig.start(quick.url, own, rig.as('ben'));
  const isDone = async (jobId: string) => {
    clock.advance(500);
    runner.wake();
    return (await statusOfRow(jobId)) === 'COMPLETE';
  };
  expect(await isDone(ofBen.id)).toBe(false);
  expect(await statusOfRow(ofBen.id)).toBe('QUEUED');
  clock.advance(longRunMs);
  await until('that of the other tenant is done', () => isDone(ofBen.id));
  expect([await statusOfRow(ofAnn.id), await statusOfRow(second.id)]).toEqual(['CRAWLING', 'QUEUED']);
  held.letGo();
  for (const { id } of [ofAnn, second]) await until('it is done', () => isDone(id));
});

test('a run that waits for its site frees its slot after 30 s, but not for the same user in another workspace', async () => {
  const clock = createSettableClock(Date.now());
  const { rig, sites, start } = await openParts({ clock, atOnce: 1 });
  const teamId = await sampleTeam(rig.ctx.db, { members: { ann: 'admin' } });
  await rig.ctx.db.query
    .insertInto('users')
    .values(userRow({ id: 'ben' }))
    .execute();
  const [slow, other, quick] = sites as [SampleSite, SampleSite, SampleSite];
  const held = hold(slow);
  const own = { visibility: 'private' } as const;
  const runner = start();
  const statusOfRow = async ({ id }: { id: string }) =>
    (await rig.ctx.db.query.selectFrom('jobRuns').select('status').where('id', '=', id).executeTakeFirstOrThrow())
      .status;
  const look = async (one: { id: string }) => {
    clock.advance(500);
    runner.wake();
    return statusOfRow(one);
  };
  await rig.start(slow.url, own, rig.as('ann'));
  await until('the slow crawl is in progress', held.wasAsked);
  const ofTeam = await rig.start(other.url, own, await actingInTeam(rig.ctx, 'ann', teamId));
  clock.advance(slowRunMs);
  for (let looks = 0; looks < 5; looks += 1) {
    expect(await look(ofTeam)).toBe('QUEUED');
    await pause(50);
  }
  const ofBen = await rig.start(quick.url, own, rig.as('ben'));
  await until('that of the other user is done', async () => (await look(ofBen)) === 'COMPLETE');
  expect(await look(ofTeam)).toBe('QUEUED');
  held.letGo();
  await until('it is done', async () => (await look(ofTeam)) === 'COMPLETE');
});

test('a tenant with two runs in progress does not hold up the first run of another', async () => {
  const { rig, sites, start } = await openParts();
  for (const id of ['ann', 'ben']) await rig.ctx.db.query.insertInto('users').values(userRow({ id })).execute();
  const [slow, slower, quick] = sites as [SampleSite, SampleSite, SampleSite];
  const holds = [hold(slow), hold(slower)];
  const own = { visibility: 'private' } as const;
  start();
  const ofAnn = [await rig.start(slow.url, own, rig.as('ann')), await rig.start(slower.url, own, rig.as('ann'))];
  await until('both crawls are in progress', () => holds.every(({ wasAsked }) => wasAsked()));
  const third = await rig.start(quick.url, own, rig.as('ann'));
  const ofBen = await rig.start(quick.url, own, rig.as('ben'));
  const statusOfRow = async ({ id }: { id: string }) =>
    (await rig.ctx.db.query.selectFrom('jobRuns').select('status').where('id', '=', id).executeTakeFirstOrThrow())
      .status;
  await until('that of the other tenant is done', async () => (await statusOfRow(ofBen)) === 'COMPLETE');
  expect(await Promise.all([...ofAnn, third].map(statusOfRow))).toEqual(['CRAWLING', 'CRAWLING', 'QUEUED']);
  for (const { letGo } of holds) letGo();
  for (const one of [...ofAnn, third]) await until('it is done', async () => (await statusOfRow(one)) === 'COMPLETE');
});

test('long runs that hold every slot take turns with tenants that have none, and continue', async () => {
  const clock = createSettableClock(Date.now());
  const { rig, sites, start } = await openParts({ clock, atOnce: 1 });
  for (const id of ['ann', 'ben', 'cat']) await rig.ctx.db.query.insertInto('users').values(userRow({ id })).execute();
  const [slow, slower, quick] = sites as [SampleSite, SampleSite, SampleSite];
  const [held, heldLonger] = [hold(slow, 'page1'), hold(slower)];
  const own = { visibility: 'private' } as const;
  const ofAnn = await rig.start(slow.url, own, rig.as('ann'));
  // From an earlier attempt, which failed at more pages than this one reads.
  await rig.ctx.db.query.updateTable('jobRuns').set({ failed: 1_000 }).where('id', '=', ofAnn.id).execute();
  const runner = start();
  const rowOf = (jobId: string) =>
    rig.ctx.db.query.selectFrom('jobRuns').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow();
  const pass = (ms: number) => {
    clock.advance(ms);
    runner.wake();
  };
  const isDone = async (jobId: string) => {
    pass(500);
    return (await rowOf(jobId)).status === 'COMPLETE';
  };
  await until('the slow crawl is in progress', () => {
    pass(500);
    return held.wasAsked();
  });
  const ofBen = await rig.start(slower.url, own, rig.as('ben'));
  clock.advance(turnMs);
  await until('the slower one is in progress', () => {
    pass(500);
    return heldLonger.wasAsked();
  });
  const ofCat = await rig.start(quick.url, own, rig.as('cat'));
  // Without the long run there would be one slot, which the other run holds.
  for (let look = 0; look < 5; look += 1) {
    expect(await isDone(ofCat.id)).toBe(false);
    await pause(50);
    expect((await rowOf(ofAnn.id)).leaseOwner).not.toBeNull();
  }
  clock.advance(longRunMs);
  await until('that of the third tenant is done', () => isDone(ofCat.id));
  expect((await rowOf(ofBen.id)).status).toBe('CRAWLING');
  held.letGo();
  heldLonger.letGo();
  for (const { id } of [ofAnn, ofBen]) await until('it is done', () => isDone(id));
  expect((await rowOf(ofAnn.id)).attempt).toBe(1);
});

test('among long runs that hold every slot, one that has read nothing yet keeps its slot', async () => {
  const clock = createSettableClock(Date.now());
  const { rig, sites, start } = await openParts({ clock, atOnce: 1 });
  for (const id of ['ann', 'ben', 'cat']) await rig.ctx.db.query.insertInto('users').values(userRow({ id })).execute();
  const [slow, slower, quick] = sites as [SampleSite, SampleSite, SampleSite];
  const [held, heldLonger] = [hold(slow), hold(slower, 'page1')];
  const own = { visibility: 'private' } as const;
  const runner = start();
  const rowOf = (jobId: string) =>
    rig.ctx.db.query.selectFrom('jobRuns').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow();
  const after = (isTrue: () => unknown) => () => {
    clock.advance(500);
    runner.wake();
    return isTrue();
  };
  const ofAnn = await rig.start(slow.url, own, rig.as('ann'));
  await until('the slow crawl is in progress', held.wasAsked);
  const { leaseOwner } = await rowOf(ofAnn.id);
  const ofBen = await rig.start(slower.url, own, rig.as('ben'));
  clock.advance(turnMs);
  await until('the slower one is in progress', after(heldLonger.wasAsked));
  const ofCat = await rig.start(quick.url, own, rig.as('cat'));
  clock.advance(turnMs);
  const isDone = async (jobId: string) => (await rowOf(jobId)).status === 'COMPLETE';
  await until(
    'that of the third tenant is done',
    after(() => isDone(ofCat.id)),
  );
  expect(await rowOf(ofAnn.id)).toMatchObject({ leaseOwner, fetched: 0 });
  held.letGo();
  heldLonger.letGo();
  for (const { id } of [ofAnn, ofBen])
    await until(
      'it is done',
      after(() => isDone(id)),
    );
});

test('a run that yielded its slot waits behind tenants that were served before it', async () => {
  const { rig, sites } = await openParts();
  for (const id of ['ann', 'ben']) await rig.ctx.db.query.insertInto('users').values(userRow({ id })).execute();
  const [first, second, third] = sites as [SampleSite, SampleSite, SampleSite];
  const own = { visibility: 'private' } as const;
  const ofAnn = await rig.start(first.url, own, rig.as('ann'));
  const ofBen = await rig.start(second.url, own, rig.as('ben'));
  const change = (id: string, row: object) =>
    rig.ctx.db.query.updateTable('jobRuns').set(row).where('id', '=', id).execute();
  await change(ofAnn.id, { startTime: 1_000, leaseUntil: 3_000 });
  await change(ofBen.id, { startTime: 2_000, status: 'COMPLETE' });
  const next = await rig.start(third.url, own, rig.as('ben'));
  expect(await takeIndexJob(rig.ctx, 'process')).toMatchObject({ id: next.id });
});

test('a run whose lease expired during sleep is not started again by the process that still runs it', async () => {
  const clock = createSettableClock(Date.now());
  const { rig, sites, start } = await openParts({ clock });
  const [first, second] = sites as [SampleSite, SampleSite];
  const [held, next] = [hold(first), hold(second)];
  start();
  const { id } = await rig.start(first.url);
  await until('the run is in progress', held.wasAsked);
  await rig.ctx.db.query.updateTable('jobRuns').set({ leaseUntil: 1 }).execute();
  clock.advance(1);
  await rig.start(second.url);
  await until('the runner has looked for work', next.wasAsked);
  const [row] = await rig.ctx.db.query.selectFrom('jobRuns').selectAll().where('id', '=', id).execute();
  expect(row).toMatchObject({ attempt: 1, status: 'CRAWLING', leaseUntil: 1 });
  await cancelJob(rig.ctx, { jobId: id }, rig.notices);
  held.letGo();
  next.letGo();
  await until('the run has ended', async () => (await statusOf(rig, id)) === 'FAILED');
});

test('a run whose process died while the clock was a month ahead is resumed once the clock is right', async () => {
  const clock = createSettableClock();
  const rightAt = clock.now();
  const { rig, sites } = await openParts({ clock });
  const { id } = await rig.start(sites[0]?.url ?? '');
  clock.advance(30 * 86_400_000);
  expect((await takeIndexJob(rig.ctx, 'one that dies'))?.id).toBe(id);
  clock.set(rightAt);
  expect(await getQueueFigures(rig.ctx)).toMatchObject({ waiting: 1, running: 0 });
  expect((await takeIndexJob(rig.ctx, 'another'))?.id).toBe(id);
  // The clocks of two processes may differ by minutes.
  clock.set(rightAt - 60_000);
  expect(await takeIndexJob(rig.ctx, 'a third')).toBeUndefined();
});

test('space of deleted data is freed soon after, without any run', async () => {
  const clock = createSettableClock(Date.now());
  const { rig } = await openParts({ clock });
  await rig.blobs.put('segments/gone/a.seg', Buffer.from('x'));
  const row = { id: 'a', moduleId: 'gone', blobKey: 'segments/gone/a.seg', createdAt: 0, droppedAt: clock.now() };
  await rig.ctx.db.query.insertInto('segments').values(row).execute();
  const jobs = startScheduledJobs(rig.ctx, sweepJobs(rig.deps));
  onTestFinished(() => jobs.stop());
  for (let minute = 0; minute < 2; minute += 1) {
    await until('both jobs sleep', () => clock.sleeperCount === 2);
    expect(await rig.blobKeys()).toEqual(['segments/gone/a.seg']);
    clock.advance(60_000);
  }
  await until('the blob is gone', async () => (await rig.blobKeys()).length === 0);
});
