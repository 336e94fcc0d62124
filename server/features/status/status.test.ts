import { expect, test } from 'vitest';
import { BlobError } from '#server/platform/blobs/blobs.ts';
import { openBlobs } from '#server/platform/blobs/index.ts';
import { guardBlobs } from '#server/platform/blobs/trash.ts';
import { DatabaseError } from '#server/platform/db/database-error.ts';
import { freshDatabase, onEachDatabase } from '#test/services/database.ts';
import { moduleRow, userRow } from '#test/services/rows.ts';
import { samplingOf, statusOf, visitorOf } from '#test/services/sample-measuring.ts';
import { temporaryFolder } from '#test/services/temporary-folder.ts';
import { createAnswerCache } from './answer-cache.ts';
import { getStatus, getStatusHistory } from './get-status.ts';
import { getStatusLatency } from './get-status-latency.ts';
import { measureStatus, type Probe, partValues } from './measure-status.ts';
import { filesProbe } from './probes.ts';
import { pruneStatus } from './prune-status.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const failing = (part: Probe['part']): Probe => ({
  part,
  run: async () => {
    throw new Error('connect ECONNREFUSED db.internal.example:5432');
  },
});

onEachDatabase('the status', (kind) => {
  test('an installation without measurements has the state unknown', async () => {
    const ctx = visitorOf(await freshDatabase(kind));
    const report = await getStatus(ctx, statusOf(samplingOf(ctx, 'a')));
    expect(report).toMatchObject({
      state: 'unknown',
      measuredAt: null,
      queue: { waiting: 0, running: 0 },
      incidents: [],
    });
    expect(new Set(report.checks.map(({ state }) => state))).toEqual(new Set(['unknown']));
    const { since, parts } = await getStatusHistory(ctx, statusOf(samplingOf(ctx, 'a')));
    expect(since).toBeNull();
    expect(parts.map(({ uptime, days }) => [uptime, days.length, days.at(-1)?.state])).toEqual(
      parts.map(() => [null, 90, 'unknown']),
    );
  });

  test('a failing part brings the whole down if essential, otherwise degrades it', async () => {
    const ctx = visitorOf(await freshDatabase(kind));
    const states = async (probes: Probe[]) => {
      const sampling = samplingOf(ctx, 'a', probes);
      ctx.clock.advance(hourMs);
      await measureStatus(ctx, sampling);
      return (await getStatus(ctx, statusOf(sampling))).state;
    };
    expect(await states([])).toBe('operational');
    expect(await states([failing('files')])).toBe('down');
    expect(await states([failing('mail')])).toBe('degraded');
    expect(await states([{ part: 'jobs', run: async () => 'impaired' }])).toBe('degraded');
  });

  test('an outage of any essential part shows within a minute', async () => {
    const ctx = visitorOf(await freshDatabase(kind));
    ctx.clock.advance(hourMs - (ctx.clock.now() % hourMs));
    for (const part of ['search', 'database', 'files'] as const) {
      const sampling = samplingOf(ctx, part);
      const look = async () => {
        await measureStatus(ctx, sampling);
        return (await getStatus(ctx, statusOf(sampling))).state;
      };
      expect(await look()).toBe('operational');
      ctx.clock.advance(minuteMs);
      sampling.probes = samplingOf(ctx, part, [failing(part)]).probes;
      expect([part, await look()]).toEqual([part, 'down']);
      ctx.clock.advance(hourMs);
    }
  });

  test('a search that could not be checked makes the whole unknown only if modules are indexed', async () => {
    const ctx = visitorOf(await freshDatabase(kind));
    const sampling = samplingOf(ctx, 'a', [{ part: 'search', run: async () => 'skipped' }]);
    await measureStatus(ctx, sampling);
    expect((await getStatus(ctx, statusOf(sampling))).state).toBe('operational');
    await ctx.db.query
      .insertInto('modules')
      .values(moduleRow({ id: 'm', lastUpdatedAt: 5 }))
      .execute();
    expect((await getStatus(ctx, statusOf(sampling))).state).toBe('unknown');
  });

  test('a recovered part shows as up within a minute, and its failures count as often as other checks', async () => {
    const ctx = visitorOf(await freshDatabase(kind));
    let isAway = true;
    const mail: Probe = {
      part: 'mail',
      run: async () => {
        if (isAway) throw new Error('full');
        return 'good';
      },
    };
    const sampling = samplingOf(ctx, 'a', [mail]);
    const look = async () => {
      await measureStatus(ctx, sampling);
      const { checks } = await getStatus(ctx, statusOf(sampling));
      ctx.clock.advance(minuteMs);
      return checks.find(({ part }) => part === 'mail')?.state;
    };
    ctx.clock.advance(15 * minuteMs - (ctx.clock.now() % (15 * minuteMs)));
    expect([await look(), await look()]).toEqual(['down', 'down']);
    isAway = false;
    expect(await look()).toBe('operational');
    const rows = await ctx.db.query
      .selectFrom('statusSamples')
      .select(['good', 'bad'])
      .where('part', '=', 'mail')
      .execute();
    expect(rows).toEqual([
      { good: 0, bad: 1 },
      { good: 1, bad: 0 },
    ]);
  });

  test('a part failing in one of two processes is degraded, and an ended process no longer counts', async () => {
    const ctx = visitorOf(await freshDatabase(kind));
    const [well, ill] = [samplingOf(ctx, 'a'), samplingOf(ctx, 'b', [failing('files')])];
    await Promise.all([measureStatus(ctx, well), measureStatus(ctx, ill)]);
    const stateOf = async (part: string) =>
      (await getStatus(ctx, statusOf(well))).checks.find((check) => check.part === part)?.state;
    expect(await stateOf('files')).toBe('degraded');
    expect(await stateOf('database')).toBe('operational');
    ctx.clock.advance(5 * minuteMs);
    await measureStatus(ctx, well);
    expect(await stateOf('files')).toBe('operational');
  });

  test('a web-only process reports jobs as down or unknown without workers, never as operational', async () => {
    const ctx = visitorOf(await freshDatabase(kind));
    const worker = samplingOf(ctx, 'worker');
    const whole = samplingOf(ctx, 'pages');
    const pages = {
      ...whole,
      probes: whole.probes.filter(({ part }) => part !== 'jobs'),
      elsewhere: ['jobs'] as const,
    };
    const look = async () => {
      await measureStatus(ctx, pages);
      const { state, checks } = await getStatus(ctx, statusOf(pages));
      return [state, checks.find(({ part }) => part === 'jobs')?.state];
    };
    await measureStatus(ctx, worker);
    expect(await look()).toEqual(['operational', 'operational']);
    // The workers are killed.
    ctx.clock.advance(5 * minuteMs);
    expect(await look()).toEqual(['unknown', 'unknown']);
    const createdAt = ctx.clock.now();
    await ctx.db.query
      .insertInto('users')
      .values(userRow({ id: 'ann' }))
      .execute();
    const run = { id: 'j', moduleId: null, slug: 'm', displayName: 'M', url: 'https://m.example/', settings: '{}' };
    const waiting = {
      ...{ ...run, kind: 'site' as const, workspace: 'public' as const, status: 'QUEUED' as const },
      ...{ createdAt, updatedAt: createdAt, startedByUserId: 'ann' },
    };
    await ctx.db.query.insertInto('jobRuns').values(waiting).execute();
    ctx.clock.advance(20 * minuteMs);
    expect(await look()).toEqual(['degraded', 'down']);
    await measureStatus(ctx, worker);
    expect((await look())[1]).toBe('operational');
  });

  test('several failed user searches outweigh a successful check', async () => {
    const ctx = visitorOf(await freshDatabase(kind));
    const sampling = samplingOf(ctx, 'a');
    const failed = async (times: number) => {
      for (let call = 0; call < times; call += 1) sampling.latency.record('search', 5, true);
      await measureStatus(ctx, sampling);
      return (await getStatus(ctx, statusOf(sampling))).state;
    };
    expect(await failed(2)).toBe('operational');
    ctx.clock.advance(minuteMs);
    expect(await failed(3)).toBe('down');
    ctx.clock.advance(minuteMs);
    for (let call = 0; call < 9; call += 1) sampling.latency.record('search', 5, false);
    expect(await failed(3)).toBe('degraded');
    ctx.clock.advance(minuteMs);
    expect(await failed(0)).toBe('operational');
  });

  test('an outage shows even if it cannot be stored, and an unwritable database counts as down', async () => {
    const ctx = visitorOf(await freshDatabase(kind));
    const sampling = samplingOf(ctx, 'a', [failing('files')]);
    const full = () => Promise.reject(new Error('ENOSPC: no space left on device'));
    const unwritable = { ...ctx, db: { ...ctx.db, query: ctx.db.query, transaction: full } };
    await measureStatus(unwritable, sampling);
    const { state, checks } = await getStatus(ctx, statusOf(sampling));
    const stateOf = (name: string) => checks.find(({ part }) => part === name)?.state;
    expect([state, stateOf('files'), stateOf('database')]).toEqual(['down', 'down', 'down']);
    expect(Object.fromEntries(partValues(sampling))).toMatchObject({ files: 0, database: 0, search: 1 });
  });

  test('without the database it shows the last state this process saw and the known incidents', async () => {
    const ctx = visitorOf(await freshDatabase(kind));
    const sampling = samplingOf(ctx, 'a');
    await measureStatus(ctx, sampling);
    await getStatus(ctx, statusOf(sampling));
    await ctx.db.close();
    const { state, checks } = await getStatus(ctx, statusOf(sampling));
    expect(state).toBe('down');
    expect(Object.fromEntries(checks.map((check) => [check.part, check.state]))).toMatchObject({
      ...{ database: 'down', files: 'operational', search: 'operational' },
    });
  });

  test('samples of the same minute add up across processes and repetitions', async () => {
    const ctx = visitorOf(await freshDatabase(kind));
    const processes = ['a', 'b', 'c'].map((process) => samplingOf(ctx, process));
    for (const sampling of processes) sampling.latency.record('search', 12, false);
    await Promise.all(processes.map((sampling) => measureStatus(ctx, sampling)));
    // The clock is set back, and the same minute is measured again.
    ctx.clock.advance(minuteMs);
    ctx.clock.set(ctx.clock.now() - minuteMs);
    await Promise.all(processes.map((sampling) => measureStatus(ctx, sampling)));
    const [first] = processes;
    if (first === undefined) throw new Error('no process');
    const { parts } = await getStatusHistory(ctx, statusOf(first));
    const today = parts.find(({ part }) => part === 'database')?.days.at(-1);
    expect(today).toMatchObject({ checks: 6, failed: 0, state: 'operational' });
    expect((await getStatusLatency(ctx, { range: '24h' }, statusOf(first))).total.search).toMatchObject({ calls: 3 });
  });

  test('time without measurements is a gap, neither up nor down', async () => {
    const ctx = visitorOf(await freshDatabase(kind));
    const sampling = samplingOf(ctx, 'a');
    await measureStatus(ctx, sampling);
    ctx.clock.advance(2 * dayMs + 12 * hourMs);
    expect((await getStatus(ctx, statusOf(sampling))).state).toBe('unknown');
    await measureStatus(ctx, sampling);
    const { parts } = await getStatusHistory(ctx, statusOf(sampling));
    const days = parts.find(({ part }) => part === 'database')?.days.slice(-3) ?? [];
    expect(days.map(({ state }) => state)).toEqual(['operational', 'unknown', 'operational']);
    expect(days[0]?.measured).toBeCloseTo(1 / 1440);
    expect(days[1]).toMatchObject({ measured: 0, checks: 0 });
  });

  test('samples written by a clock that was ahead are ignored and deleted', async () => {
    const ctx = visitorOf(await freshDatabase(kind));
    const start = ctx.clock.now();
    ctx.clock.set(start + 10 * dayMs);
    const ahead = samplingOf(ctx, 'a', [failing('database')]);
    await measureStatus(ctx, ahead);
    ctx.clock.set(start);
    const sampling = samplingOf(ctx, 'b');
    await measureStatus(ctx, sampling);
    expect((await getStatus(ctx, statusOf(sampling))).state).toBe('operational');
    await pruneStatus(ctx);
    const rows = await ctx.db.query.selectFrom('statusSamples').select('process').execute();
    expect(new Set(rows.map(({ process }) => process))).toEqual(new Set(['b']));
  });

  test('minutes become hours after two days, are deleted after ninety, and nothing is counted twice', async () => {
    const ctx = visitorOf(await freshDatabase(kind));
    const sampling = samplingOf(ctx, 'a');
    for (let minute = 0; minute < 90; minute += 1) {
      sampling.latency.record('search', 12, minute === 0);
      await measureStatus(ctx, sampling);
      ctx.clock.advance(minuteMs);
    }
    const status = statusOf(sampling);
    const figures = async () => {
      const { parts } = await getStatusHistory(ctx, status);
      const days = parts.find(({ part }) => part === 'database')?.days ?? [];
      const day = days.find(({ checks }) => checks > 0);
      return [day?.checks, day?.measured, (await getStatusLatency(ctx, { range: '90d' }, status)).total.search];
    };
    const expected = [90, 90 / 1440, expect.objectContaining({ calls: 90, errors: 1 })];
    ctx.clock.advance(3 * dayMs);
    expect(await figures()).toEqual(expected);
    // Two processes concurrently.
    await Promise.all([pruneStatus(ctx), pruneStatus(ctx)]);
    const rows = await ctx.db.query
      .selectFrom('statusSamples')
      .select(['resolution', 'minutes'])
      .where('part', '=', 'database')
      .orderBy('at')
      .execute();
    expect(rows).toEqual([
      { resolution: 'hour', minutes: 60 },
      { resolution: 'hour', minutes: 30 },
    ]);
    expect(await figures()).toEqual(expected);
    ctx.clock.advance(90 * dayMs);
    await pruneStatus(ctx);
    for (const table of ['statusSamples', 'statusLatency'] as const)
      expect(await ctx.db.query.selectFrom(table).selectAll().execute()).toEqual([]);
  });

  test('results from an outage of the database are written afterwards', async () => {
    const ctx = visitorOf(await freshDatabase(kind));
    const sampling = samplingOf(ctx, 'a');
    const away = {
      ...ctx,
      db: {
        ...ctx.db,
        get query(): never {
          throw new Error('the database is away');
        },
        transaction: () => Promise.reject(new Error('the database is away')),
      },
    };
    sampling.latency.record('read', 30, false);
    await measureStatus(away, sampling);
    const report = await getStatus(away, statusOf(sampling));
    expect(report).toMatchObject({ state: 'down', queue: null, index: null });
    expect(report.checks.find(({ part }) => part === 'database')?.state).toBe('down');
    expect(JSON.stringify(report)).not.toContain('away');
    ctx.clock.advance(minuteMs);
    await measureStatus(ctx, sampling);
    const { parts } = await getStatusHistory(ctx, statusOf(sampling));
    expect(parts.find(({ part }) => part === 'database')?.days.at(-1)).toMatchObject({ checks: 2, failed: 1 });
    expect((await getStatusLatency(ctx, { range: '24h' }, statusOf(sampling))).total.read.calls).toBe(1);
  });

  test('a check that hangs fails after ten seconds', async () => {
    const ctx = visitorOf(await freshDatabase(kind));
    const sampling = samplingOf(ctx, 'a', [{ part: 'mail', run: () => new Promise(() => undefined) }]);
    const sampled = measureStatus(ctx, sampling);
    ctx.clock.advance(10_000);
    await sampled;
    const { checks } = await getStatus(ctx, statusOf(sampling));
    expect(checks.find(({ part }) => part === 'mail')?.state).toBe('down');
  });

  test('responses are cached for a while, and no longer if the clock is set back', async () => {
    const ctx = visitorOf(await freshDatabase(kind));
    const sampling = samplingOf(ctx, 'a');
    const status = { sampling, cache: createAnswerCache(15_000) };
    ctx.clock.advance(5_000);
    expect((await getStatus(ctx, status)).state).toBe('unknown');
    await measureStatus(ctx, sampling);
    expect((await getStatus(ctx, status)).state).toBe('unknown');
    ctx.clock.set(ctx.clock.now() - 1_000);
    await measureStatus(ctx, sampling);
    expect((await getStatus(ctx, status)).state).toBe('operational');
  });

  test('it names the newest public modules and no private ones', async () => {
    const ctx = visitorOf(await freshDatabase(kind));
    const rows = [
      moduleRow({ id: 'open', displayName: 'Open docs', lastUpdatedAt: 7 }),
      moduleRow({ id: 'unfinished', displayName: 'Never served' }),
      moduleRow({ id: 'secret-plans', displayName: 'Secret plans', workspace: 'user:anna', lastUpdatedAt: 9 }),
    ];
    await ctx.db.query.insertInto('modules').values(rows).execute();
    const report = await getStatus(ctx, statusOf(samplingOf(ctx, 'a')));
    expect(report.index).toEqual({
      modules: 1,
      lastIndexedAt: 7,
      latest: [{ moduleId: 'open', displayName: 'Open docs', lastUpdatedAt: 7 }],
    });
  });
});

test('a file store is operational even if the database cannot say whether files may be deleted', async () => {
  const ctx = visitorOf(await freshDatabase('sqlite'));
  const store = await openBlobs({ kind: 'folder', folder: temporaryFolder() });
  const probeAfter = (fault: Error) =>
    filesProbe(
      guardBlobs(store, () => Promise.reject(fault)),
      'a',
    ).run(ctx);
  expect(await probeAfter(new DatabaseError('unreachable', 'connect ECONNREFUSED'))).toBe('good');
  await expect(probeAfter(new BlobError('unreachable', 'connect ECONNREFUSED'))).rejects.toThrow(BlobError);
});
