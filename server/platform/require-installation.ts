import type { Config } from './config/config.ts';
import { DataFolderError, requireRestored } from './data-folder.ts';
import { isThere } from './system-files.ts';

/**
 * Throws DataFolderError if there is no installation at the configured place, such as in a mistyped folder, where
 * opening would create a new one. Creates nothing. Accepts an installation with files but no rows: opening it reports
 * the problem.
 */
export async function requireInstallation({ dataFolder, database, blobs }: Config): Promise<void> {
  if (database.kind === 'sqlite') {
    requireRestored(dataFolder);
    if ((await isThere(database.file)) || (blobs.kind === 'folder' && (await isThere(blobs.folder)))) return;
    throw new DataFolderError(
      'no-installation',
      `There is no installation in ${dataFolder}. Name its data folder with --data, set DATABASE_URL if its database is PostgreSQL, or create one with "lectern start".`,
    );
  }
  const [{ connectDatabase }, { isNew }] = await Promise.all([
    import('./db/open-database.ts'),
    import('./db/migrate.ts'),
  ]);
  const db = connectDatabase(database);
  try {
    if (!(await isNew(db))) return;
  } finally {
    await db.close();
  }
  throw new DataFolderError(
    'no-installation',
    'The PostgreSQL database has no installation. Correct DATABASE_URL, or create one with "lectern start".',
  );
}
