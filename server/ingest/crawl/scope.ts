import { normalizeAddress, originOf, pathAndQueryOf } from './page-address.ts';

/** Address prefixes; all addresses that start with one of them belong to the site. */
export type Scope = readonly string[];

/** Returns the start address's directory: everything up to its last slash, without the query. */
export function defaultScope(startAddress: string): Scope {
  const path = startAddress.replace(/[?#].*$/, '');
  return [path.slice(0, path.lastIndexOf('/') + 1)];
}

// A version, a language, or the documentation part of a site with other pages.
const editionName =
  /^(?:v?\d[\w.-]*|latest|stable|current|main|master|next|dev|docs?|documentation|[a-z]{2}(?:[-_][a-z]{2,4})?)$/i;

/**
 * Returns the scope of a crawl whose start address was redirected. If a folder redirects to a page below it (`/docs/`
 * to `/docs/intro/install`), the scope is the folder; if it redirects to an edition (`/en/latest/`), the edition.
 */
export function scopeOfStart(given: string, reached: string): Scope {
  const [end = ''] = defaultScope(reached);
  const path = pathAndQueryOf(given).replace(/(?:\/(?:index\.\w+)?)?(?:\?.*)?$/, '/');
  const folder = originOf(reached) + path;
  if (!end.startsWith(folder)) return [end];
  const segments = end.slice(folder.length).split('/').slice(0, -1);
  const sectionAt = segments.findIndex((segment) => !editionName.test(segment));
  const editions = sectionAt < 0 ? segments : segments.slice(0, sectionAt);
  return [folder + editions.map((segment) => `${segment}/`).join('')];
}

/** Normalises prefixes entered by people. Throws RangeError if one is not an address. */
export function parseScope(prefixes: readonly string[]): Scope {
  return prefixes.map((prefix) => {
    const address = normalizeAddress(prefix);
    if (address === undefined) throw new RangeError(`"${prefix}" is not an http or https address`);
    return address;
  });
}

export function isInScope(address: string, scope: Scope): boolean {
  return scope.some((prefix) => address.startsWith(prefix));
}

/** Upgrades an http address to https if the site is served over https; sitemaps and old links often use http. */
export function upgradeToScope(address: string, scope: Scope): string {
  if (!address.startsWith('http://')) return address;
  const upgraded = `https://${address.slice('http://'.length)}`;
  const origin = originOf(upgraded);
  return scope.some((prefix) => originOf(prefix) === origin) ? upgraded : address;
}
