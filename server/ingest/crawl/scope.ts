import { normalizeAddress, originOf, pathAndQueryOf } from './page-address.ts';

/** The part of the web that belongs to a site: addresses that begin with one of these. */
export type Scope = readonly string[];

/** Directory of the start address: everything up to and including its last slash, without the query. */
export function defaultScope(startAddress: string): Scope {
  const path = startAddress.replace(/[?#].*$/, '');
  return [path.slice(0, path.lastIndexOf('/') + 1)];
}

// A version, a language, or the documentation of a site that has other pages.
const editionName =
  /^(?:v?\d[\w.-]*|latest|stable|current|main|master|next|dev|docs?|documentation|[a-z]{2}(?:[-_][a-z]{2,4})?)$/i;

/**
 * The scope of a crawl that began at one address and was redirected to another. If a folder leads to a page below it (`/docs/` to
 * `/docs/intro/install`), that is the folder; if it leads to an edition (`/en/latest/`), the edition.
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

/** Prefixes given by people, made comparable with normalised addresses. Throws RangeError when one is no address. */
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

/**
 * The same address under https where the site is served under https and the address names it with plain http: sitemaps
 * and old links often do.
 */
export function upgradeToScope(address: string, scope: Scope): string {
  if (!address.startsWith('http://')) return address;
  const upgraded = `https://${address.slice('http://'.length)}`;
  const origin = originOf(upgraded);
  return scope.some((prefix) => originOf(prefix) === origin) ? upgraded : address;
}
