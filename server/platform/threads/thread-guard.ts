import { setTimeout as after } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { guardBits } from './guard-bits.ts';

/** Decompression takes milliseconds; a thread still in it after this time is stuck. */
const patienceMsDefault = 5_000;
const lookEveryMs = 2;

/** Ends a thread only at moments when Node.js survives it. */
export interface ThreadGuard {
  /**
   * Must be passed in the thread's `workerData` as `guardedCompression`; the thread imports `guard-compression.ts`
   * first.
   */
  shared: SharedArrayBuffer;
  /** Ends the thread as soon as it is outside of compression; resolves when it has ended. */
  end(worker: Worker): Promise<void>;
}

/**
 * Creates a guard for a thread. A thread that is terminated after a compression stream is created and before its first
 * use crashes the whole process (`close before init` in node_zlib.cc, Node 24.21). So both sides use a shared number to
 * agree on when the thread may be ended.
 */
export function createThreadGuard({ patienceMs = patienceMsDefault }: { patienceMs?: number } = {}): ThreadGuard {
  const shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const state = new Int32Array(shared);
  return {
    shared,
    async end(worker) {
      const giveUpAt = performance.now() + patienceMs;
      Atomics.or(state, 0, guardBits.ending);
      const isInside = () => (Atomics.load(state, 0) & guardBits.inside) !== 0;
      // A thread that ended by itself during compression never clears its bit.
      while (worker.threadId !== -1 && isInside() && performance.now() < giveUpAt) await after(lookEveryMs);
      await worker.terminate();
    },
  };
}
