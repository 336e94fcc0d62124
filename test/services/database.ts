import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import type { Database, DatabaseConfig } from '#server/platform/db/database.ts';
import { openDatabase, type Publish } from '#server/platform/db/open-database.ts';
import { madeOnce } from './made-once.ts';
import { hasPostgres, type PostgresServer, startPostgres } from './postgres.ts';

export type DatabaseKind = DatabaseConfig['kind'];

const templateName = 'migrated';
const opened: Database[] = [];
let folder: string | undefined;
let sqliteTemplate: Promise<string> | undefined;
let server: Promise<PostgresServer> | undefined;

// Runs after the tests of each test file that imports this one.
afterAll(async () => {
  await Promise.all(opened.map((database) => database.close()));
  if (server) await (await server).stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
}, 60_000);

/**
 * Opens a migrated database for the caller only; closed and removed after the test file. The first use starts a
 * PostgreSQL cluster: call it from `onEachDatabase`, which allows time for it.
 */
export async function freshDatabase(kind: DatabaseKind = 'sqlite', publish?: Publish): Promise<Database> {
  const database = await openDatabase(await freshDatabaseConfig(kind), publish);
  opened.push(database);
  return database;
}

/** Creates a migrated database without opening it, for tests that open it several times or in other processes. */
export async function freshDatabaseConfig(kind: DatabaseKind = 'sqlite'): Promise<DatabaseConfig> {
  if (kind === 'sqlite') {
    sqliteTemplate ??= makeSqliteTemplate();
    const template = await sqliteTemplate;
    const file = join(temporaryFolder(), `${randomName()}.sqlite`);
    copyFileSync(template, file);
    return { kind, file };
  }
  const postgres = await postgresWithTemplate();
  const name = randomName();
  await postgres.createDatabase(name, templateName);
  return { kind, url: postgres.url(name), connectionsMax: 5 };
}

/** Creates a database location in which no migration has run. */
export async function emptyDatabaseConfig(kind: DatabaseKind): Promise<DatabaseConfig> {
  const name = randomName();
  if (kind === 'sqlite') return { kind, file: join(temporaryFolder(), `${name}.sqlite`) };
  const postgres = await postgresWithTemplate();
  await postgres.createDatabase(name);
  return { kind, url: postgres.url(name), connectionsMax: 5 };
}

/** Declares the suite for SQLite and, if PostgreSQL is installed, also for PostgreSQL. */
export function onEachDatabase(title: string, suite: (kind: DatabaseKind) => void): void {
  describe(`${title} on sqlite`, () => {
    suite('sqlite');
  });
  describe.skipIf(!hasPostgres())(`${title} on postgres`, () => {
    beforeAll(async () => void (await postgresWithTemplate()), 60_000);
    suite('postgres');
  });
}

function temporaryFolder(): string {
  folder ??= mkdtempSync(join(tmpdir(), 'databases-'));
  return folder;
}

function randomName(): string {
  return `test_${randomBytes(6).toString('hex')}`;
}

async function makeSqliteTemplate(): Promise<string> {
  const make = async (file: string) => {
    const database = await openDatabase({ kind: 'sqlite', file });
    // The last handle to close merges the log into the file, so that the file is the whole database.
    await database.close();
  };
  const made = await madeOnce('migrated.sqlite', make);
  if (made !== undefined) return made;
  const own = join(temporaryFolder(), 'template.sqlite');
  await make(own);
  return own;
}

function postgresWithTemplate(): Promise<PostgresServer> {
  server ??= madeOnce('postgres-migrated', async (path) => {
    await (await startMigrated()).stop(path);
  }).then((made) => (made === undefined ? startMigrated() : startPostgres(made)));
  return server;
}

async function startMigrated(): Promise<PostgresServer> {
  const postgres = await startPostgres();
  await postgres.createDatabase(templateName);
  const database = await openDatabase({ kind: 'postgres', url: postgres.url(templateName) });
  await database.close();
  return postgres;
}
