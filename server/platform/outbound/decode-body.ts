import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { isSystemError } from '../system-files.ts';
import { OutboundError } from './outbound-error.ts';

type Decoder = (bytes: Uint8Array, bytesMax: number) => Promise<Uint8Array>;

const chunkSize = 64 * 1024;
const gunzip = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.gunzip);
const inflate = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.inflate);
const inflateRaw = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);
const brotliDecompress = promisify<zlib.InputType, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress);
const zstdDecompress = promisify<zlib.InputType, zlib.ZstdOptions, Buffer>(zlib.zstdDecompress);

const decoders: Record<string, Decoder> = {
  gzip: decodeGzip,
  'x-gzip': decodeGzip,
  // "deflate" is zlib-wrapped by the standard, but raw on many servers; the first byte shows which.
  deflate: (bytes, bytesMax) =>
    ((bytes[0] ?? 0) & 0x0f) === 8
      ? inflate(bytes, { chunkSize, maxOutputLength: bytesMax })
      : inflateRaw(bytes, { chunkSize, maxOutputLength: bytesMax }),
  br: (bytes, bytesMax) => brotliDecompress(bytes, { chunkSize, maxOutputLength: bytesMax }),
  zstd: (bytes, bytesMax) => zstdDecompress(bytes, { chunkSize, maxOutputLength: bytesMax }),
};

/** Most chained encodings: real servers use one, decompression bombs many. */
const codingsMax = 2;

/** Value of Accept-Encoding. */
export const acceptedEncodings = 'gzip, deflate, br, zstd';

/**
 * Returns the encodings of a Content-Encoding header in the order they were applied; undefined if one is unsupported.
 */
export function parseContentEncoding(header: string | undefined): string[] | undefined {
  const codings = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > codingsMax || codings.some((coding) => !(coding in decoders))) return undefined;
  return codings;
}

/**
 * Decodes a body off the main thread. Fails with `too-large` as soon as any step has produced `bytesMax` bytes, so a
 * bomb costs no more than that. Ignores bytes after the end of a gzip stream; a truncated stream is `decode-failed`.
 */
export async function decodeBody(
  bytes: Uint8Array,
  codings: readonly string[],
  bytesMax: number,
  url: string,
): Promise<Uint8Array> {
  let decoded = bytes;
  for (const coding of codings.toReversed()) {
    if (decoded.length === 0) return decoded;
    try {
      decoded = await (decoders[coding] as Decoder)(decoded, bytesMax);
    } catch (error) {
      if (isSystemError(error, 'ERR_BUFFER_TOO_LARGE')) {
        throw tooLarge(url, bytesMax);
      }
      throw new OutboundError(
        'decode-failed',
        url,
        `The ${coding} data of ${url} is broken or cut short. Try again later.`,
        error,
      );
    }
  }
  return decoded;
}

/** Decodes all members of a gzip file, or only the first if it is followed by something else. */
async function decodeGzip(bytes: Uint8Array, bytesMax: number): Promise<Uint8Array> {
  try {
    return await gunzip(bytes, { chunkSize, maxOutputLength: bytesMax });
  } catch (error) {
    const start = gzipDataOffset(bytes);
    const isBadHeader = error instanceof Error && error.message === 'incorrect header check';
    if (!isBadHeader || start === undefined) throw error;
    return inflateRaw(bytes.subarray(start), { chunkSize, maxOutputLength: bytesMax });
  }
}

/** Returns the offset of the deflate data in a gzip member (RFC 1952, 2.3); undefined without a gzip header. */
function gzipDataOffset(bytes: Uint8Array): number | undefined {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8) return undefined;
  const flags = bytes[3] ?? 0;
  let offset = 10;
  if (flags & 4) offset += 2 + (bytes[offset] ?? 0) + ((bytes[offset + 1] ?? 0) << 8);
  for (const flag of [8, 16]) {
    if (!(flags & flag)) continue;
    const end = bytes.indexOf(0, offset);
    if (end < 0) return undefined;
    offset = end + 1;
  }
  if (flags & 2) offset += 2;
  return offset;
}

export function tooLarge(url: string, bytesMax: number): OutboundError {
  return new OutboundError(
    'too-large',
    url,
    `${url} is larger than the limit of ${Math.floor(bytesMax / 1e6) || '<1'} MB.`,
  );
}
