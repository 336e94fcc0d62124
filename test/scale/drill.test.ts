import { expect, onTestFinished, test } from 'vitest';
import { keyEndpoints } from '#contract/keys.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { type SampleSite, startSampleSite } from '../library/sample-site.ts';
import { hasPostgres } from '../services/postgres.ts';
import { until } from '../services/until.ts';
import { type Installation, openInstallation, type Process } from './installation.ts';
import { RoundRobin } from './round-robin.ts';
import { startSearching } from './searching.ts';

/** `./lectern drill` runs the long form: more connections, and every process is killed and replaced several times. */
const isLong = process.env['LECTERN_DRILL'] === 'long';
const [connections, rounds, pauseMs] = isLong ? [8, 5, 0] : [3, 1, 20];
const waitMs = isLong ? 600_000 : 240_000;
const shapes = ['web,mcp', 'mcp,worker', 'web,mcp,worker'];

async function openSite(pages: number): Promise<SampleSite> {
  const site = await startSampleSite(pages);
  onTestFinished(() => site.close());
  return site;
}

/** Gives each page a unique word; returns queries with their answers. */
function questionsAbout(site: SampleSite, stem: string): { query: string; answer: string }[] {
  return [...site.pages.keys()].map((name, at) => {
    const word = `${stem}${String.fromCharCode(97 + Math.floor(at / 26))}${String.fromCharCode(97 + (at % 26))}`;
    const answer = `${word} turns after ${at + 3} strokes`;
    site.pages.set(name, `The ${answer}`);
    return { query: `when does ${word} turn`, answer };
  });
}

/** All processes of an installation and the proxy in front of them. */
class Fleet {
  readonly proxy = new RoundRobin();
  readonly running: Process[] = [];
  readonly #installation: Installation;

  constructor(installation: Installation) {
    this.#installation = installation;
    onTestFinished(() => this.proxy.end());
  }

  async start(roles: string): Promise<Process> {
    const started = await this.#installation.start(roles);
    this.running.push(started);
    this.proxy.add(started.url);
    return started;
  }

  /** Keeps a killed process in the proxy's list until its replacement is ready, because the proxy does not know yet. */
  async killAndReplace(victim: Process): Promise<void> {
    await victim.kill();
    await this.#replace(victim);
  }

  /** Rolls out a new version: a process stops once its replacement is ready. Returns the exit code. */
  async stopAndReplace(old: Process): Promise<number | null> {
    const code = await old.stop();
    await this.#replace(old);
    return code;
  }

  pages(): Process {
    const found = this.running.find(({ roles }) => roles.includes('web'));
    if (found === undefined) throw new Error('nobody has pages');
    return found;
  }

  async #replace(gone: Process): Promise<void> {
    this.running.splice(this.running.indexOf(gone), 1);
    await this.start(gone.roles);
    this.proxy.remove(gone.url);
  }
}

async function untilComplete(fleet: Fleet, jobId: string): Promise<void> {
  await until(
    'the run is complete',
    async () => {
      const { job } = await fleet.pages().call(libraryEndpoints.getJob, { jobId });
      if (job.status === 'FAILED') throw new Error(job.error ?? 'the run failed');
      return job.status === 'COMPLETE';
    },
    waitMs,
  );
}

/** Returns the process that executes a run; leases name processes by their number. */
async function holderOf(installation: Installation, fleet: Fleet, jobId: string): Promise<Process> {
  const find = async () => {
    const query = installation.db.query.selectFrom('jobRuns').select('leaseOwner').where('id', '=', jobId);
    const owner = (await query.executeTakeFirstOrThrow()).leaseOwner;
    return fleet.running.find(({ child }) => owner?.split(':')[1] === String(child.pid));
  };
  return until('somebody has the run', find, waitMs);
}

