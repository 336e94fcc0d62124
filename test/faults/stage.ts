import type { Endpoint, InputOf, OutputOf } from '#contract/endpoint.ts';
import type { Context } from '#server/context.ts';
import { noBrowser } from '#server/features/call.ts';
import { type Installation, openInstallation } from '#server/main.ts';
import { loadConfig } from '#server/platform/config/config.ts';
import { until } from '#test/services/until.ts';

/** Where an installation's data is, and which site it may read. */
export interface StageAddress {
  dataFolder: string;
  /** Defaults to SQLite. */
  databaseUrl?: string | undefined;
  /** A documentation site's start address. */
  siteUrl: string;
  failPoint?: number | undefined;
}

/** A complete installation that works in this process, and its users. */
export interface Stage {
  installation: Installation;
  siteUrl: string;
  /** Returns the context of a signed-in user in their own workspace. */
  as(userId: string, more?: Partial<Context>): Context;
  ask<E extends Endpoint>(ctx: Context, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>;
  /** Waits until no run is queued or running. */
  untilIdle(): Promise<void>;
  close(): Promise<void>;
}

const idleMsMax = 120_000;

export async function openStage({ dataFolder, databaseUrl, siteUrl, failPoint }: StageAddress): Promise<Stage> {
  const { config } = loadConfig({
    ...{
      LOG_LEVEL: 'silent',
      LECTERN_CREDITS: 'on',
      ENVIRONMENT: 'test',
      LECTERN_DATA: dataFolder,
      LECTERN_PARSE_WORKERS: '1',
    },
    LECTERN_ALLOW_HOSTS: new URL(siteUrl).host,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    ...(failPoint === undefined ? {} : { LECTERN_FAIL_POINT: String(failPoint) }),
  });
  const installation = await openInstallation(config, { exclusive: { purpose: 'a test' } });
  const { base, calls } = installation;
  return {
    installation,
    siteUrl,
    as: (userId, more = {}) => ({
      ...base,
      ...{ actor: { kind: 'user', userId }, workspace: `user:${userId}`, requestId: crypto.randomUUID() },
      ...more,
    }),
    async ask(ctx, endpoint, input) {
      const found = calls.find((call) => call.endpoint === endpoint);
      if (found === undefined) throw new Error(`nobody answers ${endpoint.path}`);
      // The handler's output has the endpoint's type; the table guarantees it.
      return (await found.run(ctx, input, {
        browser: noBrowser,
        setSession: () => undefined,
        setDevice: () => undefined,
      })) as OutputOf<typeof endpoint>;
    },
    untilIdle: async () => {
      const unended = () =>
        base.db.query
          .selectFrom('jobRuns')
          .select('id')
          .where('status', 'in', ['QUEUED', 'CRAWLING', 'INDEXING'])
          .execute();
      await until('no run is waiting', async () => (await unended()).length === 0, idleMsMax);
    },
    close: () => installation.close(),
  };
}
