import { textDirective } from './anchor.ts';
import { percentDecoded } from './lenient.ts';

/** What the address of the viewer says beside the page: ours begin with `~`, everything else is the page's own. */
export interface DocumentPlace {
  /** Address of the page, with its query, without fragment; empty when the path names none. */
  address: string;
  /** Decoded, without `#`; empty when there is none. */
  anchor: string;
  /** Where several modules have the page: which of them. */
  moduleId?: string | undefined;
  /** Where one id is both a public and a private module: which of them. */
  visibility?: 'public' | 'private' | undefined;
  /** Which passage is meant, where several have the anchor; the anchor counts where the page has changed since. */
  passage?: string | undefined;
  /** What a read would be asked for, and the most tokens of it. */
  query?: string | undefined;
  tokens?: number | undefined;
  /** How the page is shown; passage by passage when left out. */
  view?: DocumentView | undefined;
}

const views = ['markdown', 'sent'] as const;
/** All of a page as Markdown, or as an agent gets it. */
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
 * Where the viewer shows a page: `/document/<address>#<anchor>`, for the address of any passage or page, as in a search
 * hit. For links of the product itself; the router may write one slash behind the scheme, which is read all the same.
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
  // The router makes one slash of two.
  const written = start + scheme + rest.replace(/\/(?=\/)/g, '/%2F').replace(/%2F\/+/g, '%2F');
  // Browsers keep a text directive from the page that it leads to.
  const ours = hash === '#' ? '' : hash.replace(textDirective, encodeURIComponent(textDirective));
  return plain(written + (search === '' ? '' : `?${search}`) + ours);
}

/** Reads a location of the viewer back: with the address as it is, percent-encoded whole, or with slashes lost. */
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
  // Letters, digits and - . _ ~ are the same written as they are (RFC 3986, 6.2.2.2).
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

/** An address that was encoded whole hides its scheme's colon or the slashes behind it. */
function unpacked(written: string): string {
  return /^[a-z][a-z0-9+.-]*(?:%3A|:%2F)/i.test(written) ? percentDecoded(written) : written;
}

/** Without what may not stand in an address. */
function plain(path: string): string {
  return path.replace(/[\s\\"<>^`{|}\p{Cc}]/gu, (character) => encodeURIComponent(character));
}
