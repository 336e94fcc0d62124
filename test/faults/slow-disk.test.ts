import { expect, onTestFinished, test } from 'vitest';
import { keyEndpoints } from '#contract/keys.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { startSampleSite } from '../library/sample-site.ts';
import { newDataFolder, type ServerProcess, startServerProcess } from '../library/server-process.ts';
import { openSlowDisk, type SlowDisk } from '../services/slow-disk.ts';
import { until } from '../services/until.ts';

const waitMs = 120_000;
const isWhole = process.env['LECTERN_FAULTS'] === 'all';
/** Each search writes at least twice: enough for several checkpoints of the database's log. */
const searches = 400;

interface Rig {
  disk: SlowDisk;
  server: ServerProcess;
  /** Searches as a paying user, so that each search is written to disk; returns its duration. */
  search(words: string): Promise<number>;
}

async function openRig(disk: SlowDisk): Promise<Rig> {
  const site = await startSampleSite(6);
  onTestFinished(() => site.close());
  const environment = { ...disk.environment, LECTERN_PARSE_WORKERS: '1' };
  const server = await startServerProcess(newDataFolder(), site.host, environment);
  onTestFinished(async () => {
    disk.free();
    await server.kill();
  });
  const source = { source: site.url, moduleId: 'sample', visibility: 'public' as const };
  const { job } = await server.call(libraryEndpoints.startIndexJob, source);
  const ended = async () => (await server.call(libraryEndpoints.getJob, { jobId: job.id })).job.status === 'COMPLETE';
  await until('the site is indexed', ended, waitMs);
  const { secret } = await server.call(keyEndpoints.createKey, { name: 'loom' });
  const search = async (words: string) => {
    const begun = performance.now();
    const answer = await fetch(`${server.url}/api/search?query=${encodeURIComponent(words)}`, {
      headers: { authorization: `Bearer ${secret}` },
      signal: AbortSignal.timeout(waitMs),
    });
    await answer.arrayBuffer();
    expect(answer.status).toBe(200);
    return performance.now() - begun;
  };
  return { disk, server, search };
}

test('a hanging disk delays only the calls that must wait for it, and no search', {
  timeout: 300_000,
}, async (context) => {
  const disk = openSlowDisk();
  if (disk === undefined) return context.skip();
  const { server, search } = await openRig(disk);
  disk.hold();
  let isAcknowledged = false;
  const created = server.call(keyEndpoints.createKey, { name: 'waits' }).finally(() => (isAcknowledged = true));
  for (let at = 0; at < searches; at += 1) await search(`original text ${at}`);
  expect(isAcknowledged).toBe(false);
  disk.free();
  const { key } = await created;
  const { keys } = await server.call(keyEndpoints.listKeys, {});
  expect(keys.map(({ id }) => id)).toContain(key.id);
});

/**
 * Returns the 95th percentile of searches while another user creates keys in sequence, each of which waits for the
 * disk.
 */
async function p95Beside({ server, search }: Rig, round: number): Promise<number> {
  let isOver = false;
  const writing = (async () => {
    for (let at = 0; !isOver; at += 1) {
      const { key } = await server.call(keyEndpoints.createKey, { name: `key ${round} ${at}` });
      await server.call(keyEndpoints.revokeKey, { keyId: key.id });
    }
  })();
  const times: number[] = [];
  for (let at = 0; at < 200; at += 1) times.push(await search(`original text ${round} ${at}`));
  isOver = true;
  await writing;
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

// Timings on a busy machine are unreliable, so only the complete run compares them, alternating both cases.
test.skipIf(!isWhole)(
  'a disk with 200 ms slower syncs makes no search take twice as long',
  {
    timeout: 300_000,
  },
  async (context) => {
    const disk = openSlowDisk();
    if (disk === undefined) return context.skip();
    const rig = await openRig(disk);
    const [quick, slow]: [number[], number[]] = [[], []];
    for (let round = 0; round < 5; round += 1) {
      disk.free();
      quick.push(await p95Beside(rig, round));
      disk.delay(200);
      slow.push(await p95Beside(rig, round));
    }
    expect([median(slow) <= 2 * median(quick), { slow, quick }]).toEqual([true, expect.anything()]);
  },
);
