/** Parameters for a visitor's origin or search terms, which do not change the page. */
const trackingParameters =
  /^(utm_.+|gclid|dclid|fbclid|msclkid|yclid|igshid|twclid|mc_[ce]id|_ga|_gl|_hs(enc|mi)|hsctatracking|mkt_tok|vero_id|wickedid|highlight)$/i;
/** Session parameters; each visit creates new addresses for the same pages. */
const sessionParameters =
  /^(sid|session_?id|php_?sess_?id|j?sessionid|aspsessionid.*|cfid|cftoken|zenid|oscsid|sessid)$/i;
const sessionInPath = /;(jsessionid|phpsessid|sid)=[^/?;]*/gi;
/** The page that the frames of javadoc and Groovydoc open at: `index.html?org/lib/Pool.html`. */
const pathAsQuery = /^\?[\w$.-]+(?:\/[\w$.-]+)*(?:\/[\w$.-]+|\.html)$/;

const addressLengthMax = 2_000;

/**
 * Normalises an address: canonical scheme, host and escapes; without default port, dot segments, fragment, tracking and
 * session parameters, and the pages of framesets. Keeps everything that could distinguish pages: the path's letter
 * case, a trailing slash, `index.html` and the order of parameters. Returns undefined if it is not an http(s) address,
 * contains a user name or is longer than 2,000 characters.
 */
export function normalizeAddress(href: string, base?: string): string | undefined {
  const url = URL.parse(href, base);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  if (url.username !== '' || url.password !== '' || url.href.length > addressLengthMax) return undefined;
  let path = url.pathname;
  if (path.includes('%')) path = normalizeEscapes(path);
  if (path.includes(';')) path = path.replace(sessionInPath, '');
  const isFrameset = path.endsWith('/index.html') && pathAsQuery.test(url.search);
  return url.origin + path + (url.search === '' || isFrameset ? '' : normalizeQuery(url.search));
}

function normalizeEscapes(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[A-Za-z0-9\-._~]/.test(character) ? character : escape.toUpperCase();
  });
}

function normalizeQuery(search: string): string {
  const kept = search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !isNoise(parameterName(pair)));
  return kept.length === 0 ? '' : `?${normalizeEscapes(kept.join('&'))}`;
}

function isNoise(name: string): boolean {
  return trackingParameters.test(name) || sessionParameters.test(name);
}

/** Returns the name in one `name=value` pair of a query, undecoded. */
export function parameterName(pair: string): string {
  const end = pair.indexOf('=');
  return end < 0 ? pair : pair.slice(0, end);
}

/** Returns a normalised address's path segments, without the empty first one. */
export function segmentsOf(address: string): string[] {
  return pathOf(address).slice(1).split('/');
}

/** Returns a normalised address's path. */
export function pathOf(address: string): string {
  const start = address.indexOf('/', address.indexOf('//') + 2);
  const query = address.indexOf('?', start);
  return query < 0 ? address.slice(start) : address.slice(start, query);
}

/** Returns a normalised address's path and query, as robots.txt rules match them. */
export function pathAndQueryOf(address: string): string {
  return address.slice(address.indexOf('/', address.indexOf('//') + 2));
}

/** Returns a normalised address's scheme, host and port. */
export function originOf(address: string): string {
  return address.slice(0, address.indexOf('/', address.indexOf('//') + 2));
}

/** Returns the file extension in lower case without the dot; empty if the last path segment has none. */
export function extensionOf(address: string): string {
  const path = pathOf(address);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

const identityParameter = /[?&](id|p|page_id|title|topic|article|name|doc|path|view|file|node)=/i;

/**
 * Returns true if a page's canonical link is credible: another spelling of the same address (query, `index.html`,
 * `.html`, trailing slash, letter case) or the same page in another place, such as another version. A link to a page of
 * another name is not: if a site's template names the home page on every page, all other pages would be lost.
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
