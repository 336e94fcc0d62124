import type { ParseTask } from './parse-worker.ts';

/** A page that takes this long is slow: a hundred large pages take less. */
const slowMs = 5_000;
/** How long the owner of a slow page counts as slow after it. */
const slowForMs = 60_000;

/** A page of an owner: the person or the workspace that it is parsed for. */
export interface OwnedTask extends ParseTask {
  owner: string;
}

/**
 * The pages that wait for a thread. The owner whose pages have taken the least time comes first, so that no one's slow pages hold up
 * those of others; each owner's pages keep their order.
 */
export class ParseLine<Task extends OwnedTask> {
  readonly #nowMs: () => number;
  readonly #waiting = new Map<string, Task[]>();
  readonly #running = new Map<Task, number>();
  /** Time that each owner's ended pages took, of those who have pages or had some lately. */
  readonly #spentMs = new Map<string, number>();
  readonly #slowUntil = new Map<string, number>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  waitingOf(owner: string): number {
    return this.#waiting.get(owner)?.length ?? 0;
  }

  add(task: Task): void {
    const { owner } = task;
    // Time in which an owner had no pages is not saved up.
    const others = this.#owners().map((other) => this.#spentBy(other));
    const least = others.length === 0 ? 0 : Math.min(...others);
    this.#spentMs.set(owner, Math.max(this.#spentMs.get(owner) ?? 0, least));
    const queue = this.#waiting.get(owner);
    if (queue === undefined) this.#waiting.set(owner, [task]);
    else queue.push(task);
  }

  /** Returns false if the task does not wait any more. */
  remove(task: Task): boolean {
    const queue = this.#waiting.get(task.owner) ?? [];
    const index = queue.indexOf(task);
    if (index < 0) return false;
    queue.splice(index, 1);
    if (queue.length === 0) this.#waiting.delete(task.owner);
    return true;
  }

  /** Takes out the next page; slow owners have at most `slowMax` threads together. */
  take(slowMax: number): Task | undefined {
    const owner = this.#next(slowMax);
    const task = owner === undefined ? undefined : this.#waiting.get(owner)?.[0];
    if (task === undefined) return undefined;
    this.remove(task);
    this.#running.set(task, this.#nowMs());
    return task;
  }

  hasNext(slowMax: number): boolean {
    return this.#next(slowMax) !== undefined;
  }

  end(task: Task): void {
    const startedAt = this.#running.get(task);
    if (startedAt === undefined) return;
    this.#running.delete(task);
    const now = this.#nowMs();
    this.#spentMs.set(task.owner, (this.#spentMs.get(task.owner) ?? 0) + now - startedAt);
    if (now - startedAt >= slowMs) this.#slowUntil.set(task.owner, now + slowForMs);
    if (this.#running.size === 0 && this.isEmpty) this.#spentMs.clear();
  }

  takeAll(): Task[] {
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    return all;
  }

  /** Returns how many pages of slow owners are being parsed. */
  get slowRunning(): number {
    return [...this.#running.keys()].filter(({ owner }) => this.#isSlow(owner)).length;
  }

  #next(slowMax: number): string | undefined {
    const isFull = this.slowRunning >= slowMax;
    const able = [...this.#waiting.keys()].filter((owner) => !isFull || !this.#isSlow(owner));
    return able.sort((a, b) => this.#spentBy(a) - this.#spentBy(b))[0];
  }

  #isSlow(owner: string): boolean {
    const now = this.#nowMs();
    if ((this.#slowUntil.get(owner) ?? 0) > now) return true;
    this.#slowUntil.delete(owner);
    return [...this.#running].some(([task, startedAt]) => task.owner === owner && now - startedAt >= slowMs);
  }

  #spentBy(owner: string): number {
    const now = this.#nowMs();
    const running = [...this.#running].filter(([task]) => task.owner === owner);
    return running.reduce((sum, [, startedAt]) => sum + 1 + now - startedAt, this.#spentMs.get(owner) ?? 0);
  }

  #owners(): string[] {
    return [...new Set([...this.#waiting.keys(), ...[...this.#running.keys()].map(({ owner }) => owner)])];
  }
}