test.skipIf(!hasPostgres())(
  'three processes on PostgreSQL and S3 are killed in turn and replaced by another version, and no search fails',
  async () => {
    const [site, slowSite] = [await openSite(24), await openSite(24)];
    const questions = questionsAbout(site, 'bellows');
    const [late] = questionsAbout(slowSite, 'ratchet').slice(-1);
    const environment = { LECTERN_ALLOW_HOSTS: `${site.host},${slowSite.host}`, LECTERN_DRAIN_SECONDS: '2' };
    const installation = await openInstallation(environment);
    const fleet = new Fleet(installation);
    // All start at once on an empty database.
    await Promise.all(shapes.map((roles) => fleet.start(roles)));
    const { job } = await fleet.pages().call(libraryEndpoints.startIndexJob, { source: site.url, moduleId: 'first' });
    await untilComplete(fleet, job.id);
    const { secret } = await fleet.pages().call(keyEndpoints.createKey, { name: 'drill' });
    await installation.db.query.updateTable('users').set({ credits: 1_000_000 }).execute();

    const load = startSearching(fleet.proxy, { key: secret, connections, questions, pauseMs });
    const more = async (count: number) => {
      const before = load.answered();
      await until('more searches are answered', () => load.answered() >= before + count, waitMs);
    };
    await more(connections * 4);

    // The worker that executes a run is killed first; its lease expires while the drill continues.
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    let isHeld = false;
    slowSite.onRequest = (name) => {
      isHeld ||= name === 'page12';
      return isHeld ? held : undefined;
    };
    const second = { source: slowSite.url, moduleId: 'second' };
    const { job: survivor } = await fleet.pages().call(libraryEndpoints.startIndexJob, second);
    await until('the run is in the middle', () => isHeld, waitMs);
    await fleet.killAndReplace(await holderOf(installation, fleet, survivor.id));
    letGo();
    for (let round = 0; round < rounds; round += 1) {
      for (const victim of [...fleet.running].slice(0, shapes.length - (round === 0 ? 1 : 0))) {
        await more(connections * 2);
        await fleet.killAndReplace(victim);
      }
    }
    expect(load.failures).toEqual([]);

    const { cut, refused } = fleet.proxy;
    for (let round = 0; round < rounds; round += 1) {
      for (const old of [...fleet.running]) {
        await more(connections * 2);
        expect(await fleet.stopAndReplace(old)).toBe(0);
      }
    }
    await more(connections * 2);
    expect({ failures: load.failures, cut: fleet.proxy.cut - cut }).toEqual({ failures: [], cut: 0 });
    // No request reached a process that no longer listened; a busy machine may check readiness late.
    if (isLong) expect(fleet.proxy.refused - refused).toBe(0);

    const times = await load.end();
    await untilComplete(fleet, survivor.id);
    const { attempt } = await installation.db.query
      .selectFrom('jobRuns')
      .select('attempt')
      .where('id', '=', survivor.id)
      .executeTakeFirstOrThrow();
    expect(attempt).toBeGreaterThan(1);
    // Every process finds the run's pages, including those that did not execute it.
    for (const { url } of fleet.running) await expectFound(url, secret, late);
    if (isLong) tell(times, fleet);
  },
  waitMs * 3,
);

async function expectFound(url: string, key: string, question: { query: string; answer: string } | undefined) {
  const one = new RoundRobin();
  one.add(url);
  const load = startSearching(one, {
    key,
    connections: 1,
    pauseMs: 1_000,
    questions: question === undefined ? [] : [question],
  });
  await until('it is found', () => load.answered() > 0 || load.failures.length > 0, waitMs);
  await load.end();
  one.end();
  expect(load.failures.slice(0, 1)).toEqual([]);
}

function tell(times: number[], { proxy }: Fleet): void {
  const at = (share: number) => `${(times[Math.floor(times.length * share)] ?? 0).toFixed(1)} ms`;
  console.log(
    `${times.length} searches answered, p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1 - 1e-9)}; ${proxy.cut} sent again after a kill, ${proxy.refused} passed on`,
  );
}
