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
  /** Keep the page although it names another address as canonical: that one could not be read. */
  isCanonicalIgnored: boolean;
}

export interface FrontierRules {
  scope: Scope;
  depthMax: number;
  queueMax: number;
  /** Robots rules of an origin of the scope; undefined means nothing may be read there. */
  robotsOf: (origin: string) => RobotsRules | undefined;
  /** PDF files that are asked for; 0 where none can be read. */
  pdfFilesMax: number;
}

export const redirectHopsMax = 10;

/** What kept an address out may not the next time it is met. */
const reconsidered: ReadonlySet<SkipReason> = new Set([
  'depth-limit',
  'nofollow',
  'out-of-scope',
  'queue-full',
  'too-many-redirects',
]);
/** Of all addresses of a crawl together, for each that may wait: most have fewer than 100, one may have 2,000. */
const charactersPerAddress = 400;

/**
 * The addresses still to be asked for, first come, first served, each once. Every rule about which addresses are asked
 * for is applied when one is offered, in the order of offers, so the same offers give the same crawl. Addresses of
 * plain-text forms and of PDF files wait until all others are through and are dropped when an HTML page of the same name was kept.
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

  /** Addresses waiting or being asked for. */
  get pendingCount(): number {
    return this.#pendingCount;
  }

  /** True while an address is waiting or being asked for. */
  isPending(address: string): boolean {
    return this.#known.get(address) === 'pending';
  }

  /** True when it is decided already what becomes of the address. */
  isSettled(address: string): boolean {
    return (this.#known.has(address) && !this.isPending(address)) || this.#isRefused(address);
  }

  /** The address as this site knows it, or undefined when it lies outside. Such a start address is reported, whatever its host. */
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

  /** Puts a resolved address at the end of the queue unless a rule speaks against it or it is known already. */
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
      // Remembered there in a bounded number: a site may have refused addresses without end.
      this.#coverage.mention(refusal, address);
      return;
    }
    this.#setPending(address);
    const isLate = isPlainText(address) || isPdfAddress(address) || isListing(address);
    (isLate ? this.#late : this.#queue).push({ address, depth, isCanonicalIgnored: false });
  }

  /** Offers where `from` redirects to; a chain of more than ten ends. */
  offerRedirect(from: string, target: string, depth: number): void {
    const hops = (this.#hops.get(from) ?? 0) + 1;
    if (hops > redirectHopsMax) {
      if (!this.#known.has(target)) this.#coverage.mention('too-many-redirects', target);
      return;
    }
    if (!this.#known.has(target)) this.#hops.set(target, hops);
    this.offer(target, depth);
  }

  /** Puts an address in the queue again, this time to keep the page in any case. */
  offerAgain(address: string, depth: number): void {
    this.#setPending(address);
    this.#queue.push({ address, depth, isCanonicalIgnored: true });
  }

  /** From now on the address counts as asked for; it is not given out any more. */
  markDone(address: string): void {
    if (this.isPending(address)) this.#pendingCount--;
    this.#known.set(address, 'done');
  }

  /** The next address. When all others are through, the plain-text forms follow; `isKept` tells what is a page. */
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

  /** Counts all that is left as skipped for `reason` and empties the queue. True when there was anything. */
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
