/**
 * Counts this process's storage writes, including its threads', and kills the process before a chosen write, like a
 * power failure. For tests of recovery; created only if configured.
 */
export interface FailPoint {
  /** The write that is no longer performed, counted from 1. */
  readonly before: number;
  /** The number of writes so far, shared between threads. */
  readonly begun: Int32Array<SharedArrayBuffer>;
}

export function createFailPoint(before: number): FailPoint {
  return { before, begun: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) };
}

/** Must be called before each write to the database or the blob store. Does not return if the process must end here. */
export function beforeWrite(failPoint: FailPoint | undefined): void {
  if (failPoint === undefined) return;
  if (Atomics.add(failPoint.begun, 0, 1) + 1 === failPoint.before) process.kill(process.pid, 'SIGKILL');
}
