import { setTimeout as after } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { guardBits } from './guard-bits.ts';

/** Unpacking takes milliseconds; a thread that is still at it by then is stuck in something else. */
const patienceMsDefault = 5_000;
const lookEveryMs = 2;

/** Ends a thread at moments only at which Node survives it. */
export interface ThreadGuard {
  /** For the thread's `workerData`, under `guardedCompression`; the thread imports `guard-compression.ts` before all else. */
  shared: SharedArrayBuffer;
  /** Ends the thread as soon as it is outside of compression; resolves when it has ended. */
  end(worker: Worker): Promise<void>;
}

/**
 * A thread that is terminated between the making of a compression stream and its first use takes the whole process along
 * (`close before init` in node_zlib.cc, Node 24.21). So the two agree over one shared number when a thread may be ended.
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
      // One that has ended by itself while at work never says that it is done.
      while (worker.threadId !== -1 && isInside() && performance.now() < giveUpAt) await after(lookEveryMs);
      await worker.terminate();
    },
  };
}
