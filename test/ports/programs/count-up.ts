import type { DatabaseConfig, Durability } from '#server/platform/db/database.ts';
import { openDatabase } from '#server/platform/db/open-database.ts';

/** Increments the module `counter` repeatedly, each time in a transaction, and prints each committed count. */
const { config, times, durability } = JSON.parse(process.argv[2] ?? '') as {
  config: DatabaseConfig;
  times: number;
  durability?: Durability;
};
const database = await openDatabase(config);
for (let done = 0; done < times; done++) {
  const row = await database.transaction(
    async (tx) => {
      // Reading first must not make the following write fail.
      await tx.selectFrom('modules').select('slug').where('id', '=', 'counter').executeTakeFirstOrThrow();
      return tx
        .updateTable('modules')
        .set((column) => ({ revision: column('revision', '+', 1) }))
        .where('id', '=', 'counter')
        .returning('revision')
        .executeTakeFirstOrThrow();
    },
    { durability },
  );
  process.stdout.write(`${row.revision}\n`);
}
await database.close();
