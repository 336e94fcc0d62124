import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { identityEndpoints } from '#contract/identity.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { searchEndpoints } from '#contract/search.ts';
import type { Database } from '#server/platform/db/database.ts';
import { migrate } from '#server/platform/db/migrate.ts';
import { migrations } from '#server/platform/db/migrations.ts';
import { connectDatabase, openDatabase } from '#server/platform/db/open-database.ts';
import { cli } from '../cli/run-cli.ts';
import { type DatabaseKind, emptyDatabaseConfig, onEachDatabase } from '../services/database.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { start } from './lives.ts';

interface Column {
  name: string;
  isText: boolean;
  isNullable: boolean;
  /** The first value that its check constraint allows. */
  allowed: string | undefined;
  references: { table: string; column: string } | undefined;
}

type Rows = Record<string, Record<string, unknown>[]>;

const historyTable = 'schema_migrations';

/** Returns the tables in creation order with their columns, read from the migrations' statements. */
async function tablesOf(db: Database): Promise<Map<string, Column[]>> {
  const { rows } = await sql<{ name: string; sql: string }>`
    select name, sql from sqlite_schema where type = 'table' and name not like 'sqlite%' order by rowid`.execute(
    db.query,
  );
  const tables = new Map<string, Column[]>();
  for (const { name, sql: text } of rows.filter((row) => row.name !== historyTable)) {
    const columns = await sql<{ name: string; type: string; notnull: number; pk: number }>`
      select name, type, "notnull", pk from pragma_table_info(${name})`.execute(db.query);
    const keys = await sql<{ from: string; table: string; to: string }>`
      select "from", "table", "to" from pragma_foreign_key_list(${name})`.execute(db.query);
    const entries = columns.rows.map((column): Column => {
      const key = keys.rows.find(({ from }) => from === column.name);
      const check = new RegExp(`\\b${column.name} [^,]*check \\(${column.name} in \\(([^)]*)\\)`).exec(text)?.[1];
      return {
        name: column.name,
        isText: column.type.toLowerCase() === 'text',
        isNullable: column.notnull === 0 && column.pk === 0,
        allowed: check?.split(',')[0]?.trim().replaceAll("'", ''),
        references: key && { table: key.table, column: key.to },
      };
    });
    tables.set(name, entries);
  }
  return tables;
}

/** Creates a row that satisfies the table's constraints and references the rows created in other tables. */
function sampleRow(table: string, columns: Column[], made: Rows): Record<string, unknown> {
  return Object.fromEntries(
    columns.map((column) => {
      const { name, references, allowed } = column;
      if (references !== undefined) return [name, made[references.table]?.[0]?.[references.column] ?? null];
      // A membership's required columns depend on its state; this one is accepted.
      if (table === 'memberships' && name === 'state') return [name, 'accepted'];
      if (table === 'memberships' && (name === 'ended_at' || name === 'invite_token_hash')) return [name, null];
      if (allowed !== undefined) return [name, column.isText ? allowed : Number(allowed)];
      if (name === 'month' || name === 'day') return [name, 7];
      if (column.isText)
        return [name, /settings|detail|ids|urls|json|redirect/.test(name) ? '[]' : `${table} ${name} ä`];
      return [name, 3];
    }),
  );
}

async function fill(db: Database, tables: Map<string, Column[]>): Promise<Rows> {
  const made: Rows = {};
  for (const [table, columns] of tables) {
    const row = sampleRow(table, columns, made);
    made[table] = [row];
    const names = sql.join(Object.keys(row).map((name) => sql.ref(name)));
    const values = sql.join(Object.values(row).map((value) => sql`${value}`));
    await sql`insert into ${sql.table(table)} (${names}) values (${values})`.execute(db.query);
  }
  return made;
}

const plain = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  );

async function expectKept(db: Database, made: Rows): Promise<void> {
  for (const [table, rows] of Object.entries(made)) {
    const names = Object.keys(rows[0] ?? {});
    // Names stay in snake case: the camel case plug-in is only for the program's own queries.
    const answer = await db.query.executeQuery<Record<string, unknown>>(
      sql`select ${sql.join(names.map((name) => sql`${sql.ref(name)} as ${sql.ref(name)}`))} from ${sql.table(table)}`.compile(
        db.query as never,
      ),
    );
    const kept = answer.rows.map((row) => Object.values(plain(row)));
    expect([table, kept]).toEqual([table, rows.map((row) => Object.values(row))]);
  }
}

