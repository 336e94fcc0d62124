import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { moveInstallation } from '#server/features/maintenance/index.ts';
import { isDatabaseError } from '#server/platform/db/database-error.ts';
import { connectDatabase } from '#server/platform/db/open-database.ts';
import { configOf } from '../http/http-rig.ts';
import { startSampleSite } from '../library/sample-site.ts';
import { startCuttableProxy } from '../services/cuttable-proxy.ts';
import { newInstallation } from '../services/new-installation.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../services/postgres.ts';
import { until } from '../services/until.ts';
import { cutDatabaseAfter, prepare } from './fail-points.ts';
import { type FlowName, flows } from './flows.ts';

const minutes = (count: number) => count * 60_000;
const never = Number.POSITIVE_INFINITY;

/** Returns the messages after which the connection is cut; `./lectern faults` tries more of them. */
const pointsOf = (messages: number) =>
  (process.env['LECTERN_FAULTS'] === 'all' ? [1 / 6, 1 / 3, 1 / 2, 2 / 3, 5 / 6] : [1 / 2]).map((share) =>
    Math.ceil(messages * share),
  );

describe.skipIf(!hasPostgres())('a database that goes away for a second', () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres();
  }, minutes(2));
  afterAll(() => postgres?.stop(), minutes(2));

  test.each((Object.keys(flows) as FlowName[]).filter((name) => name !== 'a first start'))(
    'during %s leaves everything that was acknowledged, once, and nothing half-done',
    async (name) => {
      const site = await startSampleSite(6);
      onTestFinished(() => site.close());
      const proxy = await startCuttableProxy(postgres.port);
      const prepared = await prepare(name, site, postgres);
      const messages = await cutDatabaseAfter(prepared, proxy, never);
      for (const point of pointsOf(messages)) {
        await cutDatabaseAfter(prepared, proxy, point).catch((cause: unknown) => {
          throw new Error(`${name}, after message ${point} of ${messages}: ${String(cause)}`, { cause });
        });
      }
    },
    minutes(10),
  );

  test(
    'during a move leaves no row or all of them, and the next try is whole',
    async () => {
      const proxy = await startCuttableProxy(postgres.port);
      const from = configOf(await newInstallation());
      const move = async (messages: number) => {
        const name = `moved_${messages}`;
        await postgres.createDatabase(name);
        const url = postgres.url(name).replace(`:${postgres.port}/`, `:${proxy.port}/`);
        const to = configOf(from.dataFolder, { DATABASE_URL: url });
        const attempt = () => moveInstallation(from, to, () => undefined);
        const { passedOn } = proxy.cutAfter(messages, 1_000);
        const outcome = await attempt().catch((error: unknown) => error);
        if (messages !== never) {
          expect(isDatabaseError(outcome, 'unreachable')).toBe(true);
          await until('the next try is whole', () => attempt().catch(() => undefined), minutes(1));
        }
        const database = connectDatabase(to.database);
        const users = await database.query.selectFrom('users').select('isOperator').execute();
        await database.close();
        expect(users).toEqual([{ isOperator: 1 }]);
        return passedOn();
      };
      for (const point of pointsOf(await move(never))) await move(point);
    },
    minutes(5),
  );
});
