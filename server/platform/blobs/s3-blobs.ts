import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import { isSystemError } from '../system-files.ts';
import {
  type BlobContent,
  type BlobEntry,
  BlobError,
  type Blobs,
  compareKeys,
  type OpenBlob,
  requireKey,
  requirePrefix,
  type S3BlobConfig,
} from './blobs.ts';
import { type ObjectCache, openObjectCache } from './object-cache.ts';
import { type ObjectName, type S3Sdk, upload } from './s3-upload.ts';

const connectTimeoutMs = 5_000;
/**
 * People wait for reads and for small requests: a service that does not start to respond within this time is tried once
 * more, and then counts as unreachable.
 */
const answerTimeoutMs = 5_000;
const quickAttemptsMax = 2;
/** Timeout of an idle connection; a response to stored or copied content may take a while. */
const silenceMs = 15_000;
const writeAttemptsMax = 3;

/**
 * Stores each blob as an object of a bucket, with path-style addresses. Objects of another installation under a longer
 * prefix are not listed. Reading first copies the whole object to the cache folder. Needs the optional package
 * `@aws-sdk/client-s3`.
 */
export async function s3Blobs(
  config: S3BlobConfig,
  isFirst: boolean,
  importSdk = () => import('@aws-sdk/client-s3'),
): Promise<Blobs> {
  const sdk = await loadSdk(importSdk);
  const settings = {
    region: config.region,
    forcePathStyle: true,
    // Stores other than Amazon's reject the optional checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(config.endpoint ? { endpoint: config.endpoint } : {}),
    ...(config.credentials ? { credentials: config.credentials } : {}),
  } satisfies S3ClientConfig;
  const patience = { connectionTimeout: connectTimeoutMs, socketTimeout: silenceMs };
  const writing = new sdk.S3Client({ ...settings, maxAttempts: writeAttemptsMax, requestHandler: patience });
  const quick = new sdk.S3Client({
    ...settings,
    maxAttempts: quickAttemptsMax,
    // Without `throwOnRequestTimeout`, a timeout only prints a line on standard output.
    requestHandler: { ...patience, requestTimeout: answerTimeoutMs, throwOnRequestTimeout: true },
  });
  const clients = { quick, writing };
  return new S3Blobs(config, sdk, clients, await openObjectCache(config.cacheFolder, isFirst, config.cacheBytesMax));
}

/** HTTP status of a read whose object was overwritten in the meantime. */
const preconditionFailed = 412;
const openAttempts = 5;

interface Head {
  tag: string;
  byteLength: number | undefined;
}

class S3Blobs implements Blobs {
  readonly #config: S3BlobConfig;
  readonly #sdk: S3Sdk;
  readonly #clients: { quick: S3Client; writing: S3Client };
  readonly #cache: ObjectCache;
  readonly #root: string;

  constructor(config: S3BlobConfig, sdk: S3Sdk, clients: { quick: S3Client; writing: S3Client }, cache: ObjectCache) {
    this.#config = config;
    this.#sdk = sdk;
    this.#clients = clients;
    this.#cache = cache;
    this.#root = config.prefix === '' ? '' : `${config.prefix}/`;
  }

  put(key: string, content: BlobContent): Promise<number> {
    return this.#translated(async () => upload(this.#sdk, this.#clients.writing, this.#objectOf(key), content));
  }

