import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { CachedPieces } from './byte-cache.ts';
import { ByteWriter } from './byte-writer.ts';
import { SegmentFormatError } from './format.ts';
import { GrowingUint32 } from './growing-array.ts';

/** Blocks are closed at this size: large enough to compress well, small enough to unpack in 20 µs. */
const blockBytes = 16_384;

/** Creates a writer of compressed blocks, each with the number of records, their ends, and the records. */
export function createBlockWriter() {
  const packed = new ByteWriter();
  const starts = new GrowingUint32();
  const firsts = new GrowingUint32();
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let recordCount = 0;

  const flush = (): void => {
    if (waiting.length === 0) return;
    const table = new Uint32Array(waiting.length + 1);
    table[0] = waiting.length;
    let end = 0;
    for (const [index, record] of waiting.entries()) {
      end += record.byteLength;
      table[index + 1] = end;
    }
    starts.push(packed.byteLength);
    firsts.push(recordCount - waiting.length);
    packed.bytes(zstdCompressSync(Buffer.concat([new Uint8Array(table.buffer), ...waiting])));
    waiting = [];
    waitingBytes = 0;
  };

  return {
    add(record: Uint8Array): void {
      waiting.push(record);
      waitingBytes += record.byteLength;
      recordCount += 1;
      if (waitingBytes >= blockBytes) flush();
    },
    finish() {
      flush();
      starts.push(packed.byteLength);
      return { chunks: packed.finish(), starts: starts.view().slice(), firsts: firsts.view().slice() };
    },
  };
}

/** Creates a reader of single records; caches unpacked blocks in `kept`. */
export function createBlockReader(
  read: (start: number, length: number) => Uint8Array,
  starts: Uint32Array,
  firsts: Uint32Array,
  kept: CachedPieces,
): (index: number) => Uint8Array {
  const blockOf = (index: number): number => {
    let low = 0;
    let high = firsts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((firsts[middle] as number) <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  };

  const open = (block: number): Uint8Array => {
    const known = kept.get(block);
    if (known !== undefined) return known;
    const start = starts[block] ?? 0;
    const bytes = unpack(read(start, (starts[block + 1] ?? start) - start));
    kept.put(block, bytes);
    return bytes;
  };

  return (index) => {
    const block = blockOf(index);
    const bytes = open(block);
    const table = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const count = table.getUint32(0, true);
    const at = index - (firsts[block] ?? 0);
    if (at < 0 || at >= count) throw new RangeError(`There is no record ${index} in this segment.`);
    const base = 4 * (count + 1);
    const start = at === 0 ? 0 : table.getUint32(4 * at, true);
    return bytes.subarray(base + start, base + table.getUint32(4 * (at + 1), true));
  };
}

function unpack(packed: Uint8Array): Uint8Array {
  try {
    return zstdDecompressSync(packed);
  } catch (error) {
    throw new SegmentFormatError('A block of the segment cannot be unpacked.', { cause: error });
  }
}
