import { type FoundTerms, TermFinder } from '#server/engine/index.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import { decodeSpoolChunk, readBlob, type SpoolRecord } from './spool.ts';

/** Memory limit for all runs; further chunks are processed when their segment is built. */
const bytesMax = 96_000_000;
const termsMax = 1_000_000;

/**
 * Computes the terms of each chunk's pages, the slow half of a build, while more pages arrive. Only saves time: the
 * build computes any terms missing here.
 */
export class PreparedPages {
  readonly #chunks = new Map<string, (FoundTerms | undefined)[]>();
  #finder = new TermFinder();
  #bytes = 0;

  /** Processes a chunk. If it cannot be read, does nothing: the build reports the error. */
  async prepare(blobs: Blobs, chunkKey: string): Promise<void> {
    if (this.#bytes >= bytesMax || this.#finder.termCount >= termsMax) return;
    const found = await readBlob(blobs, chunkKey)
      .then((bytes) => decodeSpoolChunk(bytes).map((record) => this.#termsOf(record)))
      .catch(() => undefined);
    if (found === undefined) return;
    this.#chunks.set(chunkKey, found);
    for (const terms of found) this.#bytes += terms?.entries.byteLength ?? 0;
  }

  of(chunkKey: string, index: number): FoundTerms | undefined {
    return this.#chunks.get(chunkKey)?.[index];
  }

  forget(chunkKeys: string[]): void {
    for (const key of chunkKeys) {
      for (const terms of this.#chunks.get(key) ?? []) this.#bytes -= terms?.entries.byteLength ?? 0;
      this.#chunks.delete(key);
    }
    if (this.#chunks.size === 0) this.#finder = new TermFinder();
  }

  #termsOf({ status, page }: SpoolRecord): FoundTerms | undefined {
    return status === 'page' && page !== undefined ? this.#finder.find(page) : undefined;
  }
}
