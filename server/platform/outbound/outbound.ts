import type { Agent } from 'undici';
import { AddressGuard, type NetworkPolicy } from './address-guard.ts';
import { type Resolve, resolveBySystem } from './checked-lookup.ts';
import { acceptedEncodings } from './decode-body.ts';
import { type BodySink, type ExchangeResult, exchange, type ResponseHead, type ResponseHeaders } from './exchange.ts';
import type { StreamRequest, StreamResponse } from './open-stream.ts';
import { OutboundError } from './outbound-error.ts';
import { type OutboundLimits, outboundLimits } from './outbound-limits.ts';
import { nextHop, type PendingRequest } from './redirect.ts';

export interface OutboundOptions {
  /** "host:port" entries that may be contacted even at private addresses. */
  allowHosts: readonly string[];
  userAgent: string;
  resolve?: Resolve;
  policy?: NetworkPolicy;
  limits?: Partial<OutboundLimits>;
}

export interface OutboundRequest {
  /** Defaults to GET. */
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  bytesMax?: number;
  timeoutMs?: number;
  /** 0 returns a redirect as is. */
  redirectsMax?: number;
  signal?: AbortSignal;
  /** Headers (authorization, cookie, …) sent only to the origin of the first address. */
  credentials?: Record<string, string>;
  /**
   * Receives the head of the final response before its body is read; 'stop' leaves the body unread. A sink receives the
   * body as it arrives, which is then not buffered and must not be compressed.
   */
  onHead?: (head: ResponseHead) => 'read' | 'stop' | BodySink;
  /** Returns the first `bytesMax` bytes of a larger body instead of failing; compressed bodies still fail. */
  isCutAtBytesMax?: boolean;
}

export interface OutboundResponse {
  /** The address that responded. */
  url: string;
  status: number;
  headers: ResponseHeaders;
  /** Decompressed. Owns its whole ArrayBuffer, so it can be transferred to a worker. */
  body: Uint8Array;
  /** False if the body was truncated or left unread. */
  isComplete: boolean;
  /** The redirect targets in order; the last is `url`. */
  redirects: string[];
}

/** The client for all outgoing requests of the server. */
export interface Outbound {
  /**
   * Sends a request. Resolves for any HTTP status; rejects with an OutboundError without a response. Refuses addresses
   * that are neither public nor in `allowHosts`, at every redirect and every connection. Never retries and stores no
   * cookies.
   */
  request(url: string, options?: OutboundRequest): Promise<OutboundResponse>;
  /** Same for a streamed response, such as a model's; does not follow redirects. */
  stream(url: string, request: StreamRequest): Promise<StreamResponse>;
  /** Closes idle connections and fails requests in progress. */
  close(): Promise<void>;
}

/** Throws RangeError if an entry of `allowHosts` or a block of the policy is malformed. */
export function createOutbound(options: OutboundOptions): Outbound {
  const limits: OutboundLimits = { ...outboundLimits, ...options.limits };
  const guard = new AddressGuard(options.allowHosts, options.policy);
  const { agent, close } = agentOfFirstRequest(guard, options.resolve ?? resolveBySystem, limits);
  return {
    request: (url, request = {}) => follow(url, request, { guard, agent, limits, userAgent: options.userAgent }),
    async stream(url, request) {
      const parsed = parseAddress(url);
      guard.checkUrl(parsed);
      const headers = { 'user-agent': options.userAgent, ...lowerCased(request.headers) };
      const { openStream } = await import('./open-stream.ts');
      return openStream(await agent(), parsed, { ...request, headers });
    },
    close,
  };
}

/**
 * Created by the first request, because the HTTP client is a large part of the program, and a server that only answers
 * searches sends no requests.
 */
function agentOfFirstRequest(guard: AddressGuard, resolve: Resolve, limits: OutboundLimits) {
  let opened: Promise<Agent> | undefined;
  let isClosed = false;
  const open = async (): Promise<Agent> => {
    const { createAgent } = await import('./guarded-agent.ts');
    const agent = createAgent(guard, resolve, limits);
    // A late request fails like one in progress.
    if (isClosed) await agent.destroy();
    return agent;
  };
  return {
    agent: () => (opened ??= open()),
    async close(): Promise<void> {
      isClosed = true;
      await (await opened)?.destroy();
    },
  };
}

interface Client {
  guard: AddressGuard;
  agent: () => Promise<Agent>;
  limits: OutboundLimits;
  userAgent: string;
}

async function follow(url: string, request: OutboundRequest, client: Client): Promise<OutboundResponse> {
  const parsed = parseAddress(url);
  const redirectsMax = request.redirectsMax ?? client.limits.redirectsMax;
  const timeoutMs = request.timeoutMs ?? client.limits.timeoutMs;
  const startedAt = performance.now();
  const redirects: string[] = [];
  const visited = new Set<string>();
  let pending: PendingRequest = {
    url: parsed,
    method: request.method ?? 'GET',
    headers: { ...lowerCased(request.headers), ...lowerCased(request.credentials) },
    secretHeaders: new Set(Object.keys(lowerCased(request.credentials))),
    body: request.body,
  };
  for (;;) {
    client.guard.checkUrl(pending.url);
    visited.add(`${pending.method} ${pending.url.href}`);
    const remainingMs = Math.max(1, timeoutMs - (performance.now() - startedAt));
    const { head, body, isComplete } = await send(pending, request, client, remainingMs);
    const next = redirectsMax > 0 ? nextHop(pending, head) : undefined;
    if (!next) {
      return { url: head.url, status: head.status, headers: head.headers, body, isComplete, redirects };
    }
    redirects.push(next.url.href);
    checkLoop(next, visited, redirects, redirectsMax);
    pending = next;
  }
}

function parseAddress(url: string): URL {
  const parsed = URL.parse(url);
  if (parsed) return parsed;
  throw new OutboundError(
    'bad-url',
    url,
    'This is not an address. It must begin with http:// or https:// and name a host.',
  );
}

function checkLoop(next: PendingRequest, visited: Set<string>, redirects: string[], redirectsMax: number): void {
  const url = next.url.href;
  if (visited.has(`${next.method} ${url}`)) {
    throw new OutboundError(
      'redirect-loop',
      url,
      `${url} redirects in a circle. Open it in a browser and use the address that you reach.`,
    );
  }
  if (redirects.length > redirectsMax) {
    throw new OutboundError(
      'too-many-redirects',
      url,
      `More than ${redirectsMax} redirects, the last one to ${url}. Use the address where they end.`,
    );
  }
}

async function send(
  pending: PendingRequest,
  request: OutboundRequest,
  { agent, limits, userAgent }: Client,
  timeoutMs: number,
): Promise<ExchangeResult> {
  const isFollowing = (request.redirectsMax ?? limits.redirectsMax) > 0;
  return exchange(await agent(), {
    url: pending.url,
    method: pending.method,
    headers: { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': acceptedEncodings, ...pending.headers },
    body: pending.body,
    bytesMax: request.bytesMax ?? limits.bytesMax,
    timeoutMs,
    isCutAtBytesMax: request.isCutAtBytesMax ?? false,
    signal: request.signal,
    onHead: (head) => {
      if (isFollowing && nextHop(pending, head)) return 'stop';
      return request.onHead?.(head) ?? 'read';
    },
  });
}

function lowerCased(headers: Record<string, string> | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
}
