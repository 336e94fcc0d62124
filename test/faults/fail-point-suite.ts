import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startSampleSite } from '../library/sample-site.ts';
import { compiledFolder } from '../services/compiled.ts';
import type { DatabaseKind } from '../services/database.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../services/postgres.ts';
import { cutOffBefore, prepare } from './fail-points.ts';
import { type FlowName, flows } from './flows.ts';

// Each attempt starts a process; cached compiled code makes that twice as fast.
process.env['NODE_COMPILE_CACHE'] = compiledFolder;

/** `./lectern faults` tries each write; otherwise a few of each flow are tried, including the first and last. */
const isWhole = process.env['LECTERN_FAULTS'] === 'all';
const pointsTried = { sqlite: 5, postgres: 3 };
/** Scheduled jobs at the start write at varying times. */
const jitter = 2;
const minutes = (count: number) => count * 60_000;

function pointsBetween(first: number, last: number, most: number): number[] {
  const all = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  if (isWhole || all.length <= most) return all;
  const step = (all.length - 1) / (most - 1);
  return [...new Set(Array.from({ length: most }, (_, at) => all[Math.round(at * step)] ?? last))];
}

/** Declares the suite for one database; each database has its own file, so that they run in parallel. */
export function failPointSuite(kind: DatabaseKind): void {
  describe(`on ${kind}, a process killed before a write`, () => {
    let postgres: PostgresServer | undefined;
    beforeAll(async () => {
      if (kind === 'postgres' && hasPostgres()) postgres = await startPostgres();
    }, minutes(2));
    afterAll(() => postgres?.stop(), minutes(2));

    test.skipIf(kind === 'postgres' && !hasPostgres()).each(Object.keys(flows) as FlowName[])(
      'of %s keeps everything acknowledged exactly once, and nothing half-done',
      async (name) => {
        const site = await startSampleSite(6);
        onTestFinished(() => site.close());
        const prepared = await prepare(name, site, postgres);
        const begin = name === 'a first start' ? 1 : Math.max(1, prepared.openedAfter + 1 - jitter);
        const points = pointsBetween(begin, prepared.endedAfter, pointsTried[kind]);
        expect(points.length).toBeGreaterThan(0);
        for (const point of points) {
          await cutOffBefore(prepared, point).catch((cause: unknown) => {
            throw new Error(`${name}, before write ${point} of ${prepared.endedAfter}: ${String(cause)}`, { cause });
          });
        }
      },
      isWhole ? minutes(60) : minutes(10),
    );
  });
}
