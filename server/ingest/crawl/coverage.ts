import type { SkipReason } from '#contract/skip-reasons.ts';

/** Number of addresses with the same reason, and the first few of them. */
export interface ReasonCount {
  count: number;
  examples: string[];
}

/** Crawl results: counts of addresses by outcome and reason. */
export interface CoverageReport {
  redirects: number;
  canonical: number;
  /**
   * Addresses not requested, or requested and left out, by reason. `out-of-scope` counts links to other parts of the
   * same host, and `needs-scripts` counts pages kept without some of their text; neither counts toward the site's
   * totals.
   */
  skipped: Record<string, ReasonCount>;
  failed: Record<string, ReasonCount>;
}

const outOfScope = 'out-of-scope';
const examplesMax = 10;
/** Distinct addresses remembered so that each is counted once; once this is reached, new ones are not counted. */
const rememberedMax = 50_000;
const rememberedCharactersMax = rememberedMax * 200;

/** Counts addresses by outcome. */
export class Coverage {
  redirects = 0;
  canonical = 0;
  readonly #skipped = new Map<string, ReasonCount>();
  readonly #failed = new Map<string, ReasonCount>();
  readonly #mentioned = new Map<string, SkipReason>();
  #mentionedCharacters = 0;
  #mentionedInScope = 0;

  /** Number of the site's addresses that were left out. */
  get skippedCount(): number {
    const countOf = (reason: string): number => this.#skipped.get(reason)?.count ?? 0;
    return sum(this.#skipped) - countOf(outOfScope) - countOf('needs-scripts');
  }

  /** Number of the site's addresses that were found but neither requested nor queued. */
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

  /** Counts an address that is skipped each time it is found; only the first mention counts. */
  mention(reason: SkipReason, address: string): void {
    const isFull = this.#mentioned.size >= rememberedMax || this.#mentionedCharacters >= rememberedCharactersMax;
    if (isFull || this.#mentioned.has(address)) return;
    this.#mentioned.set(address, reason);
    this.#mentionedCharacters += address.length;
    if (reason !== outOfScope) this.#mentionedInScope++;
    this.skip(reason, address);
  }

  /** Returns why the address was skipped; undefined if it was not skipped or is not remembered. */
  reasonOf(address: string): SkipReason | undefined {
    return this.#mentioned.get(address);
  }

  /** Removes a skipped address from the count, because it will be decided again. */
  takeBackSkip(reason: SkipReason, address: string): void {
    const entry = this.#skipped.get(reason);
    if (entry === undefined) return;
    entry.count--;
    entry.examples = entry.examples.filter((example) => example !== address);
  }

  /** Removes an earlier mention from the count, because the address is reachable another way. */
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
