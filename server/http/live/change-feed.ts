import { randomBytes } from 'node:crypto';
import type { Change } from '#server/platform/bus/announce-change.ts';

/** Readers that were away for longer than this many changes read everything again. */
const keptMax = 1_000;

/** One thing that happened, in the order this process heard of it. `gap`: changes may have been missed here. */
export interface FeedEntry {
  id: string;
  change: Change | 'gap';
}

export interface FeedSource {
  onChange(listener: (change: Change) => void): void;
  onGap(listener: () => void): void;
}

/**
 * The changes this process heard of, with the newest ones kept for readers who come back. Their ids say nothing: not how many
 * there were, which is no one's business, and nothing to another process, or to this one after a restart.
 */
export class ChangeFeed {
  #position = newId();
  /** Id of what came before the first that is kept. */
  #before = this.#position;
  readonly #kept: FeedEntry[] = [];
  readonly #listeners = new Set<(entry: FeedEntry) => void>();

  constructor(source: FeedSource) {
    source.onChange((change) => this.#add(change));
    source.onGap(() => this.#add('gap'));
  }

  /** Id of the newest entry. */
  get position(): string {
    return this.#position;
  }

  /** What came after `position`; undefined when that cannot be determined. */
  since(position: string): FeedEntry[] | undefined {
    const [id] = position.split('.');
    if (id === this.#position) return [];
    if (id === this.#before) return [...this.#kept];
    const at = this.#kept.findLastIndex((entry) => entry.id === id);
    return at < 0 ? undefined : this.#kept.slice(at + 1);
  }

  /** Hears every entry from now on; answers the way to stop. */
  subscribe(listener: (entry: FeedEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #add(change: Change | 'gap'): void {
    this.#position = newId();
    const entry = { id: this.#position, change };
    this.#kept.push(entry);
    if (this.#kept.length > keptMax) this.#before = this.#kept.shift()?.id ?? this.#before;
    for (const listener of Array.from(this.#listeners)) listener(entry);
  }
}

function newId(): string {
  return randomBytes(12).toString('base64url');
}