  open(key: string): Promise<OpenBlob> {
    return this.#translated(async () => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await this.#openAsTagged(key);
        } catch (error) {
          // Another process wrote or deleted the object after its tag was read.
          if (!isMissing(error) && statusOf(error) !== preconditionFailed) throw error;
          if (attempt === openAttempts) throw error;
        }
      }
    });
  }

  async #openAsTagged(key: string): Promise<OpenBlob> {
    const object = this.#objectOf(key);
    const name = [this.#config.endpoint ?? '', object.Bucket, object.Key].join('\n');
    let head: Head | undefined;
    try {
      head = await this.#headOf(object);
    } catch (error) {
      // The store is unreachable, so the object is assumed to be unchanged.
      const copy = this.#isAway(error) ? await this.#cache.openLast(name) : undefined;
      if (copy === undefined) throw error;
      return copy;
    }
    if (head === undefined) throw new BlobError('not-found', `There is no blob ${key}.`);
    const { tag, byteLength } = head;
    return this.#cache.open({ object: name, version: tag }, async () => {
      const { Body } = await this.#clients.quick.send(new this.#sdk.GetObjectCommand({ ...object, IfMatch: tag }));
      // In Node.js the body is a readable stream of bytes.
      const body = Body as AsyncIterable<Uint8Array>;
      return byteLength === undefined ? body : this.#whole(body, byteLength);
    });
  }

  /** Throws `unreachable` at the end of other than `byteLength` bytes: the copy would stay as long as the object. */
  async *#whole(body: AsyncIterable<Uint8Array>, byteLength: number): AsyncGenerator<Uint8Array> {
    let left = byteLength;
    for await (const piece of body) {
      left -= piece.byteLength;
      yield piece;
    }
    if (left !== 0) throw this.#unreachable('sent only a part of an object');
  }

  exists(key: string): Promise<boolean> {
    return this.#translated(async () => (await this.#headOf(this.#objectOf(key))) !== undefined);
  }

  delete(key: string): Promise<boolean> {
    return this.#translated(async () => {
      await this.#clients.quick.send(new this.#sdk.DeleteObjectCommand(this.#objectOf(key)));
      return true;
    });
  }

  async list(prefix: string): Promise<string[]> {
    return (await this.entries(prefix)).map(({ key }) => key);
  }

  entries(prefix: string): Promise<BlobEntry[]> {
    return this.#translated(async () => {
      requirePrefix(prefix);
      const entries: BlobEntry[] = [];
      const query = { Bucket: this.#config.bucket, Prefix: `${this.#root}${prefix}` };
      for await (const page of this.#sdk.paginateListObjectsV2({ client: this.#clients.quick }, query)) {
        for (const { Key, Size = 0, LastModified } of page.Contents ?? []) {
          // Consoles of S3 services create an object for a folder.
          if (!Key || Key.endsWith('/')) continue;
          // An object of unknown age counts as new.
          const storedAt = LastModified?.getTime() ?? Number.POSITIVE_INFINITY;
          entries.push({ key: Key.slice(this.#root.length), byteLength: Size, storedAt });
        }
      }
      const others = entries.flatMap(({ key }) => /^(.+\/)installation\.json$/.exec(key)?.[1] ?? []);
      const own = entries.filter(({ key }) => !others.some((folder) => key.startsWith(folder)));
      return own.sort((a, b) => compareKeys(a.key, b.key));
    });
  }

  move(from: string, to: string): Promise<boolean> {
    return this.#translated(async () => {
      const [source, target] = [this.#objectOf(from), this.#objectOf(to)];
      if ((await this.#headOf(source)) === undefined) return false;
      const path = source.Key.split('/').map(encodeURIComponent).join('/');
      const copy = new this.#sdk.CopyObjectCommand({ ...target, CopySource: `${source.Bucket}/${path}` });
      try {
        await this.#clients.writing.send(copy);
      } catch (error) {
        // Another process moved it first.
        if (isMissing(error)) return false;
        throw error;
      }
      await this.#clients.quick.send(new this.#sdk.DeleteObjectCommand(source));
      return true;
    });
  }

  #objectOf(key: string): ObjectName {
    requireKey(key);
    return { Bucket: this.#config.bucket, Key: `${this.#root}${key}` };
  }

  /** Returns the object's entity tag, which every store provides, and its size; undefined if there is no object. */
  async #headOf(object: ObjectName): Promise<Head | undefined> {
    try {
      const head = await this.#clients.quick.send(new this.#sdk.HeadObjectCommand(object));
      const { ETag: tag, ContentLength: byteLength } = head;
      if (tag === undefined) throw this.#unreachable('does not answer like an S3 service');
      return { tag, byteLength };
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  }

  #unreachable(reason: string): BlobError {
    const { bucket } = this.#config;
    return new BlobError('unreachable', `The bucket ${bucket} ${reason}. Check S3_ENDPOINT and the network.`);
  }

  #isAway(error: unknown): boolean {
    const fault = this.#faultOf(error);
    return fault instanceof BlobError && fault.code === 'unreachable';
  }

  #faultOf(error: unknown): unknown {
    const { bucket, endpoint } = this.#config;
    return translateS3Error(error, `bucket ${bucket}${endpoint ? ` at ${endpoint}` : ''}`);
  }

  async #translated<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.#faultOf(error);
    }
  }
}

async function loadSdk(importSdk: () => Promise<S3Sdk>): Promise<S3Sdk> {
  try {
    return await importSdk();
  } catch (error) {
    if (!isSystemError(error, 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new BlobError(
      'package-missing',
      'BLOB_STORE names a bucket, but the package for it is not installed. Run: npm install @aws-sdk/client-s3',
      { cause: error },
    );
  }
}

/** Returns the HTTP status of the response to an S3 request, if there was one. */
function statusOf(error: unknown): number | undefined {
  const metadata = error instanceof Error && '$metadata' in error ? error.$metadata : undefined;
  return (metadata as { httpStatusCode?: number } | undefined)?.httpStatusCode;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && error.name === 'NoSuchKey';
}

/**
 * Converts an error of the S3 client to a BlobError; returns anything else unchanged. `bucketName` as in "bucket docs".
 */
function translateS3Error(error: unknown, bucketName: string): unknown {
  if (error instanceof BlobError) return error;
  const status = statusOf(error);
  const reason = error instanceof Error ? error.name : String(error);
  if (status !== undefined && status >= 300 && status < 400) {
    const where = 'is in another region or at another address. Check S3_REGION and S3_ENDPOINT.';
    return new BlobError('refused', `The ${bucketName} ${where}`, { cause: error });
  }
  if (status === 404) {
    return new BlobError('refused', `There is no ${bucketName}. Create it, or correct BLOB_STORE.`, {
      cause: error,
    });
  }
  if (status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429) {
    // Responses to HEAD requests have no body that names the reason.
    const named = reason === 'Unknown' ? `HTTP ${status}` : reason;
    const toCheck = "Check S3_ACCESS_KEY_ID, its secret, S3_REGION and this machine's clock.";
    return new BlobError('refused', `Access to the ${bucketName} was refused (${named}). ${toCheck}`, { cause: error });
  }
  const isOffline = isSystemError(
    error,
    'ECONNREFUSED',
    'ECONNRESET',
    'ENOTFOUND',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'EAI_AGAIN',
  );
  if (isOffline || reason === 'TimeoutError' || status !== undefined) {
    return new BlobError('unreachable', `The ${bucketName} does not answer. Check S3_ENDPOINT and the network.`, {
      cause: error,
    });
  }
  return error;
}
