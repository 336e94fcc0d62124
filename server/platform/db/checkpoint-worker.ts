import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

const database = new DatabaseSync(workerData as string, { timeout: 0 });
// Syncs before and after, like the writing handle; no one waits for it here.
database.exec('pragma synchronous = normal');

parentPort?.on('message', (told: 'checkpoint' | 'close') => {
  if (told === 'close') {
    database.close();
    parentPort?.close();
    return;
  }
  database.exec('pragma wal_checkpoint(passive)');
  parentPort?.postMessage('done');
});
