import { AsyncResource } from 'node:async_hooks';
import type { Logger } from '../log.ts';

type Listener = (payload: string) => void;

/** The listeners of one process, by topic. */
export class Listeners {
  readonly #byTopic = new Map<string, Set<Listener>>();
  readonly #gapListeners = new Set<() => void>();
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  add(topic: string, listener: Listener): () => void {
    // A new function, so that a listener added twice runs twice. It runs in the context of this call, not of a sender,
    // which may be inside a transaction.
    const bound = AsyncResource.bind((payload: string) => this.#run(topic, () => listener(payload)));
    const listeners = this.#byTopic.get(topic) ?? new Set();
    this.#byTopic.set(topic, listeners.add(bound));
    return () => {
      listeners.delete(bound);
      if (listeners.size === 0 && this.#byTopic.get(topic) === listeners) this.#byTopic.delete(topic);
    };
  }

  addForGap(listener: () => void): () => void {
    const bound = AsyncResource.bind(() => this.#run('gap', listener));
    this.#gapListeners.add(bound);
    return () => void this.#gapListeners.delete(bound);
  }

  deliver(topic: string, payload: string): void {
    for (const listener of Array.from(this.#byTopic.get(topic) ?? [])) listener(payload);
  }

  deliverGap(): void {
    for (const listener of Array.from(this.#gapListeners)) listener();
  }

  #run(topic: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#log.error({ err: error, topic }, 'a listener of the bus failed');
    }
  }
}
