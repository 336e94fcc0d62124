import type { BlobConfig, BlobError } from '#server/platform/blobs/index.ts';
import { CodedError } from '#server/platform/coded-error.ts';
import type { FailPoint } from '#server/platform/fail-point.ts';

/** A build's inputs and outputs. Keys refer to the blob store. */
export interface BuildTask {
  /** Chunks of records, oldest first; an address's last record counts. */
  chunkKeys: string[];
  /** Lines of chunks that may not be stored yet. */
  unwritten?: ReadonlyMap<string, Uint8Array>;
  /** Segments currently served, oldest first: the source of unchanged pages. */
  baseKeys: string[];
  /** `whole`: the records are complete. `changes`: a segment with only the chunks' pages, layered over the base. */
  kind: 'whole' | 'changes';
  segmentKey: string;
  /** Where to store the page records (without texts) for the next refresh; if omitted, they are not stored. */
  crawlKey?: string;
}

export interface BuildResult {
  pageCount: number;
  snippetCount: number;
  tokenCount: number;
  byteCount: number;
}

export interface BuildThreadData {
  blobConfig: BlobConfig;
  failPoint?: FailPoint | undefined;
  /** Shared memory of the guard that ends the thread. */
  guardedCompression: SharedArrayBuffer;
}

/** Messages to the build thread. */
export type BuildMessage =
  | { kind: 'build'; task: BuildTask }
  /** A later build will include the chunk, so its terms can be computed in advance. */
  | { kind: 'prepare'; chunkKey: string }
  | { kind: 'forget'; chunkKeys: string[] };

/** Messages from the build thread: any number of `alive`, then the task's result. */
export type BuildAnswer =
  | { kind: 'alive' }
  | { kind: 'built'; result: BuildResult }
  | { kind: 'blob-failed'; code: BlobError['code']; message: string }
  | { kind: 'base-damaged'; message: string }
  | { kind: 'failed'; detail: string };

type BuildErrorCode = 'build-failed' | 'build-memory' | 'build-stuck' | 'base-damaged';

/** A build without a segment; nothing was stored under its key. `message` is for people. */
export class BuildError extends CodedError<BuildErrorCode> {
  override readonly name = 'BuildError';
}
