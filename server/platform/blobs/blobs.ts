import { CodedError } from '../coded-error.ts';

/** Where blobs are stored: a folder of this machine, or a bucket of an S3 service. */
export type BlobConfig = { kind: 'folder'; folder: string } | S3BlobConfig;

export interface S3BlobConfig {
  kind: 's3';
  bucket: string;
  /** Without leading or trailing slashes; empty for the whole bucket. */
  prefix: string;
  region: string;
  /** Undefined for Amazon's service. */
  endpoint: string | undefined;
  /** Undefined to use the machine's own credentials. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** Whole objects are copied here before they are read. */
  cacheFolder: string;
  /** Above this size, the least recently used copies are removed; 10 GB by default. */
  cacheBytesMax?: number;
}

/** Bytes to store: in one piece, or in pieces generated on the fly. */
export type BlobContent = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Synchronous random access to a stored blob on the local disk. Offsets and lengths in bytes. */
export interface OpenBlob {
  readonly byteLength: number;
  /** The file being read; it may be removed while the blob is open. */
  readonly file: string;
  /**
   * Returns separate memory that starts at offset 0 of its buffer. Throws RangeError if any of the range lies outside.
   */
  read(offset: number, length: number): Uint8Array;
  /** Fills the target with the bytes at an offset. Throws RangeError if any of them lies outside. */
  readInto(target: Uint8Array, offset: number): void;
  /** After closing, `read` throws. Closing twice is harmless. */
  close(): void;
}

/** A stored blob, without its content. */
export interface BlobEntry {
  key: string;
  byteLength: number;
  /** Time of storage by the store's clock. Epoch milliseconds. */
  storedAt: number;
}

/**
 * Stores immutable files under keys such as `segments/3f9a.seg`: parts of ASCII letters, digits, `.`, `_`, `~` and `-`,
 * none starting with a dot, separated by single slashes. A store with `a/b` cannot have `a` or `a/b/c`. All methods
 * throw BlobError.
 */
export interface Blobs {
  /** Stores the whole content durably, or nothing; replaces an existing blob. Returns the number of bytes. */
  put(key: string, content: BlobContent): Promise<number>;
  /** Opens a blob, which stays readable even if its key is deleted or replaced. Throws `not-found`. */
  open(key: string): Promise<OpenBlob>;
  exists(key: string): Promise<boolean>;
  /**
   * Deletes a blob. Returns false if it must stay, because another database may use the store too. Succeeds if there is
   * none.
   */
  delete(key: string): Promise<boolean>;
  /** Returns all keys with the prefix (which need not end with a slash), sorted byte by byte. */
  list(prefix: string): Promise<string[]>;
  /** Same as `list` with size and age, for clean-up. */
  entries(prefix: string): Promise<BlobEntry[]>;
  /** Renames a blob, replacing an existing one. Returns false if there is none, or if it must stay. */
  move(from: string, to: string): Promise<boolean>;
}

export type BlobErrorCode =
  | 'not-found'
  | 'invalid-key'
  | 'disk-full'
  | 'not-writable'
  | 'unreachable'
  | 'refused'
  | 'package-missing'
  | 'foreign'
  | 'failed';

/** A failure of the blob store; the message says what to do. */
export class BlobError extends CodedError<BlobErrorCode> {
  override readonly name = 'BlobError';
}

const keyPart = '(?!\\.)[A-Za-z0-9._~-]{1,200}';
const keyPattern = new RegExp(`^${keyPart}(/${keyPart})*$`);
const prefixPattern = new RegExp(`^(${keyPart}/)*(${keyPart})?$`);
// S3 allows 1,024 bytes, including the installation's prefix.
const keyLengthMax = 900;

/** Throws BlobError `invalid-key` unless every store can keep the key. */
export function requireKey(key: string): void {
  if (key.length > keyLengthMax || !keyPattern.test(key)) throw invalidKey(key);
}

/** Throws BlobError `invalid-key` unless a valid key could begin with the prefix. */
export function requirePrefix(prefix: string): void {
  if (prefix.length > keyLengthMax || !prefixPattern.test(prefix)) throw invalidKey(prefix);
}

function invalidKey(key: string): BlobError {
  return new BlobError('invalid-key', `"${key.slice(0, 100)}" cannot name a blob.`);
}

/** Compares keys in the order of `list`. */
export function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
