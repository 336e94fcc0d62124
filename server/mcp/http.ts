import { isIP } from 'node:net';
import {
  createMcpHandler as createModernHandler,
  isJsonContentType,
  isLegacyRequest,
  readRequestBody,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import { connectionScope } from '#contract/connections.ts';
import { errorTable } from '#contract/errors.ts';
import { jsonOf } from '#contract/lenient.ts';
import * as limits from '#contract/limits.ts';
import { AppError, bodyTooLarge } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { hasTooManyValues } from '#server/features/call.ts';
import { readApiKey } from '#server/features/keys/index.ts';
import { asKnownFault } from '#server/features/known-fault.ts';
import { refusedCall } from './call-tool.ts';
import { type Caller, clientNameIn, clientNameOfUserAgent, handleIn, type Meta, namingFor } from './caller.ts';
import { type Connection, createProtocolServer, type ProtocolDeps } from './protocol-server.ts';
import { protocolFailure, serveSessionEra } from './session-era.ts';

interface McpHttpDeps extends ProtocolDeps {
  publicUrl: string;
  /** Host names to accept in requests besides the public address and the loopback names. */
  allowedHosts?: readonly string[];
  /** Returns the address of the metadata that tells a client without a key how to authorize, for the requested host. */
  metadataAddress(host: string): string;
  /** Returns the context of the key's or token's owner. Throws AppError for a missing or refused key. */
  authenticate(secret: string | undefined, request: Request): Promise<Context>;
}

interface McpHttpHandler {
  /** Handles one protocol request of either era. Never throws. */
  handle(request: Request): Promise<Response>;
  /** Ends the requests still in progress. */
  close(): Promise<void>;
}

/**
 * Admission counts a batch as one request (`server/http/admission.ts`); current clients send only one message per
 * request.
 */
const batchMessagesMax = 4;

/**
 * Creates the Streamable HTTP handler, with plain JSON responses. The session-based revisions store a row per session
 * and no object in memory, so that any process can respond and sessions survive a restart.
 */
export function createMcpHandler(deps: McpHttpDeps): McpHttpHandler {
  const guard = createHostGuard(deps.publicUrl, deps.allowedHosts ?? []);
  const connections = new WeakMap<Request, Connection>();
  const createServer = deps.createServer ?? createProtocolServer;
  const modern = createModernHandler(
    ({ requestInfo }) => {
      const connection = requestInfo === undefined ? undefined : connections.get(requestInfo);
      if (connection === undefined) throw new Error('a request came past the handler');
      return createServer(deps, connection);
    },
    { legacy: 'reject', maxRequestBodySize: limits.requestBytesMax },
  );

  async function serve(request: Request): Promise<Response> {
    const refusal = guard.refusalOf(request);
    if (refusal !== undefined) return refusal;
    if (request.method === 'OPTIONS') return new Response(null, { status: 204 });
    const authenticate = () => deps.authenticate(readApiKey(request), request);
    const ctx = { ...(await authenticate()), ...projectOf(request) };
    const isLetIn = async () => authenticate().then(() => true, asRefusal);
    if (request.method !== 'POST') return serveSessionEra(deps, { request, ctx, body: undefined, isLetIn });
    if (!isJsonContentType(request.headers.get('content-type'))) {
      return protocolFailure(415, {
        code: -32000,
        message: 'The body must be JSON: send content-type application/json.',
      });
    }
    const read = await readRequestBody(request, limits.requestBytesMax);
    if (read.tooLarge) throw bodyTooLarge(limits.requestBytesMax);
    if (hasTooManyValues(read.text, limits.valuesPerMessageMax)) {
      return protocolFailure(400, { code: -32600, message: 'The request has too many values.' });
    }
    const body = jsonOf(read.text);
    if (body === undefined) return protocolFailure(400, { code: -32700, message: 'The body is not valid JSON.' });
    if (Array.isArray(body) && body.length > batchMessagesMax) {
      const message = `A batch may have at most ${batchMessagesMax} messages.`;
      return protocolFailure(400, { code: -32600, message });
    }
    if (await isLegacyRequest(request, body)) return serveSessionEra(deps, { request, ctx, body, isLetIn });
    connections.set(request, modernConnection(deps, ctx, request, body));
    return modern.fetch(request, { parsedBody: body });
  }

  return {
    async handle(request) {
      try {
        return withCors(request, await serve(request));
      } catch (error) {
        return withCors(request, await failureOf(error, request, deps.metadataAddress(hostOf(request))));
      }
    },
    close: () => modern.close(),
  };
}

/** Returns false for a refusal; rethrows any other error, which says nothing about the caller. */
function asRefusal(error: unknown): false {
  if (error instanceof AppError) return false;
  throw error;
}

/** Returns the project that the agent's configuration names in the address, as `/mcp?project=shop`. */
function projectOf(request: Request): Pick<Context, 'project'> {
  const project = new URL(request.url).searchParams.get('project')?.trim() ?? '';
  return project === '' ? {} : { project };
}

/** In the session-less era every message names its client. */
function modernConnection(deps: McpHttpDeps, ctx: Context, request: Request, body: unknown): Connection {
  const fromAgent = clientNameOfUserAgent(request.headers.get('user-agent'));
  const meta = metaOf(body);
  const naming = namingFor(ctx, [clientNameIn(meta), fromAgent]);
  return {
    naming,
    callerOf: async (messageMeta, clientName): Promise<Caller> => ({
      ctx,
      naming,
      agent: {
        clientName: clientName ?? fromAgent ?? 'unknown',
        handle: handleIn(messageMeta, deps.productName),
      },
    }),
  };
}

function metaOf(body: unknown): Meta | undefined {
  const params = typeof body === 'object' && body !== null && 'params' in body ? body.params : undefined;
  const meta = typeof params === 'object' && params !== null && '_meta' in params ? params._meta : undefined;
  return typeof meta === 'object' && meta !== null ? (meta as Meta) : undefined;
}

function hostOf(request: Request): string {
  return request.headers.get('host') ?? new URL(request.url).host;
}

async function failureOf(thrown: unknown, request: Request, metadataAddress: string): Promise<Response> {
  const error = asKnownFault(thrown);
  if (!(error instanceof AppError))
    return protocolFailure(500, { code: -32603, message: 'Something went wrong on our side.' });
  if (error.retryAfterSeconds !== undefined) return passingFailure(error, error.retryAfterSeconds, request);
  const { status } = errorTable[error.code];
  const said = { message: error.message, data: { code: error.code } };
  if (status !== 401) return protocolFailure(status, { code: status >= 500 ? -32603 : -32000, ...said });
  const where = `resource_metadata="${metadataAddress}", scope="${connectionScope}"`;
  const challenge = error.code === 'key-missing' ? `Bearer ${where}` : `Bearer error="invalid_token", ${where}`;
  return protocolFailure(401, { code: -32001, ...said }, { 'www-authenticate': challenge });
}

/**
 * Responds to a temporary failure. A tool call gets a result, because agents are not shown responses with a status
 * other than 200; other requests get the status and a retry time.
 */
async function passingFailure(error: AppError, retryAfterSeconds: number, request: Request): Promise<Response> {
  const headers = { 'retry-after': String(retryAfterSeconds), 'cache-control': 'no-store' };
  const id = await idOfToolCall(request);
  if (id !== undefined) {
    // The session-less revision requires results to be marked as complete.
    const isSessionless = (request.headers.get('mcp-protocol-version') ?? '') >= '2026';
    const result = { ...refusedCall(error), ...(isSessionless ? { resultType: 'complete' } : {}) };
    return Response.json({ jsonrpc: '2.0', id, result }, { headers });
  }
  const { status } = errorTable[error.code];
  const code = status >= 500 ? -32603 : -32000;
  return protocolFailure(status, { code, message: error.message, data: { code: error.code } }, headers);
}

/** Returns undefined if the body is not a tool call or has already been read. */
async function idOfToolCall(request: Request): Promise<string | number | undefined> {
  if (request.method !== 'POST' || request.bodyUsed) return undefined;
  const read = await readRequestBody(request, limits.requestBytesMax);
  const isParsed = !read.tooLarge && !hasTooManyValues(read.text, limits.valuesPerMessageMax);
  const body = isParsed ? jsonOf(read.text) : undefined;
  if (typeof body !== 'object' || body === null || !('method' in body) || body.method !== 'tools/call')
    return undefined;
  const id = 'id' in body ? body.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/**
 * Lets a web page that passed the origin check read the response: clients in a browser need the session header.
 * Responses to requests without an origin stay unchanged.
 */
function withCors(request: Request, response: Response): Response {
  const origin = request.headers.get('origin');
  if (origin === null || response.status === 403) return response;
  const headers = new Headers(response.headers);
  headers.set('access-control-allow-origin', origin);
  headers.append('vary', 'origin');
  headers.set('access-control-expose-headers', 'mcp-session-id, www-authenticate');
  if (request.method === 'OPTIONS') {
    headers.set('access-control-allow-methods', 'POST, DELETE');
    headers.set(
      'access-control-allow-headers',
      'authorization, content-type, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, x-api-key, x-lectern-api-key',
    );
    headers.set('access-control-max-age', '600');
  }
  return new Response(response.body, { status: response.status, headers });
}

interface HostGuard {
  /** Returns the refusal of a request with a foreign Host or Origin; otherwise undefined. */
  refusalOf(request: Request): Response | undefined;
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Creates a guard that keeps web pages from reaching this server through a name that points to it (DNS rebinding).
 * Accepts loopback names, literal addresses (no name can be made to point to those), the public address and
 * `allowedHosts`.
 */
function createHostGuard(publicUrl: string, allowedHosts: readonly string[]): HostGuard {
  const names = new Set([...loopbackNames, ...allowedHosts.map((host) => host.toLowerCase())]);
  const own = URL.parse(publicUrl)?.hostname;
  if (own !== undefined) names.add(own);
  return {
    refusalOf(request) {
      const host = request.headers.get('host') ?? new URL(request.url).host;
      const hostname = URL.parse(`http://${host}`)?.hostname;
      if (hostname === undefined || !(names.has(hostname) || isAddress(hostname))) {
        return refusal(`Invalid Host: ${host.slice(0, 100)}`);
      }
      const from = request.headers.get('origin');
      if (from !== null && URL.parse(from)?.host === host.toLowerCase()) return undefined;
      const origin = validateOriginHeader(from, [...names]);
      return origin.ok ? undefined : refusal(origin.message.slice(0, 200));
    },
  };
}

function isAddress(hostname: string): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

function refusal(message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }, { status: 403 });
}
