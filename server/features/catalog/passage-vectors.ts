import { BlobError } from '#server/platform/blobs/blobs.ts';
import type { Blobs, OpenBlob } from '#server/platform/blobs/index.ts';

/** Passages per blob of vectors: the most that are lost if a process ends midway. */
export const passagesPerPart = 1_024;
export const vectorsPrefix = 'vectors/';
/** Identifies the layout; every layout has a different number. */
const magic = 0x4c564331;
const headerBytes = 12;
const scale = 127;
const openPartsMax = 128;
/** A missing part is looked up again after this. */
const missingMs = 30_000;
const missingKept = 10_000;

export function vectorsOfSegment(segmentId: string): string {
  return `${vectorsPrefix}${segmentId}/`;
}

export function partKey(segmentId: string, modelId: string, part: number): string {
  return `${vectorsOfSegment(segmentId)}${modelId}/${part}`;
}

/** Encodes vectors of length 1 with one byte per number. */
export function encodePart(vectors: readonly Float32Array[]): Uint8Array {
  const dimensions = vectors[0]?.length ?? 0;
  const bytes = new Uint8Array(headerBytes + dimensions * vectors.length);
  const header = new DataView(bytes.buffer);
  header.setUint32(0, magic, true);
  header.setUint32(4, dimensions, true);
  header.setUint32(8, vectors.length, true);
  const numbers = new Int8Array(bytes.buffer, headerBytes);
  for (const [row, vector] of vectors.entries()) {
    for (let at = 0; at < dimensions; at += 1) {
      numbers[row * dimensions + at] = Math.round((vector[at] as number) * scale);
    }
  }
  return bytes;
}

interface OpenPart {
  blob: OpenBlob;
  dimensions: number;
  count: number;
}

/** Reads the passage vectors that a model has computed so far from the blob store. */
export class PassageVectors {
  readonly #blobs: Blobs;
  readonly #modelId: string;
  readonly #nowMs: () => number;
  /** Least recently used first. */
  readonly #parts = new Map<string, Promise<OpenPart | undefined>>();
  readonly #missingSince = new Map<string, number>();

  constructor(blobs: Blobs, modelId: string, nowMs: () => number = () => performance.now()) {
    this.#blobs = blobs;
    this.#modelId = modelId;
    this.#nowMs = nowMs;
  }

  /**
   * Returns the similarity of these passages of a segment to the question, -1 to 1; undefined unless all of them have
   * vectors.
   */
  async likenesses(segmentId: string, snippets: number[], question: Float32Array): Promise<number[] | undefined> {
    const found: number[] = [];
    for (const snippet of snippets) {
      const part = await this.#part(segmentId, Math.floor(snippet / passagesPerPart));
      const row = snippet % passagesPerPart;
      if (part === undefined || part.dimensions !== question.length || row >= part.count) return undefined;
      found.push(likenessOf(part, row, question));
    }
    return found;
  }

  close(): void {
    for (const key of [...this.#parts.keys()]) this.#letGo(key);
  }

  async #part(segmentId: string, part: number): Promise<OpenPart | undefined> {
    const key = partKey(segmentId, this.#modelId, part);
    const since = this.#missingSince.get(key);
    if (since !== undefined && this.#nowMs() - since < missingMs) return undefined;
    const known = this.#parts.get(key);
    const opening = known ?? this.#open(key);
    if (known !== undefined) this.#parts.delete(key);
    this.#parts.set(key, opening);
    const opened = await opening;
    if (opened === undefined) {
      this.#parts.delete(key);
      if (this.#missingSince.size >= missingKept) this.#missingSince.clear();
      this.#missingSince.set(key, this.#nowMs());
    } else this.#missingSince.delete(key);
    for (const oldest of this.#parts.keys()) {
      if (this.#parts.size <= openPartsMax) break;
      this.#letGo(oldest);
    }
    return opened;
  }

  /** Returns undefined if the blob is missing or has another format: the page is then ranked by words. */
  async #open(key: string): Promise<OpenPart | undefined> {
    try {
      return readHeader(await this.#blobs.open(key));
    } catch (error) {
      if (error instanceof BlobError) return undefined;
      throw error;
    }
  }

  #letGo(key: string): void {
    const opening = this.#parts.get(key);
    this.#parts.delete(key);
    void opening?.then((part) => part?.blob.close());
  }
}

function readHeader(blob: OpenBlob): OpenPart | undefined {
  const header = blob.byteLength < headerBytes ? undefined : new DataView(blob.read(0, headerBytes).buffer);
  const dimensions = header?.getUint32(4, true) ?? 0;
  const count = header?.getUint32(8, true) ?? 0;
  if (header?.getUint32(0, true) === magic && blob.byteLength === headerBytes + dimensions * count) {
    return { blob, dimensions, count };
  }
  blob.close();
  return undefined;
}

function likenessOf({ blob, dimensions }: OpenPart, row: number, question: Float32Array): number {
  const bytes = blob.read(headerBytes + row * dimensions, dimensions);
  let sum = 0;
  for (let at = 0; at < dimensions; at += 1) {
    const byte = bytes[at] as number;
    sum += (byte > 127 ? byte - 256 : byte) * (question[at] as number);
  }
  return sum / scale;
}
