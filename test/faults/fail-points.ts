import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { topics } from '#server/features/indexing/notices.ts';
import { isStorageAway } from '#server/features/known-fault.ts';
import { sweepStore } from '#server/features/maintenance/sweep-store.ts';
import { isDatabaseError } from '#server/platform/db/database-error.ts';
import type { CuttableProxy } from '#test/services/cuttable-proxy.ts';
import type { PostgresServer } from '#test/services/postgres.ts';
import { startProgram } from '#test/services/programs.ts';
import { temporaryFolder } from '#test/services/temporary-folder.ts';
import { until } from '#test/services/until.ts';
import type { SampleSite } from '../library/sample-site.ts';
import type { Flow } from './flow.ts';
import { type FlowName, flows } from './flows.ts';
import { openStage, type Stage, type StageAddress } from './stage.ts';

/** Files without a row are kept for a day. */
const litterAgeMs = 25 * 3_600_000;

/** An installation before the flow's work; each attempt gets a copy. */
export interface Prepared {
  name: FlowName;
  copy(): Promise<StageAddress & { remove(): Promise<void> }>;
  /** Number of writes begun when the work begins and when it has ended. */
  openedAfter: number;
  endedAfter: number;
}

/** Prepares a flow and runs it once in a separate process to count its writes. */
export async function prepare(name: FlowName, site: SampleSite, postgres?: PostgresServer): Promise<Prepared> {
  const flow: Flow = flows[name];
  const root = temporaryFolder();
  const template = { folder: join(root, 'template'), database: `template_${randomUUID().slice(0, 8)}` };
  await postgres?.createDatabase(template.database);
  mkdirSync(template.folder);
  const address = (dataFolder: string, database: string): StageAddress => ({
    ...{ dataFolder, siteUrl: site.url, databaseUrl: postgres?.url(database) },
  });
  if (flow.prepare !== undefined) {
    const stage = await openStage(address(template.folder, template.database));
    await flow.prepare(stage);
    await stage.untilIdle();
    await stage.close();
  }
  flow.change?.(site);
  const copy = async () => {
    const id = randomUUID().slice(0, 8);
    const dataFolder = join(root, id);
    cpSync(template.folder, dataFolder, { recursive: true });
    await postgres?.createDatabase(`copy_${id}`, template.database);
    const remove = async () => {
      rmSync(dataFolder, { recursive: true });
      // Dropping hundreds of them together with their server would take minutes.
      await postgres?.dropDatabase(`copy_${id}`);
    };
    return { ...address(dataFolder, `copy_${id}`), remove };
  };
  const whole = await copy();
  const { openedAfter, endedAfter, acknowledged } = await attempt(name, { ...whole, failPoint: 1_000_000 });
  if (openedAfter === undefined || endedAfter === undefined) throw new Error(`${name} did not come to its end`);
  const stage = await openStage(whole);
  await flow.requireKept(stage, acknowledged);
  await requireRegular(stage);
  await stage.close();
  await whole.remove();
  return { name, copy, openedAfter, endedAfter };
}

/** Kills the process before this write, starts again, requires a consistent state, and then completes the work. */
export async function cutOffBefore(prepared: Prepared, failPoint: number): Promise<void> {
  const flow: Flow = flows[prepared.name];
  const address = await prepared.copy();
  const { acknowledged } = await attempt(prepared.name, { ...address, failPoint });
  const stage = await openStage(address);
  try {
    await endLeases(stage);
    await stage.untilIdle();
    await flow.requireKept(stage, acknowledged);
    await requireRegular(stage);
    const all: string[] = [];
    await flow.work(stage, (step) => void all.push(step), acknowledged);
    await stage.untilIdle();
    await flow.requireKept(stage, [...new Set([...acknowledged, ...all])]);
    await requireRegular(stage);
  } finally {
    await stage.close();
    await address.remove();
  }
}

/** Breaks all connections to the database after so many messages of the work, while the process lives on. Returns how many there were. */
export async function cutDatabaseAfter(prepared: Prepared, proxy: CuttableProxy, messages: number): Promise<number> {
  const flow: Flow = flows[prepared.name];
  const { remove, ...address } = await prepared.copy();
  const databaseUrl = address.databaseUrl?.replace(/:\d+\//, `:${proxy.port}/`);
  const stage = await openStage({ ...address, databaseUrl });
  const acknowledged: string[] = [];
  const work = (before: string[]) => flow.work(stage, (step) => void acknowledged.push(step), before);
  try {
    const { passedOn } = proxy.cutAfter(messages, 1_000);
    await work([]).catch(requireAway);
    const isIdle = () => stage.untilIdle().then(() => true, requireAway);
    await until('the database is back and no run is left', isIdle, 120_000);
    const count = passedOn();
    await endClaims(stage);
    await flow.requireKept(stage, acknowledged);
    await requireRegular(stage);
    await work([...acknowledged]);
    await stage.untilIdle();
    await flow.requireKept(stage, [...new Set(acknowledged)]);
    await requireRegular(stage);
    return count;
  } finally {
    await stage.close();
    await remove();
  }
}

/** Whatever fails while the database is away must say so. */
function requireAway(error: unknown): undefined {
  if (!isStorageAway(error) && !isDatabaseError(error, 'unreachable')) throw error;
}

interface Attempt {
  openedAfter?: number;
  endedAfter?: number;
  acknowledged: string[];
}

async function attempt(flow: FlowName, address: StageAddress): Promise<Attempt> {
  const program = await startProgram('faults/flow-program.ts', { ...address, flow });
  const lines = (await program.rest()) as { acknowledged?: string }[];
  const { signalCode, exitCode } = program.process;
  if (signalCode !== 'SIGKILL' && exitCode !== 0) throw new Error(`${flow} failed with ${exitCode ?? signalCode}`);
  const acknowledged = lines.flatMap((line) => line.acknowledged ?? []);
  return Object.assign({}, ...lines, { acknowledged });
}

/** Simulates that the killed process's leases on a run or a payer's subscription have expired. */
async function endLeases(stage: Stage): Promise<void> {
  await endClaims(stage);
  const { db, clock } = stage.installation.base;
  // With SQLite a start lets go of runs by itself.
  if (db.kind === 'sqlite') return;
  const gone = { leaseUntil: clock.now() - 1 };
  await db.query.updateTable('jobRuns').set(gone).where('leaseOwner', 'is not', null).execute();
  // Otherwise it looks for these runs only seconds later.
  stage.installation.bus.publish(topics.queued, '');
}

async function endClaims({ installation }: Stage): Promise<void> {
  const { db, clock } = installation.base;
  const gone = { busyUntil: clock.now() - 1 };
  await db.query.updateTable('billingAccounts').set(gone).where('busyUntil', 'is not', null).execute();
}

/** Nothing may be found but what takes room until a sweep, and after that nothing at all. */
async function requireRegular({ installation }: Stage): Promise<void> {
  for await (const { isHarmless, what, detail } of installation.examine()) {
    if (isHarmless !== true) throw new Error(`${what} ${detail}`);
  }
  const ctx = installation.operatorContext();
  const clock = { ...ctx.clock, now: () => ctx.clock.now() + litterAgeMs };
  await sweepStore({ ...ctx, clock }, installation, { isForced: true });
  for await (const { what, detail } of installation.examine()) throw new Error(`${what} ${detail}, after a sweep`);
}
