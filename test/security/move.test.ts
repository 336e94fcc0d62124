import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { identityEndpoints } from '#contract/identity.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { searchEndpoints } from '#contract/search.ts';
import { sumTable } from '#server/platform/db/copy-rows.ts';
import type { DatabaseConfig } from '#server/platform/db/database.ts';
import { connectDatabase } from '#server/platform/db/open-database.ts';
import { tablesOf } from '#server/platform/db/tables-of.ts';
import { cli } from '../cli/run-cli.ts';
import { configOf } from '../http/http-rig.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../services/postgres.ts';
import { type S3Service, startS3 } from '../services/s3.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { openLives, person, start } from './lives.ts';

type Variables = Record<string, string>;
type Lives = Awaited<ReturnType<typeof openLives>>;

describe.skipIf(!hasPostgres())('data-0014: moving an installation from one machine to services, and back', () => {
  let postgres: PostgresServer;
  let s3: S3Service;
  let databases = 0;
  beforeAll(async () => {
    [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
  }, 60_000);
  afterAll(async () => {
    await Promise.all([postgres?.stop(), s3?.stop()]);
  });

  /** Creates an empty database and bucket prefix; returns their variables. */
  async function services(dataFolder: string): Promise<Variables> {
    databases += 1;
    await postgres.createDatabase(`moved_${databases}`);
    return {
      DATABASE_URL: postgres.url(`moved_${databases}`).replace('postgres@', 'postgres:PASSWORD-CANARY@'),
      BLOB_STORE: `s3://${s3.config.bucket}/moved-${databases}`,
      S3_ENDPOINT: s3.config.endpoint ?? '',
      S3_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      S3_SECRET_ACCESS_KEY: 'S3-CANARY',
      LECTERN_DATA: join(temporaryFolder(), 'data'),
      LECTERN_SECRET: readFileSync(join(dataFolder, 'secret'), 'utf8').trim(),
    };
  }

  test('keeps rows, files, answers, keys and sessions in both directions, and leaves the old location unchanged', async () => {
    const lives = await openLives();
    await lives.server.running.close();
    const before = await heldBy(configOf(lives.dataFolder).database);
    const [oldFiles, there] = [filesOf(lives.dataFolder), await services(lives.dataFolder)];

    const moved = await move({}, lives.dataFolder, there);
    expect([moved.code, moved.errors]).toEqual([0, expect.stringContaining('Copying')]);
    for (const secret of ['PASSWORD-CANARY', 'S3-CANARY', there['LECTERN_SECRET'] ?? '']) {
      expect(moved.output + moved.errors).not.toContain(secret);
    }
    expect(filesOf(lives.dataFolder)).toEqual(oldFiles);
    expect(await heldBy(configOf('', there).database)).toEqual(before);
    expect(before.ledger).not.toEqual('0 0');
    await expectSameLife(lives, there);

    // Back to a folder that does not exist yet: changes made in the services must arrive.
    const back = { LECTERN_DATA: join(temporaryFolder(), 'back', 'data') };
    const held = await heldBy(configOf('', there).database);
    const returned = await move(there, undefined, back);
    expect([returned.code, returned.errors]).toEqual([0, expect.stringContaining('Copying')]);
    expect(await heldBy(configOf(back.LECTERN_DATA).database)).toEqual(held);
    await expectSameLife(lives, back);
  }, 240_000);

  async function expectSameLife(lives: Lives, variables: Variables): Promise<void> {
    const doctor = await cli(['doctor', '--deep', '--json'], { env: variables });
    const { findings } = JSON.parse(doctor.output) as { findings: { state: string; what: string }[] };
    expect(findings.filter(({ state, what }) => state !== 'ok' && what !== 'Chromium')).toEqual([]);
    const server = await start(variables['LECTERN_DATA'] ?? '', { ...lives.environment, ...variables });
    const answer = await server.ask(searchEndpoints.search, lives.search, lives.agent);
    expect(answer.text).toBe(lives.answer.text);
    const { keys } = await server.ask(keyEndpoints.listKeys, {}, lives.sender);
    const shown = await server.ask(keyEndpoints.revealKey, { keyId: keys[0]?.id ?? '' }, lives.sender);
    expect(shown.secret).toBe(lives.key);
    const { email, password } = person;
    expect(await server.status(identityEndpoints.signInWithEmail, { email, password })).toBe(200);
    await server.running.close();
  }
});

async function move(env: Variables, dataFolder: string | undefined, to: Variables) {
  const file = join(temporaryFolder(), 'new.env');
  writeFileSync(
    file,
    Object.entries(to)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  return cli(['move', file, ...(dataFolder === undefined ? [] : ['--data', dataFolder])], { env });
}

/** Reads all rows without the program that copied them. */
async function heldBy(config: DatabaseConfig) {
  const database = connectDatabase(config);
  try {
    const { kind, query: queries } = database;
    const sums: [string, unknown][] = [];
    for (const table of await tablesOf(database)) sums.push([table.name, await sumTable({ kind, queries }, table)]);
    const ledger = await sql<{ given: number; held: number }>`
      select (select sum(amount) from credit_transactions) as given, (select sum(credits) from users) as held`.execute(
      queries,
    );
    return { tables: Object.fromEntries(sums), ledger: Object.values(ledger.rows[0] ?? {}).join(' ') };
  } finally {
    await database.close();
  }
}

/** Returns every file of the installation with its content, except the lock. */
function filesOf(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('lock'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path): [string, string] => [path, createHash('sha256').update(readFileSync(path)).digest('hex')])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
