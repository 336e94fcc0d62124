/** What one reader keeps in a cache: pieces of its file by number. */
export interface CachedPieces {
  /** The bytes of the piece: those that were put, or a copy of them. */
  get(piece: number): Uint8Array | undefined;
  put(piece: number, bytes: Uint8Array): void;
}

/** A bounded memory that all open segments share, so that those no one asks hold nothing. */
export interface ByteCache {
  /** A place of its own for the pieces of one reader. */
  pieces(): CachedPieces;
}

interface Entry {
  home: (Entry | undefined)[];
  piece: number;
  bytes: Uint8Array;
  /** Read since the hand last came by. */
  isUsed: boolean;
}

/**
 * Keeps at most `bytesMax` bytes of pieces, and of the rest those read again since they came (CLOCK, Corbató 1968: as good
 * as forgetting the least recently used, and a hit moves nothing). A piece larger than that is not kept.
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

/** Bytes hold all of the buffer they lie in, and unpacked ones lie in a buffer of 64 kB: only what is counted is kept. */
function withoutSlack(bytes: Uint8Array): Uint8Array {
  return bytes.buffer.byteLength === bytes.byteLength ? bytes : new Uint8Array(bytes);
}

/** Enough for what questions read again and again in some twenty documentation sets; the rest of 100 MB is read once in a while. */
const sharedBytesMax = 96 * 1024 * 1024;

/** The memory of this process. */
export const sharedByteCache = createByteCache(sharedBytesMax);
