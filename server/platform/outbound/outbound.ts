import { Agent, Pool } from 'undici';
import { AddressGuard, type NetworkPolicy } from './address-guard.ts';
import { acceptedEncodings } from './decode-body.ts';
import { type BodySink, type ExchangeResult, exchange, type ResponseHead, type ResponseHeaders } from './exchange.ts';
import { createGuardedConnector, type Resolve, resolveBySystem } from './guarded-connector.ts';
import { openStream, type StreamRequest, type StreamResponse } from './open-stream.ts';
import { OutboundError } from './outbound-error.ts';
import { nextHop, type PendingRequest } from './redirect.ts';

export interface OutboundLimits {
  /** Bytes of a body, counted as received and again after decompression. */
  bytesMax: number;
  /** From the first byte sent to the last received, redirects included. */
  timeoutMs: number;
  connectTimeoutMs: number;
  headersTimeoutMs: number;
  /** Longest silence in the middle of a body. */
  idleTimeoutMs: number;
  headerBytesMax: number;
  redirectsMax: number;
  connectionsPerOriginMax: number;
}

/** A page of 10 MB is no page; a server that needs 10 s to begin or 30 s to end is treated as down. */
export const outboundLimits: OutboundLimits = {
  bytesMax: 10_000_000,
  timeoutMs: 30_000,
  connectTimeoutMs: 10_000,
  headersTimeoutMs: 10_000,
  idleTimeoutMs: 10_000,
  headerBytesMax: 32 * 1024,
  redirectsMax: 10,
  connectionsPerOriginMax: 16,
};

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
  requestedUrl: string;
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
  const agent = createAgent(guard, options.resolve ?? resolveBySystem, limits);
  return {
    request: (url, request = {}) => follow(url, request, { guard, agent, limits, userAgent: options.userAgent }),
    async stream(url, request) {
      const parsed = parseAddress(url);
      guard.checkUrl(parsed);
      const headers = { 'user-agent': options.userAgent, ...lowerCased(request.headers) };
      return openStream(agent, parsed, { ...request, headers });
    },
    close: () => agent.destroy(),
  };
}

interface Client {
  guard: AddressGuard;
  agent: Agent;
  limits: OutboundLimits;
  userAgent: string;
}

async function follow(requestedUrl: string, request: OutboundRequest, client: Client): Promise<OutboundResponse> {
  const parsed = parseAddress(requestedUrl);
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
      return { url: head.url, requestedUrl, status: head.status, headers: head.headers, body, isComplete, redirects };
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

function send(
  pending: PendingRequest,
  request: OutboundRequest,
  { agent, limits, userAgent }: Client,
  timeoutMs: number,
): Promise<ExchangeResult> {
  const isFollowing = (request.redirectsMax ?? limits.redirectsMax) > 0;
  return exchange(agent, {
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

function createAgent(guard: AddressGuard, resolve: Resolve, limits: OutboundLimits): Agent {
  return new Agent({
    allowH2: false,
    connections: limits.connectionsPerOriginMax,
    headersTimeout: limits.headersTimeoutMs,
    bodyTimeout: limits.idleTimeoutMs,
    maxHeaderSize: limits.headerBytesMax,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 30_000,
    factory: (origin, poolOptions: Pool.Options) =>
      new Pool(origin, {
        ...poolOptions,
        connect: createGuardedConnector(String(origin), guard, resolve, limits.connectTimeoutMs),
      }),
  });
}

function lowerCased(headers: Record<string, string> | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
}
