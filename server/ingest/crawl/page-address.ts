/** Parameters that say where a visitor came from or what was searched for; the page is the same without them. */
const trackingParameters =
  /^(utm_.+|gclid|dclid|fbclid|msclkid|yclid|igshid|twclid|mc_[ce]id|_ga|_gl|_hs(enc|mi)|hsctatracking|mkt_tok|vero_id|wickedid|highlight)$/i;
/** Parameters that name a visit; each visit makes new addresses of the same pages. */
const sessionParameters =
  /^(sid|session_?id|php_?sess_?id|j?sessionid|aspsessionid.*|cfid|cftoken|zenid|oscsid|sessid)$/i;
const sessionInPath = /;(jsessionid|phpsessid|sid)=[^/?;]*/gi;

const addressLengthMax = 2_000;

/**
 * The address a page is known by: scheme, host and escapes in canonical form, default port, dot segments, fragment,
 * tracking and session parameters gone. Nothing that could name a different page is touched: letter case of the path,
 * a slash at the end, `index.html` and the order of parameters stay. Undefined for what is no http(s) address, carries
 * a user name, or is longer than 2,000 characters.
 */
export function normalizeAddress(href: string, base?: string): string | undefined {
  const url = URL.parse(href, base);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  if (url.username !== '' || url.password !== '' || url.href.length > addressLengthMax) return undefined;
  let path = url.pathname;
  if (path.includes('%')) path = normalizeEscapes(path);
  if (path.includes(';')) path = path.replace(sessionInPath, '');
  return url.origin + path + (url.search === '' ? '' : normalizeQuery(url.search));
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

/** The name of one `name=value` pair of a query, undecoded. */
export function parameterName(pair: string): string {
  const end = pair.indexOf('=');
  return end < 0 ? pair : pair.slice(0, end);
}

/** The path of a normalised address split at slashes, without the empty first part. */
export function segmentsOf(address: string): string[] {
  return pathOf(address).slice(1).split('/');
}

/** The path of a normalised address. */
export function pathOf(address: string): string {
  const start = address.indexOf('/', address.indexOf('//') + 2);
  const query = address.indexOf('?', start);
  return query < 0 ? address.slice(start) : address.slice(start, query);
}

/** Path and query of a normalised address, as robots.txt rules see them. */
export function pathAndQueryOf(address: string): string {
  return address.slice(address.indexOf('/', address.indexOf('//') + 2));
}

/** Scheme, host and port of a normalised address. */
export function originOf(address: string): string {
  return address.slice(0, address.indexOf('/', address.indexOf('//') + 2));
}

/** File name ending in lower case without the dot; empty when the last path segment has none. */
export function extensionOf(address: string): string {
  const path = pathOf(address);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

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
