import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '#test/services/temporary-folder.ts';
import { createThreadGuard } from './thread-guard.ts';

const run = promisify(execFile);
const fileOf = (name: string) => new URL(name, import.meta.url).href;

function scriptOf(text: string): string {
  const file = join(temporaryFolder(), 'script.mjs');
  writeFileSync(file, text);
  return file;
}

test('threads that decompress endlessly are ended, and the process continues', async () => {
  const thread = scriptOf(`
    import '${fileOf('./guard-compression.ts')}';
    import { parentPort } from 'node:worker_threads';
    import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
    const packed = zstdCompressSync('text');
    parentPort.postMessage('begun');
    for (;;) zstdDecompressSync(packed);`);
  // In a separate process: without the guard, a few of these threads would crash it.
  const main = scriptOf(`
    import { once } from 'node:events';
    import { Worker } from 'node:worker_threads';
    import { createThreadGuard } from '${fileOf('./thread-guard.ts')}';
    for (let count = 0; count < 60; count += 1) {
      const guard = createThreadGuard();
      const worker = new Worker(${JSON.stringify(thread)}, { workerData: { guardedCompression: guard.shared } });
      await once(worker, 'message');
      await guard.end(worker);
    }
    console.log('all ended');`);
  const { stdout } = await run(process.execPath, [main]);
  expect(stdout.trim()).toBe('all ended');
});

test('a thread that never returns is ended', async () => {
  const thread = scriptOf(`
    import { parentPort, workerData } from 'node:worker_threads';
    Atomics.store(new Int32Array(workerData.guardedCompression), 0, 1);
    parentPort.postMessage('inside');
    for (;;);`);
  const guard = createThreadGuard({ patienceMs: 50 });
  const worker = new Worker(thread, { workerData: { guardedCompression: guard.shared } });
  onTestFinished(async () => void (await worker.terminate()));
  await new Promise((resolve) => worker.once('message', resolve));
  await guard.end(worker);
  expect(worker.threadId).toBe(-1);
});
