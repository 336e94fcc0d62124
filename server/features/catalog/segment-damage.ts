import { SegmentFormatError } from '#server/engine/index.ts';
import { formatVersion } from '#server/engine/segment/format.ts';
import { BlobError, type OpenBlob } from '#server/platform/blobs/blobs.ts';

/** A segment that is whole, and written in a format that this program does not read. */
export class SegmentVersionError extends Error {
  override readonly name = 'SegmentVersionError';
  readonly isOlder: boolean;

  constructor(version: number, options: ErrorOptions) {
    super(`The segment has format ${version}; this program reads format ${formatVersion}.`, options);
    this.isOlder = version < formatVersion;
  }
}

/** Returns true if a fault says that stored data is not what was written, or cannot be read by this version. */
export function isDamage(error: unknown): boolean {
  return (
    error instanceof SegmentFormatError ||
    error instanceof SegmentVersionError ||
    (error instanceof BlobError && error.code === 'not-found')
  );
}

/** The fault of opening a segment, told apart from that of a segment of another version. */
export function openingFault(error: unknown, blob: OpenBlob): unknown {
  const version = error instanceof SegmentFormatError ? versionOf(blob) : undefined;
  return version === undefined || version === formatVersion
    ? error
    : new SegmentVersionError(version, { cause: error });
}

// The start of every format there has been and will be: eight bytes that name the kind of file, then the version.
const kindOfFile = 'LECTSEG\n';
const startBytes = kindOfFile.length + 4;
/** A number above is no version but damage. */
const versionMax = 10_000;

function versionOf(blob: OpenBlob): number | undefined {
  if (blob.byteLength < startBytes) return undefined;
  const start = Buffer.from(blob.read(0, startBytes));
  const version = start.readUInt32LE(kindOfFile.length);
  return start.toString('latin1', 0, kindOfFile.length) === kindOfFile && version <= versionMax ? version : undefined;
}
