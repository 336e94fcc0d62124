/** How long the owner of a slow file counts as slow after it. */
const slowForMs = 60_000;

/** Work for an owner: the person or the workspace that a page or file is parsed for. */
export interface OwnedTask {
  owner: string;
}

/**
 * The files that wait to be parsed. The owner whose files have taken the least time comes first, so that no one's slow files hold up
 * those of others; each owner's files keep their order.
 */
export class FairLine<Task extends OwnedTask> {
  readonly #nowMs: () => number;
  readonly #waiting = new Map<string, Task[]>();
  readonly #running = new Map<Task, number>();
  /** Time that each owner's ended files took, of those who have files or had some lately. */
  readonly #spentMs = new Map<string, number>();
  readonly #slowUntil = new Map<string, number>();

  readonly #slowMs: number;

  /** A file that takes `slowMs` is slow, and so is its owner for a while. */
  constructor(slowMs: number, nowMs: () => number) {
    this.#slowMs = slowMs;
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
    // Time in which an owner had no files is not saved up.
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

  /** Takes out the next file, which begins; of slow owners at most `slowMax` are in progress together. */
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
    if (now - startedAt >= this.#slowMs) this.#slowUntil.set(task.owner, now + slowForMs);
    if (this.#running.size === 0 && this.isEmpty) this.#spentMs.clear();
  }

  takeAll(): Task[] {
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    return all;
  }

  /** Returns how many files of slow owners are in progress. */
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
    return [...this.#running].some(([task, startedAt]) => task.owner === owner && now - startedAt >= this.#slowMs);
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
