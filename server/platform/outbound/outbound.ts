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
  /** "host:port" entries that may be contacted whatever their address is. */
  allowHosts: readonly string[];
  userAgent: string;
  resolve?: Resolve;
  policy?: NetworkPolicy;
  limits?: Partial<OutboundLimits>;
}

export interface OutboundRequest {
  /** GET unless said otherwise. */
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  bytesMax?: number;
  timeoutMs?: number;
  /** 0 returns a redirect as it is. */
  redirectsMax?: number;
  signal?: AbortSignal;
  /** Headers (authorization, cookie, …) that only the origin of the first address may see. */
  credentials?: Record<string, string>;
  /**
   * Sees the head of the last answer before its body is read; 'stop' leaves the body unread. A sink takes the body as it
   * comes, of which nothing is kept then; it must not be compressed.
   */
  onHead?: (head: ResponseHead) => 'read' | 'stop' | BodySink;
  /** Return the first `bytesMax` bytes of a larger body instead of failing; compressed bodies still fail. */
  isCutAtBytesMax?: boolean;
}

export interface OutboundResponse {
  /** The address that answered. */
  url: string;
  status: number;
  headers: ResponseHeaders;
  /** Decompressed. Owns its whole ArrayBuffer, so it can be transferred to a worker. */
  body: Uint8Array;
  /** False when the body was cut or left unread. */
  isComplete: boolean;
  /** The addresses redirected to, in order; the last is `url`. */
  redirects: string[];
}

/** The one way out: every request of the server passes here. */
export interface Outbound {
  /**
   * Any HTTP status is an answer; no answer is an OutboundError. Addresses that are not public are refused unless they
   * are in `allowHosts`, at every hop and every connection. Nothing is retried and no cookie is kept.
   */
  request(url: string, options?: OutboundRequest): Promise<OutboundResponse>;
  /** The same for an answer that is read as it is written, such as a model's; redirects are not followed. */
  stream(url: string, request: StreamRequest): Promise<StreamResponse>;
  /** Ends idle connections and fails what is still running. */
  close(): Promise<void>;
}

/** Throws RangeError when an entry of `allowHosts` or a block of the policy is malformed. */
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

/** The client is a large part of the program, and a server that only answers searches makes no request. */
function agentOfFirstRequest(guard: AddressGuard, resolve: Resolve, limits: OutboundLimits) {
  let opened: Promise<Agent> | undefined;
  let isClosed = false;
  const open = async (): Promise<Agent> => {
    const { createAgent } = await import('./guarded-agent.ts');
    const agent = createAgent(guard, resolve, limits);
    // A request that comes too late fails as one in progress does.
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
      `${url} redirects in a circle. Open it in a browser and use the address you end at.`,
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
