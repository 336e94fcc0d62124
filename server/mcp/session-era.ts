import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { ErrorCode } from '#contract/errors.ts';
import type { Context } from '#server/context.ts';
import { type Caller, clientNameIn, clientNameOfUserAgent, handleIn, namingFor } from './caller.ts';
import { type Connection, createProtocolServer, type ProtocolDeps } from './protocol-server.ts';

export interface SessionRequest {
  request: Request;
  ctx: Context;
  /** Undefined for requests without a body. */
  body: unknown;
}

const sessionHeader = 'mcp-session-id';

/**
 * The 2025 revisions. `initialize` starts a session, DELETE ends it, GET (a stream of messages from the server, of
 * which there are none) is not offered. A request without a session id is answered too; one with an id that is not the
 * caller's is told that there is no such session, so that its client starts a new one.
 */
export async function serveSessionEra(deps: ProtocolDeps, { request, ctx, body }: SessionRequest): Promise<Response> {
  const sessionId = request.headers.get(sessionHeader) ?? undefined;
  if (request.method === 'DELETE') return endSession(deps, ctx, sessionId);
  if (request.method !== 'POST') {
    return protocolFailure(
      405,
      { code: -32000, message: 'Only POST and DELETE are answered here.' },
      { allow: 'POST, DELETE' },
    );
  }
  const userAgent = clientNameOfUserAgent(request.headers.get('user-agent'));
  if (isInitializeRequest(body)) {
    const clientName = body.params.clientInfo.name;
    const response = await exchange(deps, request, body, connectionOf(deps, ctx, { clientName, userAgent }));
    if (response.ok) response.headers.set(sessionHeader, await deps.search.sessions.openSession(ctx, clientName));
    return response;
  }
  if (sessionId === undefined) return exchange(deps, request, body, connectionOf(deps, ctx, { userAgent }));
  const session = await deps.search.sessions.findSession(ctx, sessionId);
  if (session === undefined) return noSession();
  const known = { sessionId, clientName: session.clientName, userAgent };
  return exchange(deps, request, body, connectionOf(deps, ctx, known));
}

interface KnownClient {
  sessionId?: string;
  clientName?: string;
  userAgent: string | undefined;
}

function connectionOf(deps: ProtocolDeps, ctx: Context, known: KnownClient): Connection {
  return {
    naming: namingFor(ctx, [known.clientName, known.userAgent]),
    callerOf: async (meta): Promise<Caller> => {
      const said = clientNameIn(meta);
      return {
        ctx,
        naming: namingFor(ctx, [said, known.clientName, known.userAgent]),
        agent: {
          sessionId: known.sessionId,
          handle: handleIn(meta, deps.productName),
          clientName: said ?? known.clientName ?? known.userAgent ?? 'unknown',
        },
      };
    },
  };
}

/** One request, one protocol server: nothing of it is kept. */
async function exchange(
  deps: ProtocolDeps,
  request: Request,
  body: unknown,
  connection: Connection,
): Promise<Response> {
  const server = (deps.createServer ?? createProtocolServer)(deps, connection);
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  await server.connect(transport);
  const stop = () => void server.close().catch(() => undefined);
  request.signal.addEventListener('abort', stop, { once: true });
  try {
    return await transport.handleRequest(acceptingJson(request), { parsedBody: body });
  } finally {
    request.signal.removeEventListener('abort', stop);
    stop();
  }
}

/** Answers are JSON whatever a client says it accepts; the transport insists on hearing both kinds. */
function acceptingJson(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.set('accept', 'application/json, text/event-stream');
  return new Request(request.url, { method: request.method, headers });
}

async function endSession(deps: ProtocolDeps, ctx: Context, sessionId: string | undefined): Promise<Response> {
  if (sessionId === undefined)
    return protocolFailure(400, { code: -32000, message: 'Name the session to end in mcp-session-id.' });
  return (await deps.search.sessions.endSession(ctx, sessionId)) ? new Response(null, { status: 204 }) : noSession();
}

function noSession(): Response {
  return protocolFailure(404, { code: -32001, message: 'Session not found. Start a new one with initialize.' });
}

/** An answer to a request that never reached the protocol; `data` names a fault of our own table. */
export function protocolFailure(
  status: number,
  error: { code: number; message: string; data?: { code: ErrorCode } },
  headers: Record<string, string> = {},
): Response {
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status, headers });
}
