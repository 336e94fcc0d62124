/** How long an owner counts as slow after a slow file. */
const slowForMs = 60_000;

/** A task with its owner: the person or workspace that the page or file is parsed for. */
export interface OwnedTask {
  owner: string;
}

/**
 * Queue of files to parse. Owners whose files have taken the least time come first, so that one owner's slow files do
 * not delay the others'; each owner's files keep their order.
 */
export class FairLine<Task extends OwnedTask> {
  readonly #nowMs: () => number;
  readonly #waiting = new Map<string, Task[]>();
  readonly #running = new Map<Task, number>();
  /** Total time of each owner's finished files, for owners with current or recent files. */
  readonly #spentMs = new Map<string, number>();
  readonly #slowUntil = new Map<string, number>();

  readonly #slowMs: number;

  /** A file that takes `slowMs` is slow, and its owner then counts as slow for a while. */
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
    // An owner gains no credit for time without files.
    const others = this.#owners().map((other) => this.#spentBy(other));
    const least = others.length === 0 ? 0 : Math.min(...others);
    this.#spentMs.set(owner, Math.max(this.#spentMs.get(owner) ?? 0, least));
    const queue = this.#waiting.get(owner);
    if (queue === undefined) this.#waiting.set(owner, [task]);
    else queue.push(task);
  }

  /** Returns false if the task is no longer waiting. */
  remove(task: Task): boolean {
    const queue = this.#waiting.get(task.owner) ?? [];
    const index = queue.indexOf(task);
    if (index < 0) return false;
    queue.splice(index, 1);
    if (queue.length === 0) this.#waiting.delete(task.owner);
    return true;
  }

  /** Removes and returns the next file to start; at most `slowMax` files of slow owners run at once. */
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

  /** Returns the number of slow owners' running files. */
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
