import type { Page, Request, Route } from 'playwright-core';
import { CodedError } from '../coded-error.ts';
import { type Outbound, OutboundError } from '../outbound/index.ts';

type RenderErrorCode = 'render-timeout' | 'render-failed' | 'render-too-large' | 'browser-unusable';

/** A page that the browser could not render; the message is a sentence for people. */
export class RenderError extends CodedError<RenderErrorCode> {
  override readonly name = 'RenderError';
}

/** Resource types that contribute no text to a page. */
const unread = new Set(['image', 'media', 'font', 'manifest', 'texttrack', 'eventsource', 'websocket', 'ping']);
/** Request headers from the browser that matter to the server. */
const passedOn = ['accept', 'accept-language', 'content-type', 'origin', 'referer', 'x-requested-with', 'range'];
/** Response headers that describe the bytes as transferred, and no longer apply. */
const ofTheWire = new Set(['content-encoding', 'content-length', 'transfer-encoding', 'connection', 'keep-alive']);

export interface PageTraffic {
  /** Throws if the page has fetched more than it may. */
  check(): void;
}

/**
 * Serves a page's requests for scripts and data through the guarded client. Credentials are sent only to the origin of
 * `url`, and never follow a redirect. Request bodies are sent only to that origin: a page must not make us write to
 * other sites.
 */
export async function answerRequests(
  page: Page,
  parts: {
    url: string;
    credentials: Record<string, string> | undefined;
    outbound: Outbound;
    signal: AbortSignal;
    limits: { bytesMax: number; requestsMax: number };
  },
): Promise<PageTraffic> {
  const { limits, signal } = parts;
  const own = new URL(parts.url).origin;
  let requests = 0;
  let bytes = 0;
  let excess: RenderError | undefined;
  const exceed = (what: string) => {
    excess ??= new RenderError('render-too-large', `${parts.url} fetches more than ${what}.`);
  };

  const answer = async (route: Route): Promise<void> => {
    const request = route.request();
    const isOwn = URL.canParse(request.url()) && new URL(request.url()).origin === own;
    if (excess !== undefined || signal.aborted || !isWanted(request, isOwn)) return route.abort('blockedbyclient');
    // Not fetched, but reported as loaded: bundled scripts wait for a component's styles before they show it.
    if (request.resourceType() === 'stylesheet') return route.fulfill({ contentType: 'text/css', body: '' });
    requests += 1;
    if (requests > limits.requestsMax) {
      exceed(`${limits.requestsMax} files`);
      return route.abort('blockedbyclient');
    }
    try {
      const body = request.postDataBuffer();
      const response = await parts.outbound.request(request.url(), {
        method: request.method(),
        headers: pick(request.headers()),
        ...(body === null ? {} : { body: new Uint8Array(body) }),
        ...(isOwn && parts.credentials !== undefined ? { credentials: parts.credentials } : {}),
        bytesMax: Math.max(1, limits.bytesMax - bytes),
        // The crawler handles redirected documents, because it first checks whether it may go there.
        redirectsMax: request.isNavigationRequest() ? 0 : 5,
        signal,
      });
      bytes += response.body.byteLength;
      await route.fulfill({
        status: response.status,
        headers: ofTheDocument(response.headers),
        body: Buffer.from(response.body),
      });
    } catch (error) {
      if (error instanceof OutboundError && error.code === 'too-large') exceed(`${limits.bytesMax} bytes`);
      await route.abort('failed');
    }
  };
  // A page that has been closed accepts no response.
  await page.route('**/*', (route) => answer(route).catch(() => undefined));
  await page.routeWebSocket(/./, (socket) => socket.close());
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
  page.on('popup', (popup) => void popup.close().catch(() => undefined));
  return {
    check() {
      if (excess !== undefined) throw excess;
    },
  };
}

function isWanted(request: Request, isOwn: boolean): boolean {
  if (unread.has(request.resourceType())) return false;
  const method = request.method();
  if (method === 'GET' || method === 'HEAD') return true;
  return isOwn && method === 'POST';
}

function pick(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(passedOn.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));
}

function ofTheDocument(headers: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || ofTheWire.has(name) ? [] : [[name, value]],
    ),
  );
}
