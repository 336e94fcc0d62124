import { openSegment, type Segment } from '#server/engine/index.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import { openingFault } from './segment-damage.ts';

interface OpenedSegment {
  segment: Segment;
  close(): void;
}

/** The segments this process has open, each once, whoever asks for it. */
export class OpenedSegments {
  readonly #blobs: Blobs;
  readonly #byId = new Map<string, Promise<OpenedSegment>>();

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  /** Throws BlobError or SegmentFormatError; the next call tries again. */
  async open(segmentId: string, blobKey: string): Promise<Segment> {
    const known = this.#byId.get(segmentId);
    if (known !== undefined) return (await known).segment;
    const opening = this.#open(blobKey);
    this.#byId.set(segmentId, opening);
    try {
      return (await opening).segment;
    } catch (error) {
      if (this.#byId.get(segmentId) === opening) this.#byId.delete(segmentId);
      throw error;
    }
  }

  /** Whoever reads one of the others gets an error from now on. */
  closeAllBut(segmentIds: ReadonlySet<string>): void {
    for (const [id, opening] of this.#byId) {
      if (segmentIds.has(id)) continue;
      this.#byId.delete(id);
      opening.then(
        (opened) => opened.close(),
        () => undefined,
      );
    }
  }

  async #open(blobKey: string): Promise<OpenedSegment> {
    const blob = await this.#blobs.open(blobKey);
    try {
      return { segment: openSegment(blob), close: () => blob.close() };
    } catch (error) {
      const fault = openingFault(error, blob);
      blob.close();
      throw fault;
    }
  }
}