/** Each release's required columns are the same on both databases; they are read from SQLite. */
const shapes = new Map<string, Map<string, Column[]>>();

async function shapeAt(count: number): Promise<Map<string, Column[]>> {
  const last = migrations[count - 1]?.name ?? '';
  const known = shapes.get(last);
  if (known !== undefined) return known;
  const db = connectDatabase(await emptyDatabaseConfig('sqlite'));
  await migrate(db, migrations.slice(0, count));
  const tables = await tablesOf(db);
  await db.close();
  shapes.set(last, tables);
  return tables;
}

async function openAt(kind: DatabaseKind, count: number) {
  const config = await emptyDatabaseConfig(kind);
  const db = connectDatabase(config);
  await migrate(db, migrations.slice(0, count));
  return { config, db };
}

onEachDatabase('data-0009: rows of every released schema', (kind) => {
  // Every migration on SQLite; every third on PostgreSQL, since the statements are the same.
  const counts = migrations.map((_, at) => at + 1).filter((count) => kind === 'sqlite' || count % 3 === 0);

  test.each(counts)('are kept unchanged when a schema with %i migrations is upgraded', async (count) => {
    const { config, db } = await openAt(kind, count);
    const made = await fill(db, await shapeAt(count));
    await db.close();
    const now = await openDatabase(config);
    onTestFinished(() => now.close());
    await expectKept(now, made);
    expect(Object.keys(made).length).toBeGreaterThan(5);
  });
});

describe('data-0010: a migration interrupted at any statement', () => {
  const steps = migrations.flatMap((migration, at) => migration.statements.map((_, step) => ({ at, step })));

  test('is applied completely or not at all, and the next start completes it', async () => {
    const config = await emptyDatabaseConfig('sqlite');
    const broken = ({ at, step }: { at: number; step: number }) =>
      migrations
        .slice(0, at + 1)
        .map((migration, index) =>
          index === at
            ? { ...migration, statements: [...migration.statements.slice(0, step), 'cut off here'] }
            : migration,
        );
    let made: Rows | undefined;
    for (const cut of steps) {
      const db = connectDatabase(config);
      await expect(migrate(db, broken(cut))).rejects.toThrow();
      const table = cut.at === 0 ? sql`sqlite_schema` : sql`schema_migrations`;
      const { rows } = await sql<{ count: number }>`select count(*) as count from ${table}`.execute(db.query);
      expect(rows[0]?.count).toBe(cut.at);
      // Every statement of this migration was tried; the next start may now apply it completely.
      if (cut.step === (migrations[cut.at]?.statements.length ?? 0) - 1) {
        await migrate(db, migrations.slice(0, cut.at + 1));
        if (cut.at === 0) made = await fill(db, await shapeAt(1));
      }
      await db.close();
    }
    const now = await openDatabase(config);
    onTestFinished(() => now.close());
    await expectKept(now, made ?? {});
  }, 60_000);
});

/** Created by the version before store marks: a module, a user with a password, and a key, stored next to them. */
const earlierFolder = new URL('./fixtures/data-folder-before.tar.gz', import.meta.url).pathname;

test('the first start upgrades an earlier version’s data folder, and all of it works', async () => {
  const data = temporaryFolder();
  execFileSync('tar', ['-xzf', earlierFolder, '-C', data]);
  const secret = readFileSync(join(data, 'agent-key'), 'utf8').trim();
  const agent = { authorization: `Bearer ${secret}` };
  const server = await start(data, {});
  const found = async () => (await server.ask(searchEndpoints.search, { query: 'gasket' }, agent)).results;
  expect(await found()).toMatchObject([{ moduleId: 'handbook' }]);
  const known = { email: 'ada@example.org', password: 'correct horse' };
  const sender = { 'x-lectern-csrf': '1', origin: server.running.url };
  expect(await server.ask(identityEndpoints.signInWithEmail, known, sender)).toMatchObject({
    user: { displayName: 'Ada', isEmailVerified: false },
  });
  const { keys } = await server.running.installation.call(keyEndpoints.listKeys, {});
  const shown = await server.running.installation.call(keyEndpoints.revealKey, { keyId: keys[0]?.id ?? '' });
  expect(shown.secret).toBe(secret);
  await server.running.close();
  const { output } = await cli(['doctor', '--deep', '--json', '--data', data]);
  const { findings } = JSON.parse(output) as { findings: { state: string }[] };
  expect(findings.filter(({ state }) => state === 'fail')).toEqual([]);
}, 120_000);
