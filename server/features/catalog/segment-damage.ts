import { SegmentFormatError } from '#server/engine/index.ts';
import { formatVersion } from '#server/engine/segment/format.ts';
import { BlobError, type OpenBlob } from '#server/platform/blobs/blobs.ts';

/** Thrown for an intact segment whose format this program does not read. */
export class SegmentVersionError extends Error {
  override readonly name = 'SegmentVersionError';
  readonly isOlder: boolean;

  constructor(version: number, options: ErrorOptions) {
    super(`The segment has format ${version}; this program reads format ${formatVersion}.`, options);
    this.isOlder = version < formatVersion;
  }
}

/** Returns true if the error means that stored data is damaged or missing, or that this version cannot read it. */
export function isDamage(error: unknown): boolean {
  return (
    error instanceof SegmentFormatError ||
    error instanceof SegmentVersionError ||
    (error instanceof BlobError && error.code === 'not-found')
  );
}

/** Returns the error to throw when opening fails; a SegmentVersionError if the segment has another format version. */
export function openingFault(error: unknown, blob: OpenBlob): unknown {
  const version = error instanceof SegmentFormatError ? versionOf(blob) : undefined;
  return version === undefined || version === formatVersion
    ? error
    : new SegmentVersionError(version, { cause: error });
}

// All format versions, past and future, begin with these eight bytes, then the version number.
const kindOfFile = 'LECTSEG\n';
const startBytes = kindOfFile.length + 4;
/** A larger number is not a version but damage. */
const versionMax = 10_000;

function versionOf(blob: OpenBlob): number | undefined {
  if (blob.byteLength < startBytes) return undefined;
  const start = Buffer.from(blob.read(0, startBytes));
  const version = start.readUInt32LE(kindOfFile.length);
  return start.toString('latin1', 0, kindOfFile.length) === kindOfFile && version <= versionMax ? version : undefined;
}
