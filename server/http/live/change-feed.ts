import { randomBytes } from 'node:crypto';
import type { Change } from '#server/platform/bus/announce-change.ts';

/** Readers that missed more changes than this must reload everything. */
const keptMax = 1_000;

/** A change, in the order in which this process received it. `gap`: changes may have been missed here. */
export interface FeedEntry {
  id: string;
  change: Change | 'gap';
}

export interface FeedSource {
  onChange(listener: (change: Change) => void): void;
  onGap(listener: () => void): void;
}

/**
 * The changes this process has received; keeps the newest for readers who reconnect. Ids are random: they do not reveal
 * the number of changes, and are invalid in other processes and after a restart.
 */
export class ChangeFeed {
  #position = newId();
  /** Id of the entry before the oldest kept one. */
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

  /** Returns the entries after `position`; undefined if the position is unknown. */
  since(position: string): FeedEntry[] | undefined {
    const [id] = position.split('.');
    if (id === this.#position) return [];
    if (id === this.#before) return [...this.#kept];
    const at = this.#kept.findLastIndex((entry) => entry.id === id);
    return at < 0 ? undefined : this.#kept.slice(at + 1);
  }

  /** Calls `listener` for every new entry; returns the function that unsubscribes. */
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
