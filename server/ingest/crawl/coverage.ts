import type { SkipReason } from '#contract/skip-reasons.ts';

/** How many addresses ended for one reason, and the first few of them. */
export interface ReasonCount {
  count: number;
  examples: string[];
}

/** What was found and what became of it, by reason. */
export interface CoverageReport {
  redirects: number;
  canonical: number;
  /**
   * Not asked for, or asked for and left out, by reason. `out-of-scope` counts links to other parts of the same host, and
   * `needs-scripts` pages that were kept without some of their text; both are no part of the site's totals.
   */
  skipped: Record<string, ReasonCount>;
  failed: Record<string, ReasonCount>;
}

const outOfScope = 'out-of-scope';
const examplesMax = 10;
/** Distinct addresses remembered so that each is counted once; beyond that, new ones are no longer counted. */
const rememberedMax = 50_000;
const rememberedCharactersMax = rememberedMax * 200;

/** Counts addresses by what became of them. */
export class Coverage {
  redirects = 0;
  canonical = 0;
  readonly #skipped = new Map<string, ReasonCount>();
  readonly #failed = new Map<string, ReasonCount>();
  readonly #mentioned = new Map<string, SkipReason>();
  #mentionedCharacters = 0;
  #mentionedInScope = 0;

  /** Addresses of the site that were left out. */
  get skippedCount(): number {
    const countOf = (reason: string): number => this.#skipped.get(reason)?.count ?? 0;
    return sum(this.#skipped) - countOf(outOfScope) - countOf('needs-scripts');
  }

  /** Addresses of the site that were met and neither asked for nor queued. */
  get mentionedCount(): number {
    return this.#mentionedInScope;
  }

  get failedCount(): number {
    return sum(this.#failed);
  }

  skip(reason: string, address: string): void {
    add(this.#skipped, reason, address);
  }

  fail(reason: string, address: string): void {
    add(this.#failed, reason, address);
  }

  /** An address that is passed over each time it is met: counted at the first mention only. */
  mention(reason: SkipReason, address: string): void {
    const isFull = this.#mentioned.size >= rememberedMax || this.#mentionedCharacters >= rememberedCharactersMax;
    if (isFull || this.#mentioned.has(address)) return;
    this.#mentioned.set(address, reason);
    this.#mentionedCharacters += address.length;
    if (reason !== outOfScope) this.#mentionedInScope++;
    this.skip(reason, address);
  }

  /** Why the address was passed over; undefined where it was not, or is not remembered. */
  reasonOf(address: string): SkipReason | undefined {
    return this.#mentioned.get(address);
  }

  /** What became of the address is decided again. */
  takeBackSkip(reason: SkipReason, address: string): void {
    const entry = this.#skipped.get(reason);
    if (entry === undefined) return;
    entry.count--;
    entry.examples = entry.examples.filter((example) => example !== address);
  }

  /** The address turned out to be reachable another way, so an earlier mention does not count. */
  takeBack(address: string): void {
    const reason = this.#mentioned.get(address);
    const entry = reason === undefined ? undefined : this.#skipped.get(reason);
    if (!entry) return;
    this.#mentioned.delete(address);
    this.#mentionedCharacters -= address.length;
    this.#mentionedInScope--;
    entry.count--;
    entry.examples = entry.examples.filter((example) => example !== address);
  }

  report(): CoverageReport {
    return {
      redirects: this.redirects,
      canonical: this.canonical,
      skipped: plain(this.#skipped),
      failed: plain(this.#failed),
    };
  }
}

function add(counts: Map<string, ReasonCount>, reason: string, address: string): void {
  const entry = counts.get(reason) ?? { count: 0, examples: [] };
  entry.count++;
  if (entry.examples.length < examplesMax) entry.examples.push(address);
  counts.set(reason, entry);
}

function sum(counts: ReadonlyMap<string, ReasonCount>): number {
  let total = 0;
  for (const { count } of counts.values()) total += count;
  return total;
}

function plain(counts: ReadonlyMap<string, ReasonCount>): Record<string, ReasonCount> {
  return Object.fromEntries([...counts].filter(([, { count }]) => count > 0));
}
