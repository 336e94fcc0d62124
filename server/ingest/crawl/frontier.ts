import type { SkipReason } from '#contract/skip-reasons.ts';
import type { Coverage } from './coverage.ts';
import { normalizeAddress, originOf, pathAndQueryOf } from './page-address.ts';
import { htmlSiblingsOf, isListing, isPdfAddress, isPlainText, isSourceCopy, isUnreadable } from './page-kinds.ts';
import type { RobotsRules } from './robots-rules.ts';
import { isInScope, type Scope, upgradeToScope } from './scope.ts';
import { TrapGuard } from './trap-guard.ts';

export interface FrontierEntry {
  address: string;
  depth: number;
  /** True to keep the page despite its canonical link, because the canonical address could not be read. */
  isCanonicalIgnored: boolean;
}

export interface FrontierRules {
  scope: Scope;
  depthMax: number;
  queueMax: number;
  /** Returns the robots rules of an origin in scope; undefined means nothing there may be read. */
  robotsOf: (origin: string) => RobotsRules | undefined;
  /** Maximum number of PDF files to request; 0 if none can be read. */
  pdfFilesMax: number;
}

export const redirectHopsMax = 10;

/** Skip reasons that may not apply the next time the address is found. */
const reconsidered: ReadonlySet<SkipReason> = new Set([
  'depth-limit',
  'nofollow',
  'out-of-scope',
  'queue-full',
  'too-many-redirects',
]);
/**
 * Limit for the total length of known addresses, per queue slot: most have fewer than 100 characters, but one may have
 * 2,000.
 */
const charactersPerAddress = 400;

/**
 * Queue of the addresses to request: first in, first out, each once. All rules about which addresses to request apply
 * when an address is offered, so the same offers in the same order give the same crawl. Plain-text and PDF addresses
 * wait until all others are done and are dropped if an HTML page of the same name was kept.
 */
export class Frontier {
  readonly #rules: FrontierRules;
  readonly #coverage: Coverage;
  readonly #traps = new TrapGuard();
  readonly #known = new Map<string, 'pending' | 'done'>();
  #knownCharacters = 0;
  #pendingCount = 0;
  #pdfFiles = 0;
  readonly #hops = new Map<string, number>();
  #queue: FrontierEntry[] = [];
  #head = 0;
  #late: FrontierEntry[] = [];

  constructor(rules: FrontierRules, coverage: Coverage) {
    this.#rules = rules;
    this.#coverage = coverage;
  }

  get foundCount(): number {
    return this.#known.size + this.#coverage.mentionedCount;
  }

  /** Number of addresses queued or being requested. */
  get pendingCount(): number {
    return this.#pendingCount;
  }

  /** Returns true while an address is queued or being requested. */
  isPending(address: string): boolean {
    return this.#known.get(address) === 'pending';
  }

