import { percentDecoded } from '#contract/lenient.ts';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';

export interface AskedAddress {
  /** Addresses without fragment under which the page may be indexed, the requested one first. */
  candidates: string[];
  /** Decoded, without `#`; empty if there is none. */
  fragment: string;
}

/**
 * Parses an address as people and agents write it: surrounding white space, angle brackets and a missing scheme are
 * corrected. Throws `invalid-input` if it is not an address.
 */
export function parseAddress(address: string): AskedAddress {
  const written = address.trim().replace(/^<(.*)>$/, '$1');
  if (written.length > limits.urlCharactersMax) {
    throw invalid(`the address has more than ${limits.urlCharactersMax} characters`);
  }
  if (written.startsWith('#')) throw invalid(`put the address of its page before ${written.slice(0, 80)}`);
  const url = URL.parse(
    /^[a-z][a-z0-9+.-]*:/i.test(written) && !/^[^/]+:\d+/.test(written) ? written : `https://${written}`,
  );
  if (url === null || (url.hostname === '' && url.protocol !== 'file:') || /\s/.test(written)) {
    throw invalid('give the address of a page, for example one of a search result');
  }
  const fragment = percentDecoded(url.hash.slice(1));
  url.hash = '';
  const route = /^!?\/([^?]*)(?:\?id=([^&]*))?/.exec(fragment);
  // What scripts show at `#/guide/start?id=close` is indexed as the file that they read.
  const shown = route === null ? null : URL.parse(`./${route[1]}`, url.href);
  if (shown === null) return { candidates: variantsOf(url), fragment };
  return { candidates: [url.href, ...variantsOf(shown), ...variantsOf(url)], fragment: route?.[2] ?? fragment };
}

/** Returns other spellings of the page's address: trailing slash, index file, extension, scheme, query. */
function variantsOf(url: URL): string[] {
  const variants = new Set([url.href]);
  for (const search of new Set([url.search, ''])) {
    for (const path of pathVariants(url.pathname)) {
      for (const protocol of protocolsOf(url)) {
        const variant = new URL(url);
        variant.protocol = protocol;
        variant.pathname = path;
        variant.search = search;
        variants.add(variant.href);
      }
    }
  }
  return [...variants];
}

function pathVariants(path: string): string[] {
  const bare = path.replace(/\/(?:index\.(?:html?|md))?$/, '');
  const stem = bare.replace(/\.(?:html?|md)$/, '');
  const files = [`${bare}/index.html`, `${stem}.html`, stem, `${stem}.md`, `${bare}/README.md`];
  return [path, `${bare}/`, bare, ...files].filter((variant) => variant !== '');
}

function protocolsOf(url: URL): string[] {
  if (url.protocol === 'http:') return ['http:', 'https:'];
  return url.protocol === 'https:' ? ['https:', 'http:'] : [url.protocol];
}

function invalid(reason: string): AppError {
  return new AppError('invalid-input', { values: { reason } });
}
