import type { BlobConfig, BlobError } from '#server/platform/blobs/index.ts';
import { CodedError } from '#server/platform/coded-error.ts';
import type { FailPoint } from '#server/platform/fail-point.ts';

/** What one build reads and where it puts the result. Keys are those of the blob store. */
export interface BuildTask {
  /** Chunks of records, oldest first; of several records of an address the last counts. */
  chunkKeys: string[];
  /** The lines of those that may not be stored yet. */
  unwritten?: ReadonlyMap<string, Uint8Array>;
  /** Segments served now, oldest first: the source of pages that did not change. */
  baseKeys: string[];
  /** `whole`: the records say everything there is. `changes`: only the pages in the chunks, to lie over the base. */
  kind: 'whole' | 'changes';
  segmentKey: string;
  /** Where the records of pages without their texts are kept for the next refresh; left out: nowhere. */
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
  /** Of the guard that ends the thread. */
  guardedCompression: SharedArrayBuffer;
}

/** What the build thread receives. */
export type BuildMessage =
  | { kind: 'build'; task: BuildTask }
  /** The chunk will be part of a build: what can be done of it before may be done. */
  | { kind: 'prepare'; chunkKey: string }
  | { kind: 'forget'; chunkKeys: string[] };

/** What the build thread says: any number of signs of life, then how the task ended. */
export type BuildAnswer =
  | { kind: 'alive' }
  | { kind: 'built'; result: BuildResult }
  | { kind: 'blob-failed'; code: BlobError['code']; message: string }
  | { kind: 'base-damaged'; message: string }
  | { kind: 'failed'; detail: string };

type BuildErrorCode = 'build-failed' | 'build-memory' | 'build-stuck' | 'base-damaged';

/** A build that did not end with a segment; nothing was stored under its key. `message` is for people. */
export class BuildError extends CodedError<BuildErrorCode> {
  override readonly name = 'BuildError';
}
