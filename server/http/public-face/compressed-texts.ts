import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Compressing a smaller text saves no packet. */
const compressedBytesMin = 1_000;
/** Compressed texts kept in memory, some 10 KB each. */
const keptMax = 400;

/** Compresses texts for readers that support it, and caches the result by the text's hash. */
export class CompressedTexts {
  readonly #kept = new Map<string, Buffer>();

  async of(
    text: Buffer,
    hash: string,
    acceptEncoding: string | null,
  ): Promise<{ bytes: Buffer; coding?: StaticCoding }> {
    const [coding] = acceptedCodings(acceptEncoding);
    if (coding === undefined || text.byteLength < compressedBytesMin) return { bytes: text };
    const key = `${hash} ${coding.name}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return { bytes: kept, coding };
    const bytes = await compress(text, coding);
    if (this.#kept.size >= keptMax) this.#kept.clear();
    this.#kept.set(key, bytes);
    return { bytes, coding };
  }
}

function compress(text: Buffer, { name }: StaticCoding): Promise<Buffer> {
  switch (name) {
    case 'br':
      // Takes some milliseconds per page; the best quality takes twenty times as long to save another tenth.
      return promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } });
    case 'gzip':
      return promisify(gzip)(text, { level: 8 });
  }
}

/** Encodings of text files in the web build, best first. */
const codings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;

export type StaticCoding = (typeof codings)[number];

/**
 * Returns the encodings a request accepts, best first: by weight, then by size. Empty if it accepts none or does not
 * say.
 */
export function acceptedCodings(acceptEncoding: string | null): StaticCoding[] {
  const weights = new Map<string, number>();
  for (const part of (acceptEncoding ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    // An invalid weight counts as 0: uncompressed bytes always work.
    if (name !== '') weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  const weightOf = ({ name }: StaticCoding) => weights.get(name) ?? weights.get('*') ?? 0;
  return codings.filter((coding) => weightOf(coding) > 0).sort((a, b) => weightOf(b) - weightOf(a));
}
