import { crc32 } from 'node:zlib';
import type { ByteSource } from '../types.ts';
import {
  alignedTo8,
  checkedPageBytes,
  decodeHeader,
  headerBytes,
  type SegmentDirectory,
  SegmentFormatError,
} from './format.ts';

/** The part of a segment that stays in memory. */
export interface SegmentTables {
  directory: SegmentDirectory;
  /** End of the data area. */
  dataEnd: number;
  /** The memory of all tables, which other threads of the process can share. */
  memory: SharedArrayBuffer;
  bytes(name: string): Uint8Array;
  numbers(name: string): Uint32Array;
}

/**
 * Reads the header, directory and tables and verifies their checksums. With `known`, uses the tables that another
 * thread has read. Throws SegmentFormatError.
 */
export function readTables(source: ByteSource, known?: SharedArrayBuffer): SegmentTables {
  const header = decodeHeader(source);
  const { tablesOffset, tablesBytes, directoryBytes } = header;
  if (tablesOffset + tablesBytes !== source.byteLength || tablesOffset < headerBytes || directoryBytes > tablesBytes) {
    throw new SegmentFormatError('The header of the segment does not fit the file.');
  }
  const memory = known ?? sharedMemoryOf(source, tablesOffset, tablesBytes);
  const tail = new Uint8Array(memory);
  if (known === undefined && crc32(tail) !== header.tablesChecksum) {
    throw new SegmentFormatError('The tables of the segment were changed.');
  }
  const directory = JSON.parse(Buffer.from(memory, 0, directoryBytes).toString('utf8')) as SegmentDirectory;
  const start = alignedTo8(directoryBytes);
  const bytes = (name: string): Uint8Array => {
    const place = directory.tables[name];
    if (place === undefined) throw new SegmentFormatError(`The segment has no table ${name}.`);
    return tail.subarray(start + place.offset, start + place.offset + place.byteLength);
  };
  const numbers = (name: string): Uint32Array => {
    const table = bytes(name);
    return new Uint32Array(table.buffer, table.byteOffset, table.byteLength >> 2);
  };
  const pages = Math.ceil((tablesOffset - headerBytes) / checkedPageBytes);
  if (numbers('pageChecksums').length !== pages || numbers('pageFirst').length !== directory.pageCount + 1) {
    throw new SegmentFormatError('The tables of the segment do not fit together.');
  }
  return { directory, dataEnd: tablesOffset, memory, bytes, numbers };
}

/**
 * Copies bytes into separate memory that threads can share: aligned for numbers, and without keeping the source's
 * buffer alive.
 */
function sharedMemoryOf(source: ByteSource, offset: number, length: number): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(length);
  const target = new Uint8Array(memory);
  if (source.readInto === undefined) target.set(source.read(offset, length));
  else source.readInto(target, offset);
  return memory;
}
