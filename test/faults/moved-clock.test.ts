import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { accountEndpoints } from '#contract/accounts.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { cli } from '../cli/run-cli.ts';
import { type SampleSite, startSampleSite } from '../library/sample-site.ts';
import { newDataFolder, type ServerProcess, startServerProcess } from '../library/server-process.ts';
import { openMovedClock } from '../services/moved-clock.ts';
import { until } from '../services/until.ts';

const waitMs = 120_000;
const [hour, day] = [3_600, 86_400];

interface Rig {
  server: ServerProcess;
  site: SampleSite;
  dataFolder: string;
}

async function index({ server }: Rig, source: string, moduleId: string): Promise<void> {
  const { job } = await server.call(libraryEndpoints.startIndexJob, { source, moduleId, visibility: 'public' });
  const status = async () => (await server.call(libraryEndpoints.getJob, { jobId: job.id })).job.status;
  await until(`${moduleId} is complete`, async () => (await status()) === 'COMPLETE', waitMs);
}

/** Indexes the site, which sends one page only after `meanwhile`. */
async function indexAcross(rig: Rig, meanwhile: () => Promise<void>): Promise<void> {
  const { site } = rig;
  const [reached, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  site.onRequest = (name) => {
    if (name !== 'page3') return;
    reached.resolve();
    return answered.promise;
  };
  const indexed = index(rig, site.url, 'sample');
  await reached.promise;
  await meanwhile();
  answered.resolve();
  await indexed;
}

async function signIn({ server }: Rig, code: string): Promise<string | undefined> {
  const answer = await fetch(`${server.url}/api/session`, { method: 'POST', body: JSON.stringify({ code }) });
  await answer.arrayBuffer();
  return answer.ok ? (answer.headers.get('set-cookie') ?? '').split(';')[0] : undefined;
}

async function codeOfLink({ server }: Rig): Promise<string> {
  const { url } = await server.call(accountEndpoints.createSignInLink, {});
  return new URL(url).searchParams.get('code') ?? '';
}

async function isSignedIn({ server }: Rig, cookie: string): Promise<boolean> {
  const answer = await fetch(`${server.url}/api/session`, { headers: { cookie } });
  return ((await answer.json()) as { user: unknown }).user !== null;
}

/** Makes the owner pay for searches like other users. */
function makePay(dataFolder: string): void {
  const database = new DatabaseSync(join(dataFolder, 'data.sqlite'), { timeout: 20_000 });
  database.exec('update users set is_operator = 0');
  database.close();
}

function rowsOf(dataFolder: string, sql: string): unknown[] {
  const database = new DatabaseSync(join(dataFolder, 'data.sqlite'), { readOnly: true, timeout: 20_000 });
  const rows = database
    .prepare(sql)
    .all()
    .map((row) => ({ ...row }));
  database.close();
  return rows;
}

test('after a clock jump of an hour, a day or 40 days, sessions and codes end on time and nothing runs or is charged twice', {
  timeout: 300_000,
}, async (context) => {
  const clock = openMovedClock();
  if (clock === undefined) return context.skip();
  const [site, other, dataFolder] = [await startSampleSite(6), await startSampleSite(1), newDataFolder()];
  onTestFinished(async () => {
    await site.close();
    await other.close();
  });
  const environment = { ...clock.environment, LECTERN_PARSE_WORKERS: '1', LECTERN_CREDITS: 'on' };
  const server = await startServerProcess(dataFolder, `${site.host},${other.host}`, environment);
  onTestFinished(() => server.kill());
  const rig: Rig = { server, site, dataFolder };
  const cookie = (await signIn(rig, await codeOfLink(rig))) ?? '';
  const link = await codeOfLink(rig);
  const { secret } = await server.call(keyEndpoints.createKey, { name: 'loom' });
  await index(rig, site.url, 'sample');
  makePay(dataFolder);

  // The longest jump is last: whatever expires then is not kept for a clock that is set back.
  const jumps = [hour, -hour, -day, 40 * day];
  for (const [at, jump] of jumps.entries()) {
    for (const name of site.pages.keys()) site.pages.set(name, `Text ${at} of ${name}`);
    await indexAcross(rig, async () => {
      clock.move(jump);
      // A worker that looks for a run now also finds the one in progress, whose lease has expired by the clock.
      await index(rig, other.url, 'other');
    });
    const query = encodeURIComponent(`text ${at}`);
    const headers = { authorization: `Bearer ${secret}` };
    const answer = await fetch(`${server.url}/api/search?query=${query}`, { headers });
    expect([jump, answer.status]).toEqual([jump, 200]);
    expect(await answer.text()).toContain(`Text ${at}`);
    // A session lasts 30 days, whatever the clock showed in between.
    expect([jump, await isSignedIn(rig, cookie)]).toEqual([jump, jump < 30 * day]);
    if (jump === hour) expect(await signIn(rig, link)).toBeUndefined();
    if (jump === -hour) expect(await signIn(rig, await codeOfLink(rig))).toBeDefined();
  }

  const runs = rowsOf(dataFolder, 'select status, attempt from job_runs');
  expect(runs).toEqual(Array.from({ length: 1 + 2 * jumps.length }, () => ({ status: 'COMPLETE', attempt: 1 })));
  const usage = rowsOf(dataFolder, "select amount from credit_transactions where source = 'usage'");
  expect(usage).toEqual(jumps.map(() => ({ amount: -1 })));
  clock.move(0);
  server.child.kill('SIGTERM');
  expect((await server.ended).code).toBe(0);
  const { output } = await cli(['doctor', '--deep', '--data', dataFolder]);
  // An installed browser that is not configured is unrelated to the clock.
  const isFine = (line: string) => line.startsWith('ok') || line.startsWith('warn  Chromium:');
  expect(output.split('\n').filter((line) => line !== '' && !isFine(line))).toEqual([]);
});
