import { textDirective } from './anchor.ts';
import { percentDecoded } from './lenient.ts';

/** The state in a viewer address besides the page: our parameters begin with `~`, all others belong to the page. */
export interface DocumentPlace {
  /** The page's address with its query, without fragment; empty if the path has none. */
  address: string;
  /** Decoded, without `#`; empty if there is none. */
  anchor: string;
  /** Selects the module if several contain the page. */
  moduleId?: string | undefined;
  /** Selects the module if both a public and a private one have the id. */
  visibility?: 'public' | 'private' | undefined;
  /** Selects the passage if several have the anchor. If the page has changed since, the anchor is used. */
  passage?: string | undefined;
  /** The query and token budget of a read. */
  query?: string | undefined;
  tokens?: number | undefined;
  /** How the page is shown; defaults to passage by passage. */
  view?: DocumentView | undefined;
}

const views = ['markdown', 'sent'] as const;
/** Shows the full page as Markdown, or as an agent receives it. */
export type DocumentView = (typeof views)[number];

const visibilities = ['public', 'private'] as const;
const start = '/document/';
const ownFields = {
  moduleId: '~module',
  visibility: '~visibility',
  passage: '~passage',
  query: '~query',
  tokens: '~tokens',
  view: '~view',
} as const;

/**
 * Returns the viewer's path for a page or passage address, as in a search hit: `/document/<address>#<anchor>`. For
 * internal links; the router may reduce the slashes after the scheme to one, which is also understood.
 */
export function documentPath(url: string, own: Omit<DocumentPlace, 'address' | 'anchor'> = {}): string {
  const [, page = '', hash = ''] = /^([^#]*)(#.*)?$/s.exec(url) ?? [];
  const [, path = '', query = ''] = /^([^?]*)(\?.*)?$/s.exec(page) ?? [];
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/*)?(.*)$/is.exec(path) ?? [];
  const fields = Object.entries(ownFields).flatMap(([name, field]) => {
    const value = own[name as keyof typeof own];
    return value === undefined || value === '' ? [] : [`${field}=${encodeURIComponent(value)}`];
  });
  const search = [query.slice(1), ...fields].filter((part) => part !== '').join('&');
  // The router collapses double slashes.
  const written = start + scheme + rest.replace(/\/(?=\/)/g, '/%2F').replace(/%2F\/+/g, '%2F');
  // Browsers hide a text directive from the page that is opened.
  const ours = hash === '#' ? '' : hash.replace(textDirective, encodeURIComponent(textDirective));
  return plain(written + (search === '' ? '' : `?${search}`) + ours);
}

/** Parses a viewer location: with the address as it is, fully percent-encoded, or with lost slashes. */
export function placeOfDocument(location: { pathname: string; search: string; hash: string }): DocumentPlace {
  const fields = location.search
    .slice(1)
    .split('&')
    .filter((field) => field !== '');
  const isOwn = (field: string) => /^(?:~|%7E)/i.test(field);
  const own = new Map(
    fields.filter(isOwn).map((field) => {
      const [name = '', ...value] = field.split('=');
      return [percentDecoded(name), percentDecoded(value.join('=').replaceAll('+', ' '))];
    }),
  );
  const pageQuery = fields.filter((field) => !isOwn(field)).join('&');
  const written = location.pathname.slice(start.length);
  const [, page = '', encodedAnchor = ''] = /^([^#]*)(?:#(.*))?$/s.exec(unpacked(written)) ?? [];
  // Letters, digits and - . _ ~ are equivalent unescaped (RFC 3986, 6.2.2.2).
  const address = page
    .replace(/^([a-z][a-z0-9+.-]*):\/*/i, (_, scheme: string) => `${scheme}:${scheme === 'file' ? '///' : '//'}`)
    .replace(/\/%2F/gi, '//')
    .replace(/%(?:2[DE]|3\d|4[1-9A-F]|5[\dA]|5F|6[1-9A-F]|7[\dAE])/gi, percentDecoded);
  const tokens = Number(own.get(ownFields.tokens) ?? Number.NaN);
  return {
    address: pageQuery === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${pageQuery}`,
    anchor: percentDecoded(location.hash.slice(1) || encodedAnchor),
    moduleId: own.get(ownFields.moduleId),
    visibility: visibilities.find((one) => one === own.get(ownFields.visibility)),
    passage: own.get(ownFields.passage),
    query: own.get(ownFields.query),
    tokens: Number.isInteger(tokens) ? tokens : undefined,
    view: views.find((one) => one === own.get(ownFields.view)),
  };
}

/** Decodes an address that was fully encoded, which hides the scheme's colon or the slashes after it. */
function unpacked(written: string): string {
  return /^[a-z][a-z0-9+.-]*(?:%3A|:%2F)/i.test(written) ? percentDecoded(written) : written;
}

/** Escapes characters that are not allowed in an address. */
function plain(path: string): string {
  return path.replace(/[\s\\"<>^`{|}\p{Cc}]/gu, (character) => encodeURIComponent(character));
}
