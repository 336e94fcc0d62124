import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrate } from '#server/platform/db/migrate.ts';
import type { Migration } from '#server/platform/db/migrations.ts';
import { connectDatabase, openDatabase } from '#server/platform/db/open-database.ts';
import { emptyDatabaseConfig, freshDatabase, freshDatabaseConfig, onEachDatabase } from '#test/services/database.ts';
import { startProgram } from '#test/services/programs.ts';

const boxes: Migration = { name: '0001-boxes', statements: ['create table boxes (id text primary key, size integer)'] };
const lids: Migration = {
  name: '0002-lids',
  statements: [`alter table boxes add column lid text not null default ''`],
};

onEachDatabase('migrations', (kind) => {
  const tableNames = {
    sqlite: sql<{ name: string }>`select name from sqlite_schema where type = 'table' order by name`,
    postgres: sql<{
      name: string;
    }>`select tablename as name from pg_tables where schemaname = 'public' order by tablename`,
  }[kind];

  test('are applied in order, once, and recorded', async () => {
    const db = connectDatabase(await emptyDatabaseConfig(kind));
    await migrate(db, [boxes]);
    await migrate(db, [boxes, lids]);
    await migrate(db, [boxes, lids]);
    await sql`insert into boxes (id, size) values ('b', 5)`.execute(db.query);
    expect((await sql`select id, size, lid from boxes`.execute(db.query)).rows).toMatchObject([
      { id: 'b', size: 5, lid: '' },
    ]);
    const { rows } = await sql<{ name: string }>`select name from schema_migrations order by name`.execute(db.query);
    expect(rows.map((row) => row.name)).toEqual(['0001-boxes', '0002-lids']);
    await db.close();
  });

  test('leave no changes after a failure and can be tried again', async () => {
    const db = connectDatabase(await emptyDatabaseConfig(kind));
    const broken = { name: '0001-boxes', statements: [...boxes.statements, 'create table boxes (id text)'] };
    await expect(migrate(db, [broken])).rejects.toMatchObject({ name: 'DatabaseError' });
    expect((await tableNames.execute(db.query)).rows.map((row) => row.name)).toEqual([]);
    await migrate(db, [boxes]);
    await db.close();
  });

  test('are refused on a database that a newer program has changed', async () => {
    const config = await freshDatabaseConfig(kind);
    const newer = connectDatabase(config);
    await sql`insert into schema_migrations (name, checksum, applied_at) values ('9999-later', 'x', 1)`.execute(
      newer.query,
    );
    await newer.close();
    await expect(openDatabase(config)).rejects.toMatchObject({
      code: 'newer-database',
      message: expect.stringContaining('9999-later'),
    });
  });

  test('are refused if edited after they were applied', async () => {
    const db = connectDatabase(await emptyDatabaseConfig(kind));
    await migrate(db, [boxes]);
    const edited = { ...boxes, statements: ['create table boxes (id text primary key)'] };
    await expect(migrate(db, [edited])).rejects.toMatchObject({ code: 'migration-changed' });
    await db.close();
  });

  test('let several programs start on an empty database at once', { timeout: 60_000 }, async () => {
    const config = await emptyDatabaseConfig(kind);
    const programs = await Promise.all([1, 2, 3, 4].map(() => startProgram('ports/programs/open-database.ts', config)));
    const answers = (await Promise.all(programs.map((program) => program.rest()))).flat();
    expect(answers).toEqual(Array.from({ length: 4 }, () => ({ opened: true })));
    const db = await openDatabase(config);
    expect(await db.query.selectFrom('settings').selectAll().execute()).toHaveLength(4);
    await db.close();
  });

  test('create indexes for the lists that are queried constantly', async () => {
    const db = await freshDatabase(kind);
    const queries = [
      sql`select * from job_runs where status = 'QUEUED' order by created_at limit 1`,
      sql`select * from job_runs where workspace = 'public' order by created_at desc limit 20`,
      sql`select * from segments where dropped_at < 5`,
      sql`select * from agent_calls where session_id = 's' order by at`,
      sql`select * from modules where workspace = 'public' and slug = 's'`,
    ];
    for (const query of queries) {
      const plan = await db.transaction(async (tx) => {
        if (kind === 'sqlite') return sql`explain query plan ${query}`.execute(tx);
        await sql`set local enable_seqscan = off`.execute(tx);
        return sql`explain ${query}`.execute(tx);
      });
      expect(JSON.stringify(plan.rows)).toMatch(/using (covering )?index|index scan/i);
      expect(JSON.stringify(plan.rows)).not.toMatch(/temp b-tree|seq scan/i);
    }
  });
});
