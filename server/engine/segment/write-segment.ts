import { crc32 } from 'node:zlib';
import {
  alignedTo8,
  checkedPageBytes,
  encodeHeader,
  headerBytes,
  type Place,
  type SegmentDirectory,
} from './format.ts';

type Table = Uint8Array | Uint32Array;

/** The contents of a segment before they are assigned offsets. */
export interface SegmentParts {
  counts: Omit<SegmentDirectory, 'data' | 'tables'>;
  data: Record<string, Uint8Array[]>;
  tables: Record<string, Table>;
}

/** Writes the header, data (checksummed in pages), directory and tables. Yields the file in order. */
export function* writeSegment(parts: SegmentParts): Generator<Uint8Array> {
  let offset = headerBytes;
  const data: Record<string, Place> = {};
  const body: Uint8Array[] = [];
  for (const [name, chunks] of Object.entries(parts.data)) {
    const byteLength = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
    data[name] = { offset, byteLength };
    body.push(...chunks);
    offset += byteLength;
  }
  const tablesOffset = alignedTo8(offset);
  if (tablesOffset > offset) body.push(new Uint8Array(tablesOffset - offset));
  const allTables = { ...parts.tables, pageChecksums: checksumPages(body) };
  const tables = placeTables(allTables);
  const directory = Buffer.from(JSON.stringify({ ...parts.counts, data, tables } satisfies SegmentDirectory));
  const tail = joinTables(directory, allTables, tables);
  yield encodeHeader({
    fileBytes: tablesOffset + tail.byteLength,
    tablesOffset,
    tablesBytes: tail.byteLength,
    directoryBytes: directory.byteLength,
    tablesChecksum: crc32(tail),
  });
  yield* body;
  yield tail;
}

/** Assigns offsets from the start of the tables, which follow the directory at the next multiple of 8. */
function placeTables(tables: Record<string, Table>): Record<string, Place> {
  const places: Record<string, Place> = {};
  let offset = 0;
  for (const [name, table] of Object.entries(tables)) {
    places[name] = { offset, byteLength: table.byteLength };
    offset = alignedTo8(offset + table.byteLength);
  }
  return places;
}

function joinTables(directory: Uint8Array, tables: Record<string, Table>, places: Record<string, Place>): Uint8Array {
  const start = alignedTo8(directory.byteLength);
  const end = Math.max(0, ...Object.values(places).map((place) => alignedTo8(place.offset + place.byteLength)));
  const tail = new Uint8Array(start + end);
  tail.set(directory);
  for (const [name, table] of Object.entries(tables)) {
    const bytes = new Uint8Array(table.buffer, table.byteOffset, table.byteLength);
    tail.set(bytes, start + (places[name] as Place).offset);
  }
  return tail;
}

/** Returns one CRC-32 per page of the data area; pages are counted from the end of the header. */
function checksumPages(body: readonly Uint8Array[]): Uint32Array {
  const total = body.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  const checksums = new Uint32Array(Math.ceil(total / checkedPageBytes));
  let at = 0;
  for (const chunk of body) {
    for (let start = 0; start < chunk.byteLength; ) {
      const page = Math.floor(at / checkedPageBytes);
      const count = Math.min(chunk.byteLength - start, (page + 1) * checkedPageBytes - at);
      checksums[page] = crc32(chunk.subarray(start, start + count), checksums[page]);
      start += count;
      at += count;
    }
  }
  return checksums;
}
