import { quoted } from '#server/platform/quoted.ts';
import { CrawlError, startFailure, startStatusFailure } from './crawl-error.ts';
import type { CrawlRecord, ParsedPage } from './crawl-types.ts';
import { normalizeAddress, originOf, pathAndQueryOf } from './page-address.ts';
import type { PageFetcher, PageOutcome } from './page-fetcher.ts';
import type { RobotsBook } from './robots-book.ts';
import { isInScope, type Scope } from './scope.ts';

const redirectsMax = 10;

/** The start address after redirects, its page, and the redirects on the way. */
export interface StartPage<Page extends ParsedPage> {
  address: string;
  redirects: CrawlRecord<Page>[];
  outcome: PageOutcome<Page> & { kind: 'page' | 'unchanged' };
}

/** Returns the normalised start address. Throws CrawlError if it is invalid. */
export function parseStartUrl(startUrl: string): string {
  const address = normalizeAddress(startUrl);
  if (address !== undefined) return address;
  throw new CrawlError(
    'bad-address',
    startUrl,
    `"${startUrl.slice(0, 200)}" is not an address that can be crawled. Give one that begins with http:// or https://, without a user name in it.`,
  );
}

/**
 * Reads the start page, following redirects within its host (or within `scope`, if given). Rejects with CrawlError if a
 * crawl from there is pointless.
 */
export async function openStartPage<Page extends ParsedPage>(
  start: string,
  scope: Scope | undefined,
  fetcher: PageFetcher<Page>,
  robots: RobotsBook,
  isLate: () => boolean,
): Promise<StartPage<Page>> {
  const redirects: CrawlRecord<Page>[] = [];
  for (let address = start; ; ) {
    if (isLate()) throw tooSlow(start);
    checkMayFollow(start, address, scope, redirects);
    await checkRobots(address, robots);
    const outcome = await fetcher.fetch(address);
    const { fetchedAt, contentBytes } = outcome;
    switch (outcome.kind) {
      case 'page':
      case 'unchanged':
        return { address, redirects, outcome };
      case 'redirect':
        if (!scope) checkSameSite(start, address, outcome.target);
        redirects.push({ url: address, status: 'redirect', target: outcome.target, depth: 0, fetchedAt, contentBytes });
        address = outcome.target;
        break;
      case 'skipped':
      case 'failed':
        throw failureOf(address, outcome);
    }
  }
}

function checkMayFollow(
  start: string,
  address: string,
  scope: Scope | undefined,
  redirects: readonly CrawlRecord[],
): void {
  if (scope && !isInScope(address, scope)) {
    throw new CrawlError(
      'redirect-out-of-scope',
      address,
      `${address} is outside the source's scope (${scope.join(', ')}). Start from an address inside it.`,
    );
  }
  if (redirects.some(({ url }) => url === address) || redirects.length > redirectsMax) {
    throw new CrawlError(
      'redirect-loop',
      address,
      `${start} redirects in a circle or without end. Open it in a browser and use the address that you reach.`,
    );
  }
}

function tooSlow(start: string): CrawlError {
  return new CrawlError(
    'host-failing',
    start,
    `${start} redirects, but takes too long to reach a page. Try again later, or use the address that you reach in a browser.`,
  );
}

async function checkRobots(address: string, robots: RobotsBook): Promise<void> {
  const origin = originOf(address);
  const rules = await robots.load(origin);
  if (rules.isAllowed(pathAndQueryOf(address))) return;
  throw new CrawlError(
    'robots-refused',
    address,
    `The robots.txt of ${origin} forbids reading ${address}. Ask the site's owner, or index a copy from a folder.`,
  );
}

function failureOf(address: string, outcome: PageOutcome<ParsedPage> & { kind: 'skipped' | 'failed' }): CrawlError {
  if (outcome.kind === 'skipped') {
    return new CrawlError(
      'wrong-content-type',
      address,
      `${address} is not a page of text (it is ${quoted(outcome.detail) || 'binary data'}). Give the address of an HTML, Markdown or text page.`,
    );
  }
  if (outcome.error) return startFailure(outcome.error);
  if (outcome.status !== undefined) return startStatusFailure(address, outcome.status);
  if (outcome.told !== undefined) {
    return new CrawlError('start-unusable', address, `${address} could not be read. ${outcome.told}`);
  }
  return new CrawlError(
    'start-unusable',
    address,
    `${address} could not be understood. Start from another page of the site.`,
  );
}

/**
 * Throws unless the redirect stays on the start's host (http to https is allowed); any other move needs a person's
 * decision.
 */
function checkSameSite(start: string, from: string, target: string): void {
  const { hostname, protocol } = new URL(from);
  const to = new URL(target);
  const isUpgrade = protocol === 'http:' && to.protocol === 'https:' && to.hostname === hostname;
  if (to.origin === originOf(from) || isUpgrade) return;
  throw new CrawlError(
    'redirect-out-of-scope',
    target,
    `${start} redirects to another site, ${target}. If that is the one you mean, index that address.`,
  );
}