  /** Returns true if the address's outcome is already decided. */
  isSettled(address: string): boolean {
    return (this.#known.has(address) && !this.isPending(address)) || this.#isRefused(address);
  }

  /**
   * Returns the address in the site's canonical form, or undefined if it is out of scope. Reports an out-of-scope start
   * address regardless of its host.
   */
  resolve(href: string, isStart = false): string | undefined {
    const address = normalizeAddress(href);
    if (address === undefined) return undefined;
    const upgraded = upgradeToScope(address, this.#rules.scope);
    if (isInScope(upgraded, this.#rules.scope)) return upgraded;
    const isSameHost = this.#rules.scope.some((prefix) => originOf(prefix) === originOf(upgraded));
    if (isStart) this.#coverage.mention('start-out-of-scope', upgraded);
    else if (isSameHost) this.#coverage.mention('out-of-scope', upgraded);
    return undefined;
  }

  /** Appends a resolved address to the queue unless it is known or a rule forbids it. */
  offer(address: string, depth: number): void {
    if (this.#known.has(address)) return;
    if (depth > this.#rules.depthMax) {
      this.#coverage.mention('depth-limit', address);
      return;
    }
    if (this.#isRefused(address)) return;
    this.#coverage.takeBack(address);
    const refusal = this.#isFull() ? 'queue-full' : this.#refusalOf(address);
    if (refusal !== undefined) {
      // Coverage bounds how many it remembers: a site may have endless refused addresses.
      this.#coverage.mention(refusal, address);
      return;
    }
    this.#setPending(address);
    const isLate = isPlainText(address) || isPdfAddress(address) || isListing(address);
    (isLate ? this.#late : this.#queue).push({ address, depth, isCanonicalIgnored: false });
  }

  /** Offers the target of a redirect; chains stop after ten redirects. */
  offerRedirect(from: string, target: string, depth: number): void {
    const hops = (this.#hops.get(from) ?? 0) + 1;
    if (hops > redirectHopsMax) {
      if (!this.#known.has(target)) this.#coverage.mention('too-many-redirects', target);
      return;
    }
    if (!this.#known.has(target)) this.#hops.set(target, hops);
    this.offer(target, depth);
  }

  /** Queues an address again, this time to keep its page in any case. */
  offerAgain(address: string, depth: number): void {
    this.#setPending(address);
    this.#queue.push({ address, depth, isCanonicalIgnored: true });
  }

  /** Marks the address as requested, so that `take` does not return it again. */
  markDone(address: string): void {
    if (this.isPending(address)) this.#pendingCount--;
    this.#known.set(address, 'done');
  }

  /**
   * Returns the next address. Plain-text forms follow after all others; `isKept` returns true for addresses of kept
   * pages.
   */
  take(isKept: (address: string) => boolean, isAllElseDone: boolean): FrontierEntry | undefined {
    for (let entry = this.#queue[this.#head]; entry; entry = this.#queue[this.#head]) {
      this.#head++;
      if (this.isPending(entry.address)) return entry;
    }
    this.#queue = [];
    this.#head = 0;
    if (!isAllElseDone || this.#late.length === 0) return undefined;
    const late = this.#late;
    this.#late = [];
    for (const entry of late) {
      if (!htmlSiblingsOf(entry.address).some(isKept)) this.#queue.push(entry);
      else if (this.isPending(entry.address)) {
        this.markDone(entry.address);
        this.#coverage.skip('text-twin', entry.address);
      }
    }
    return this.take(isKept, isAllElseDone);
  }

  #setPending(address: string): void {
    if (!this.#known.has(address)) this.#knownCharacters += address.length;
    if (!this.isPending(address)) this.#pendingCount++;
    this.#known.set(address, 'pending');
  }

  #isRefused(address: string): boolean {
    const reason = this.#coverage.reasonOf(address);
    return reason !== undefined && !reconsidered.has(reason);
  }

  #isFull(): boolean {
    const { queueMax } = this.#rules;
    return this.#pendingCount >= queueMax || this.#knownCharacters >= queueMax * charactersPerAddress;
  }

  /** Empties the queue and counts the remaining addresses as skipped for `reason`. Returns true if there were any. */
  abandon(reason: SkipReason): boolean {
    const left = [...this.#queue.slice(this.#head), ...this.#late].filter(({ address }) => this.isPending(address));
    for (const { address } of left) {
      this.markDone(address);
      this.#coverage.skip(reason, address);
    }
    this.#queue = [];
    this.#late = [];
    this.#head = 0;
    return left.length > 0;
  }

  #refusalOf(address: string): SkipReason | undefined {
    const isPdf = isPdfAddress(address);
    if (isPdf ? this.#rules.pdfFilesMax === 0 : isUnreadable(address)) return 'unreadable-type';
    if (isSourceCopy(address)) return 'source-copy';
    const robots = this.#rules.robotsOf(originOf(address));
    if (!robots) return 'robots-unreachable';
    if (!robots.isAllowed(pathAndQueryOf(address))) return 'robots';
    const trap = this.#traps.refusalOf(address);
    if (trap !== undefined || !isPdf) return trap;
    this.#pdfFiles += 1;
    return this.#pdfFiles > this.#rules.pdfFilesMax ? 'pdf-limit' : undefined;
  }
}
