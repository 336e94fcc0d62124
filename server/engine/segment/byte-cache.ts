/** One reader's part of a cache: pieces of its file by number. */
export interface CachedPieces {
  /** Returns the bytes of the piece: the array that was put, or a copy. */
  get(piece: number): Uint8Array | undefined;
  put(piece: number, bytes: Uint8Array): void;
}

/** A bounded cache that all open segments share, so that unused segments hold no memory. */
export interface ByteCache {
  /** Creates a separate key space for one reader's pieces. */
  pieces(): CachedPieces;
}

interface Entry {
  home: (Entry | undefined)[];
  piece: number;
  bytes: Uint8Array;
  /** Referenced since the clock hand last passed. */
  isUsed: boolean;
}

/**
 * Creates a cache of at most `bytesMax` bytes. Evicts pieces that have not been read again (CLOCK, Corbató 1968: as
 * good as LRU, and a hit moves nothing). Larger pieces are not cached.
 */
export function createByteCache(bytesMax: number): ByteCache {
  const entries: Entry[] = [];
  let hand = 0;
  let bytesKept = 0;

  const dropOne = (): void => {
    for (;;) {
      if (hand >= entries.length) hand = 0;
      const entry = entries[hand] as Entry;
      if (!entry.isUsed) {
        entry.home[entry.piece] = undefined;
        bytesKept -= entry.bytes.byteLength;
        const last = entries.pop() as Entry;
        if (last !== entry) entries[hand] = last;
        return;
      }
      entry.isUsed = false;
      hand += 1;
    }
  };

  return {
    pieces() {
      const home: (Entry | undefined)[] = [];
      return {
        get(piece) {
          const entry = home[piece];
          if (entry === undefined) return undefined;
          entry.isUsed = true;
          return entry.bytes;
        },
        put(piece, bytes) {
          if (bytes.byteLength > bytesMax || home[piece] !== undefined) return;
          while (bytesKept + bytes.byteLength > bytesMax) dropOne();
          const entry = { home, piece, bytes: withoutSlack(bytes), isUsed: false };
          home[piece] = entry;
          entries.push(entry);
          bytesKept += bytes.byteLength;
        },
      };
    },
  };
}

/**
 * Copies bytes that are part of a larger buffer, which they would keep in memory: unpacked blocks use buffers of 64 kB.
 * Only counted bytes stay.
 */
function withoutSlack(bytes: Uint8Array): Uint8Array {
  return bytes.buffer.byteLength === bytes.byteLength ? bytes : new Uint8Array(bytes);
}

/**
 * Enough for the pieces that questions read again and again in about twenty documentation sets; of 100 MB per set, the
 * rest is rarely read.
 */
const sharedBytesMax = 96 * 1024 * 1024;

/** The process-wide cache. */
export const sharedByteCache = createByteCache(sharedBytesMax);
