/**
 * For threads that another thread may end at any moment: makes sure that a running compression or decompression
 * finishes first (why: `thread-guard.ts`). Must be imported before everything else in the thread, because other modules
 * bind the functions of `node:zlib` when they are loaded; it replaces them in this thread only.
 */
import { syncBuiltinESMExports } from 'node:module';
import { workerData } from 'node:worker_threads';
import zlib from 'node:zlib';
import { guardBits } from './guard-bits.ts';

type Work = (...args: unknown[]) => unknown;

const { guardedCompression } = workerData as { guardedCompression: SharedArrayBuffer };
const state = new Int32Array(guardedCompression);

function guarded(work: Work): Work {
  return (...args) => {
    const before = Atomics.compareExchange(state, 0, 0, guardBits.inside);
    // The thread is about to be ended: start nothing more.
    if ((before & guardBits.ending) !== 0) Atomics.wait(state, 0, before);
    try {
      return work(...args);
    } finally {
      Atomics.and(state, 0, ~guardBits.inside);
    }
  };
}

const functions = zlib as unknown as Record<string, Work>;
for (const [name, value] of Object.entries(functions)) {
  const isConversion = /^(?:gzip|gunzip|unzip|deflate|inflate|brotli|zstd)/.test(name) && typeof value === 'function';
  if (isConversion) functions[name] = guarded(value);
}
syncBuiltinESMExports();
