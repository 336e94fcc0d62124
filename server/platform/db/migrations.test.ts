import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { emptyDatabaseConfig, onEachDatabase } from '#test/services/database.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations.ts';
import { connectDatabase } from './open-database.ts';

const before = (name: string) => migrations.filter((migration) => migration.name < name);

onEachDatabase('accounts created before credits existed', (kind) => {
  test('get 200 credits, in the balance and in the ledger', async () => {
    const db = connectDatabase(await emptyDatabaseConfig(kind));
    await migrate(db, before('0003'));
    await sql`insert into users (id, display_name, created_at) values ('anna', 'Anna', 7), ('bert', 'Bert', 8)`.execute(
      db.query,
    );
    await migrate(db, before('0004'));
    const users = await db.query.selectFrom('users').select(['id', 'credits']).orderBy('id').execute();
    expect(users).toEqual([
      { id: 'anna', credits: 200 },
      { id: 'bert', credits: 200 },
    ]);
    const rows = await db.query.selectFrom('creditTransactions').selectAll().orderBy('userId').execute();
    expect(rows).toMatchObject([
      { userId: 'anna', amount: 200, source: 'initial', timestamp: 7, requestId: 'initial:anna' },
      { userId: 'bert', amount: 200, source: 'initial', timestamp: 8, requestId: 'initial:bert' },
    ]);
    await db.close();
  });
});
