import { pathOf } from './page-address.ts';

const identityParameter = /[?&](id|p|page_id|title|topic|article|name|doc|path|view|file|node)=/i;

/**
 * Returns true if a page's word that another address stands for it is believed. Believed are other ways of writing the same
 * address (query, `index.html`, `.html`, slash at the end, letter case) and the same page in another place, such as
 * another version. Not believed are links to a page of another name: sites whose template names the home page on every
 * page would lose all others.
 */
export function isCredibleCanonical(address: string, canonical: string): boolean {
  if (identityParameter.test(address) && !identityParameter.test(canonical)) return false;
  const own = plainPath(address);
  const other = plainPath(canonical);
  if (own === other) return true;
  const name = own.slice(own.lastIndexOf('/') + 1);
  return name !== '' && name === other.slice(other.lastIndexOf('/') + 1);
}

function plainPath(address: string): string {
  return pathOf(address)
    .toLowerCase()
    .replace(/\/index(\.\w+)?$/, '')
    .replace(/\.(html?|php|aspx?|jsp|mdx?)$/, '')
    .replace(/\/+$/, '');
}
