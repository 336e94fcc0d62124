import { setTimeout as delay } from 'node:timers/promises';
import { DataFolderError, prepareDataFolder } from '#server/platform/data-folder.ts';
import { acquireDataFolderLock } from '#server/platform/data-folder-lock.ts';
import { announceServer } from '#server/platform/running-server.ts';

/** Takes a data folder's lock, reports success or the reason, and keeps it until it is killed. */
const { folder } = JSON.parse(process.argv[2] ?? '') as { folder: string };
try {
  await prepareDataFolder(folder);
  const lock = await acquireDataFolderLock(folder, { purpose: 'a test server' });
  await lock.setPort(4711);
  await announceServer(folder, { pid: process.pid, host: '127.0.0.1', port: 4711, operatorToken: 'token' });
  process.stdout.write(`${JSON.stringify({ holds: true, pid: process.pid })}\n`);
  await delay(600_000);
} catch (error) {
  if (!(error instanceof DataFolderError)) throw error;
  process.stdout.write(
    `${JSON.stringify({ holds: false, code: error.code, holder: error.holder, message: error.message })}\n`,
  );
}
