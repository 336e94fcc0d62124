import { openSegment, type Segment } from '#server/engine/index.ts';
import { BlobError, type Blobs } from '#server/platform/blobs/blobs.ts';
import { openingFault } from './segment-damage.ts';

/** Memory per snippet for a segment's tables and score arrays; measured on 18 documentation sets. */
const bytesPerSnippet = 250;

interface OpenedSegment {
  segment: Segment;
  close(): void;
}

/** The segments open in this process, each opened once for all callers. */
export class OpenedSegments {
  readonly #blobs: Blobs;
  /** Least recently used first. */
  readonly #byId = new Map<string, Promise<OpenedSegment>>();
  readonly #bytesById = new Map<string, number>();
  readonly #unheld = new FinalizationRegistry<() => void>((close) => close());
  /** Error of the last opening, if the store was unreachable. */
  #away: BlobError | undefined;

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  /**
   * Opens a segment, or returns the open one. Throws BlobError or SegmentFormatError; the next call tries again. While
   * the store is known to be unreachable, calls fail immediately, but each starts another attempt in the background for
   * later calls.
   */
  async open(segmentId: string, blobKey: string): Promise<Segment> {
    this.touch([segmentId]);
    const opening = this.#byId.get(segmentId) ?? this.#begin(segmentId, blobKey);
    if (this.#away !== undefined && !this.#bytesById.has(segmentId)) throw this.#away;
    return (await opening).segment;
  }

  #begin(segmentId: string, blobKey: string): Promise<OpenedSegment> {
    const opening = this.#open(blobKey);
    this.#byId.set(segmentId, opening);
    opening.then(
      ({ segment }) => {
        this.#away = undefined;
        if (this.#byId.get(segmentId) !== opening) return;
        this.#bytesById.set(segmentId, segment.snippetCount * bytesPerSnippet);
      },
      (error: unknown) => {
        this.#away = error instanceof BlobError && error.code === 'unreachable' ? error : undefined;
        if (this.#byId.get(segmentId) === opening) this.#byId.delete(segmentId);
      },
    );
    return opening;
  }

  /** Closes all other segments: reading them fails from now on. */
  closeAllBut(segmentIds: ReadonlySet<string>): void {
    this.close(this.ids.filter((id) => !segmentIds.has(id)));
  }

  /** Closes these segments: reading them fails from now on. */
  close(segmentIds: Iterable<string>): void {
    for (const id of segmentIds) {
      const opening = this.#byId.get(id);
      this.#byId.delete(id);
      this.#bytesById.delete(id);
      opening?.then(
        (opened) => opened.close(),
        () => undefined,
      );
    }
  }

  get ids(): string[] {
    return [...this.#byId.keys()];
  }

  /** Removes these segments. Callers that hold one can go on reading it: it is closed when it is garbage-collected. */
  letGo(segmentIds: Iterable<string>): void {
    for (const id of segmentIds) {
      const opening = this.#byId.get(id);
      this.#byId.delete(id);
      this.#bytesById.delete(id);
      opening?.then(
        ({ segment, close }) => this.#unheld.register(segment, close),
        () => undefined,
      );
    }
  }

  /** Marks these segments as just used. */
  touch(segmentIds: readonly string[]): void {
    for (const id of segmentIds) {
      const opening = this.#byId.get(id);
      if (opening === undefined) continue;
      this.#byId.delete(id);
      this.#byId.set(id, opening);
    }
  }

  /**
   * Removes the least recently used segments, except those in `kept`, until the others fit; returns the removed ids.
   */
  letGoAbove(bytesMax: number, kept: readonly string[]): ReadonlySet<string> {
    const gone = new Set<string>();
    let bytes = 0;
    for (const own of this.#bytesById.values()) bytes += own;
    for (const id of this.#byId.keys()) {
      if (bytes <= bytesMax) break;
      const own = this.#bytesById.get(id);
      if (own === undefined || kept.includes(id)) continue;
      bytes -= own;
      gone.add(id);
    }
    this.letGo(gone);
    return gone;
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
