import type { DatabaseConfig } from '#server/platform/db/database.ts';
import { isDatabaseError } from '#server/platform/db/database-error.ts';
import { openDatabase } from '#server/platform/db/open-database.ts';

const config = JSON.parse(process.argv[2] ?? '') as DatabaseConfig;
try {
  const database = await openDatabase(config);
  await database.query
    .insertInto('settings')
    .values({ name: `opened by ${process.pid}`, value: '1' })
    .execute();
  await database.close();
  process.stdout.write('{"opened":true}\n');
} catch (error) {
  const code = isDatabaseError(error) ? error.code : 'untyped';
  process.stdout.write(`${JSON.stringify({ opened: false, code, message: String(error) })}\n`);
}
