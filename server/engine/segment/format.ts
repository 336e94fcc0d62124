import { crc32 } from 'node:zlib';
import type { ByteSource } from '../types.ts';

/** Thrown for bytes that are no segment, or that are truncated, changed or of another format version. */
export class SegmentFormatError extends Error {
  override readonly name = 'SegmentFormatError';
}

/** Raised when older segments can no longer be read, or when their terms would differ. */
export const formatVersion = 1;
/** Data is checksummed in pages of this size, each verified when it is first read. */
export const checkedPageBytes = 16_384;
export const headerBytes = 48;

const magic = [0x4c, 0x45, 0x43, 0x54, 0x53, 0x45, 0x47, 0x0a]; // "LECTSEG\n"

export interface Place {
  offset: number;
  byteLength: number;
}

/** Counts and offsets of a segment. Offsets are from the start of the file. */
export interface SegmentDirectory {
  pageCount: number;
  snippetCount: number;
  tokenCount: number;
  termCount: number;
  /** Terms in each snippet field, over all snippets. */
  snippetFieldTotals: number[];
  /** Terms in each page field, over all pages. */
  pageFieldTotals: number[];
  /** Terms in the titles of most pages: the module's own name. */
  selfTerms: string[];
  /** Read on demand. */
  data: Record<string, Place>;
  /** Kept in memory. */
  tables: Record<string, Place>;
}

/** The fixed start of the file: position and checksum of the directory and tables. */
export interface SegmentHeader {
  fileBytes: number;
  tablesOffset: number;
  tablesBytes: number;
  directoryBytes: number;
  tablesChecksum: number;
}

export function encodeHeader(header: SegmentHeader): Uint8Array {
  const bytes = new Uint8Array(headerBytes);
  bytes.set(magic);
  const view = new DataView(bytes.buffer);
  view.setUint32(8, formatVersion, true);
  view.setUint32(12, header.directoryBytes, true);
  view.setBigUint64(16, BigInt(header.fileBytes), true);
  view.setBigUint64(24, BigInt(header.tablesOffset), true);
  view.setUint32(32, header.tablesBytes, true);
  view.setUint32(36, header.tablesChecksum, true);
  view.setUint32(headerBytes - 4, crc32(bytes.subarray(0, headerBytes - 4)), true);
  return bytes;
}

/** Reads and checks the header. Throws SegmentFormatError. */
export function decodeHeader(source: ByteSource): SegmentHeader {
  if (source.byteLength < headerBytes) throw new SegmentFormatError('The file is too short to be a segment.');
  const bytes = source.read(0, headerBytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, headerBytes);
  if (magic.some((byte, at) => bytes[at] !== byte)) throw new SegmentFormatError('The file is not a segment.');
  const version = view.getUint32(8, true);
  if (version !== formatVersion) {
    throw new SegmentFormatError(`The segment has format ${version}; this program reads format ${formatVersion}.`);
  }
  if (crc32(bytes.subarray(0, headerBytes - 4)) !== view.getUint32(headerBytes - 4, true)) {
    throw new SegmentFormatError('The header of the segment was changed.');
  }
  const header = {
    directoryBytes: view.getUint32(12, true),
    fileBytes: Number(view.getBigUint64(16, true)),
    tablesOffset: Number(view.getBigUint64(24, true)),
    tablesBytes: view.getUint32(32, true),
    tablesChecksum: view.getUint32(36, true),
  };
  if (header.fileBytes !== source.byteLength) {
    throw new SegmentFormatError(
      `The segment should have ${header.fileBytes} bytes, but the file has ${source.byteLength}.`,
    );
  }
  return header;
}

export function alignedTo8(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}
