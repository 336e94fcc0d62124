import { CodedError } from '../coded-error.ts';

/** Where blobs are kept: a folder of this machine, or a bucket of an S3 service. */
export type BlobConfig = { kind: 'folder'; folder: string } | S3BlobConfig;

export interface S3BlobConfig {
  kind: 's3';
  bucket: string;
  /** Without slashes at its ends; empty for the whole bucket. */
  prefix: string;
  region: string;
  /** Undefined: the service of Amazon. */
  endpoint: string | undefined;
  /** Undefined: whatever the machine itself is given. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** Objects are copied here, whole, before they are read. */
  cacheFolder: string;
  /** Copies used least recently are removed above this; 10 GB by default. */
  cacheBytesMax?: number;
}

/** Bytes to store: in one piece, or in pieces as they are made. */
export type BlobContent = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Random access to a stored blob on the local disk, without waiting. Offsets and lengths in bytes. */
export interface OpenBlob {
  readonly byteLength: number;
  /** The file that is read; it may be removed while the blob is open. */
  readonly file: string;
  /** Returns memory of its own that starts at offset 0 of its buffer. Throws RangeError when any of it lies outside. */
  read(offset: number, length: number): Uint8Array;
  /** Fills the target with the bytes at an offset. Throws RangeError when any of them lies outside. */
  readInto(target: Uint8Array, offset: number): void;
  /** Afterwards `read` throws. Closing twice does nothing. */
  close(): void;
}

/** A stored blob, without its content. */
export interface BlobEntry {
  key: string;
  byteLength: number;
  /** When it was stored, by the clock of the store. Epoch milliseconds. */
  storedAt: number;
}

/**
 * Keeps files that never change under keys such as `segments/3f9a.seg`: parts of ASCII letters, digits, `.`, `_`, `~`
 * and `-`, none starting with a dot, separated by single slashes. With `a/b` in the store, `a` and `a/b/c` cannot be.
 * All methods throw BlobError.
 */
export interface Blobs {
  /** Stores all of the content, durably, or nothing; replaces what was there. Returns the number of bytes. */
  put(key: string, content: BlobContent): Promise<number>;
  /** An open blob stays readable when its key is deleted or replaced. Throws `not-found`. */
  open(key: string): Promise<OpenBlob>;
  exists(key: string): Promise<boolean>;
  /** Returns false when it must stay: another database may use the store too. Succeeds also when there is nothing. */
  delete(key: string): Promise<boolean>;
  /** Every key that starts with the prefix (which need not end at a slash), sorted byte by byte. */
  list(prefix: string): Promise<string[]>;
  /** The same with size and age, for those that look for what can go. */
  entries(prefix: string): Promise<BlobEntry[]>;
  /** Gives a blob another key, replacing what was there. Returns false when there is none, or it must stay. */
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

/** Every failure of the blob store, as one sentence that says what to do. */
export class BlobError extends CodedError<BlobErrorCode> {
  override readonly name = 'BlobError';
}

const keyPart = '(?!\\.)[A-Za-z0-9._~-]{1,200}';
const keyPattern = new RegExp(`^${keyPart}(/${keyPart})*$`);
const prefixPattern = new RegExp(`^(${keyPart}/)*(${keyPart})?$`);
// S3 allows 1,024 bytes, the prefix of the installation included.
const keyLengthMax = 900;

/** Throws BlobError `invalid-key` unless the key is one that every store can keep. */
export function requireKey(key: string): void {
  if (key.length > keyLengthMax || !keyPattern.test(key)) throw invalidKey(key);
}

/** Throws BlobError `invalid-key` unless some key could start so. */
export function requirePrefix(prefix: string): void {
  if (prefix.length > keyLengthMax || !prefixPattern.test(prefix)) throw invalidKey(prefix);
}

function invalidKey(key: string): BlobError {
  return new BlobError('invalid-key', `"${key.slice(0, 100)}" cannot name a blob.`);
}

/** The order of `list`. */
export function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
