import { openSegment, type Segment } from '#server/engine/index.ts';
import { BlobError, type Blobs } from '#server/platform/blobs/blobs.ts';
import { openingFault } from './segment-damage.ts';

/** Tables and boards of a segment, for each of its snippets; measured on 18 sets of documentation. */
const bytesPerSnippet = 250;

interface OpenedSegment {
  segment: Segment;
  close(): void;
}

/** The segments this process has open, each once for all callers. */
export class OpenedSegments {
  readonly #blobs: Blobs;
  /** Those used longest ago first. */
  readonly #byId = new Map<string, Promise<OpenedSegment>>();
  readonly #bytesById = new Map<string, number>();
  readonly #unheld = new FinalizationRegistry<() => void>((close) => close());
  /** Why the last opening failed, when the store did not answer. */
  #away: BlobError | undefined;

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  /**
   * Throws BlobError or SegmentFormatError; the next call tries again. While the store is known not to answer no one waits for
   * it: each call asks it once more for those that come after.
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

  /** From now on, reading one of the others fails. */
  closeAllBut(segmentIds: ReadonlySet<string>): void {
    this.close(this.ids.filter((id) => !segmentIds.has(id)));
  }

  /** From now on, reading one of these fails. */
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

  /** Forgets these. Anyone who has one may go on reading it: it is closed when no one has it any more. */
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

  /** They were used just now. */
  touch(segmentIds: readonly string[]): void {
    for (const id of segmentIds) {
      const opening = this.#byId.get(id);
      if (opening === undefined) continue;
      this.#byId.delete(id);
      this.#byId.set(id, opening);
    }
  }

  /** Lets go of those used longest ago until the others fit, never of those in `kept`; which were let go of. */
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
