import type { ResponseHead } from './exchange.ts';
import { OutboundError } from './outbound-error.ts';

/** A request after some redirects. Header names are in lower case. */
export interface PendingRequest {
  url: URL;
  method: string;
  headers: Record<string, string>;
  /** Names of headers with secrets of the first origin. */
  secretHeaders: ReadonlySet<string>;
  body?: string | Uint8Array | undefined;
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const alwaysSecret = ['authorization', 'proxy-authorization', 'cookie'];

/**
 * Returns the request for a redirect, or undefined if the response is not one. Secrets are dropped at another origin,
 * even if a later redirect returns to the first. Throws an OutboundError for a redirect that would send a body to
 * another origin, or secrets from https to http.
 */
export function nextHop(request: PendingRequest, head: ResponseHead): PendingRequest | undefined {
  const location = head.headers['location'];
  if (!redirectStatuses.has(head.status) || location === undefined) return undefined;
  const url = resolveLocation(location, request.url);
  const isGet = request.method === 'GET' || request.method === 'HEAD';
  const becomesGet = !isGet && (head.status === 303 || (head.status !== 307 && head.status !== 308));
  const isSameOrigin = url.origin === request.url.origin;
  const secrets = Object.keys(request.headers).filter(
    (name) => request.secretHeaders.has(name) || alwaysSecret.includes(name),
  );
  if (secrets.length > 0 && request.url.protocol === 'https:' && url.protocol === 'http:') {
    throw new OutboundError(
      'insecure-redirect',
      url.href,
      `${request.url.host} redirects a request with credentials from https to plain http (${url.href}). It was not followed; use an https address.`,
    );
  }
  if (!isSameOrigin && !isGet && !becomesGet) {
    throw new OutboundError(
      'insecure-redirect',
      url.href,
      `${request.url.host} asks to send the same data to ${url.origin}. It was not followed; use that address yourself if you trust it.`,
    );
  }
  const headers = { ...request.headers };
  if (!isSameOrigin) for (const name of secrets) delete headers[name];
  if (becomesGet) for (const name of ['content-type', 'content-length']) delete headers[name];
  return {
    url,
    method: becomesGet ? 'GET' : request.method,
    headers,
    secretHeaders: request.secretHeaders,
    body: becomesGet ? undefined : request.body,
  };
}

function resolveLocation(location: string, base: URL): URL {
  // Header bytes arrive as Latin-1; servers that send raw non-ASCII bytes mean UTF-8.
  const text = /[\x80-\xff]/.test(location) ? Buffer.from(location, 'latin1').toString('utf8') : location;
  const url = URL.parse(text, base.href);
  if (!url) {
    throw new OutboundError('bad-url', base.href, `${base.href} redirects to something that is not an address.`);
  }
  if (url.hash === '' && base.hash !== '') url.hash = base.hash;
  return url;
}
