import { crc32 } from 'node:zlib';
import type { ByteSource } from '../types.ts';
import type { CachedPieces } from './byte-cache.ts';
import { checkedPageBytes, headerBytes, SegmentFormatError } from './format.ts';

/** The data area of a segment, read in pages whose checksums are verified. */
export interface CheckedSource {
  /** Returns the bytes at an offset of the file. Throws SegmentFormatError if a checksum does not match. */
  read(offset: number, length: number): Uint8Array;
  /** Reads and verifies all pages. Throws SegmentFormatError. */
  verify(): void;
}

export function createCheckedSource(
  source: ByteSource,
  checksums: Uint32Array,
  dataEnd: number,
  kept: CachedPieces,
): CheckedSource {
  const load = (page: number): Uint8Array => {
    const start = headerBytes + page * checkedPageBytes;
    const bytes = source.read(start, Math.min(checkedPageBytes, dataEnd - start));
    if (crc32(bytes) !== checksums[page]) throw new SegmentFormatError(`The segment was changed near byte ${start}.`);
    return bytes;
  };

  const open = (page: number): Uint8Array => {
    const known = kept.get(page);
    if (known !== undefined) return known;
    const bytes = load(page);
    kept.put(page, bytes);
    return bytes;
  };

  return {
    read(offset, length) {
      if (offset < headerBytes || length < 0 || offset + length > dataEnd) {
        throw new SegmentFormatError('The segment points outside of itself.');
      }
      if (length === 0) return new Uint8Array(0);
      const start = offset - headerBytes;
      const firstPage = Math.floor(start / checkedPageBytes);
      const lastPage = Math.floor((start + length - 1) / checkedPageBytes);
      const within = start - firstPage * checkedPageBytes;
      if (firstPage === lastPage) return open(firstPage).subarray(within, within + length);
      const bytes = new Uint8Array(length);
      let at = 0;
      for (let page = firstPage; page <= lastPage; page += 1) {
        const from = page === firstPage ? within : 0;
        const piece = open(page).subarray(from, from + length - at);
        bytes.set(piece, at);
        at += piece.byteLength;
      }
      return bytes;
    },
    verify() {
      for (let page = 0; page < checksums.length; page += 1) load(page);
    },
  };
}
