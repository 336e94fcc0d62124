import { randomUUID } from 'node:crypto';
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

/** The changes this process heard of, numbered, with the newest ones kept for readers who come back. */
export class ChangeFeed {
  // Numbers of another process, or of this one before a restart, mean nothing here.
  readonly #epoch = randomUUID();
  readonly #kept: FeedEntry[] = [];
  readonly #listeners = new Set<(entry: FeedEntry) => void>();
  #count = 0;

  constructor(source: FeedSource) {
    source.onChange((change) => this.#add(change));
    source.onGap(() => this.#add('gap'));
  }

  /** Id of the newest entry. */
  get position(): string {
    return `${this.#epoch}.${this.#count}`;
  }

  /** What came after `position`; undefined when that cannot be told. */
  since(position: string): FeedEntry[] | undefined {
    const [epoch, number] = position.split('.');
    if (epoch !== this.#epoch || !/^\d{1,15}$/.test(number ?? '')) return undefined;
    const missing = this.#count - Number(number);
    if (missing < 0 || missing > this.#kept.length) return undefined;
    return missing === 0 ? [] : this.#kept.slice(-missing);
  }

  /** Hears every entry from now on; answers the way to stop. */
  subscribe(listener: (entry: FeedEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #add(change: Change | 'gap'): void {
    this.#count += 1;
    const entry = { id: this.position, change };
    this.#kept.push(entry);
    if (this.#kept.length > keptMax) this.#kept.shift();
    for (const listener of Array.from(this.#listeners)) listener(entry);
  }
}
