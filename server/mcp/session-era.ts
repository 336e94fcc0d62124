import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { ErrorCode } from '#contract/errors.ts';
import type { Context } from '#server/context.ts';
import { requireWithinOwnRate } from '#server/features/accounts/index.ts';
import { type Caller, clientNameIn, clientNameOfUserAgent, handleIn, type Meta, namingFor } from './caller.ts';
import { type Connection, createProtocolServer, type ProtocolDeps, takeElicited } from './protocol-server.ts';
import { type Elicit, type ElicitedAnswer, elicitsForms } from './talk.ts';
import { toolNames } from './tool-definitions.ts';

export interface SessionRequest {
  request: Request;
  ctx: Context;
  /** Undefined for requests without a body. */
  body: unknown;
  /** Returns true if the caller would still be authenticated now. */
  isLetIn(): Promise<boolean>;
}

const sessionHeader = 'mcp-session-id';

/**
 * Serves the 2025 revisions. `initialize` starts a session and DELETE ends it; GET is not supported, because the server
 * has no stream of its own messages. Requests without a session id are served too; a session id that is not the
 * caller's gets `404 Session not found`, so that the client starts a new session.
 */
export async function serveSessionEra(deps: ProtocolDeps, sent: SessionRequest): Promise<Response> {
  const { request, ctx, body, isLetIn } = sent;
  const sessionId = request.headers.get(sessionHeader) ?? undefined;
  if (request.method === 'DELETE') return endSession(deps, ctx, sessionId);
  if (request.method !== 'POST') {
    return protocolFailure(
      405,
      { code: -32000, message: 'Only POST and DELETE are supported here.' },
      { allow: 'POST, DELETE' },
    );
  }
  const userAgent = clientNameOfUserAgent(request.headers.get('user-agent'));
  if (isInitializeRequest(body)) {
    const clientName = body.params.clientInfo.name;
    const response = await exchange(deps, request, body, connectionOf(deps, ctx, { clientName, userAgent }));
    const canElicit = elicitsForms(body.params.capabilities);
    if (ctx.hasPlanLimits && (ctx.actor.kind === 'key' || ctx.actor.kind === 'connection')) {
      const rules = { account: 'mcp-session-account', address: 'mcp-session-address' } as const;
      await requireWithinOwnRate(ctx, ctx.actor.userId, rules);
    }
    const opened = response.ok ? await deps.search.sessions.openSession(ctx, clientName, canElicit) : undefined;
    if (opened !== undefined) response.headers.set(sessionHeader, opened);
    return response;
  }
  if (sessionId === undefined) return exchange(deps, request, body, connectionOf(deps, ctx, { userAgent }));
  const session = await deps.search.sessions.findSession(ctx, sessionId);
  if (session === undefined) return noSession();
  const answer = answerIn(body);
  if (answer !== undefined) {
    await takeElicited(deps, ctx, answer.questionId, answer).catch((error: unknown) => {
      ctx.log.info({ err: error }, 'the response of a client was not accepted');
    });
    return new Response(null, { status: 202 });
  }
  const known = { sessionId, clientName: session.clientName, userAgent };
  const canElicit = session.canElicit === 1;
  const talk = { isStreamed: mayHaveToAsk(deps, ctx, { request, body, canElicit }), canElicit, isLetIn };
  return exchange(deps, request, body, connectionOf(deps, ctx, known), talk);
}

interface KnownClient {
  sessionId?: string;
  clientName?: string;
  userAgent: string | undefined;
}

function connectionOf(deps: ProtocolDeps, ctx: Context, known: KnownClient): Connection {
  return {
    naming: namingFor(ctx, [known.clientName, known.userAgent]),
    callerOf: async (meta, nameInEnvelope): Promise<Caller> => {
      const said = clientNameIn(meta) ?? nameInEnvelope;
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

/** Returns true if a request may need to ask the person, and its client accepts a streamed response. */
function mayHaveToAsk(
  deps: ProtocolDeps,
  ctx: Context,
  { request, body, canElicit }: { request: Request; body: unknown; canElicit: boolean },
): boolean {
  const { method, params } = body as { method?: unknown; params?: { name?: unknown } };
  if (method !== 'tools/call' || request.headers.get('accept')?.includes('text/event-stream') !== true) return false;
  const names = toolNames(deps.productName, 'product');
  if (params?.name === names.search) return canElicit;
  return params?.name === names.index && deps.indexing?.mayAsk(ctx) === true;
}

/** Returns a client's answer to a question from this server; the question's id is the id of its subject. */
function answerIn(body: unknown): { questionId: string; action: ElicitedAnswer; content: Meta } | undefined {
  if (typeof body !== 'object' || body === null || 'method' in body || !('id' in body)) return undefined;
  const { id, result } = body as { id: unknown; result?: { action?: unknown; content?: unknown } };
  if (typeof id !== 'string' || typeof result !== 'object' || result === null) return undefined;
  const { action, content } = result;
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel') return undefined;
  return { questionId: id, action, content: typeof content === 'object' && content !== null ? (content as Meta) : {} };
}

interface StreamedTalk extends Partial<Pick<SessionRequest, 'isLetIn'>> {
  isStreamed: boolean;
  canElicit: boolean;
}

/**
 * Serves one request with its own protocol server; no state is kept. A streamed response can contain questions to the
 * person at the client. Their answers may reach any process, so they are polled from the database.
 */
async function exchange(
  deps: ProtocolDeps,
  request: Request,
  body: unknown,
  known: Connection,
  { isStreamed, canElicit, isLetIn }: StreamedTalk = { isStreamed: false, canElicit: false },
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: !isStreamed,
  });
  const elicit: Elicit = ({ id, params }) =>
    transport.send(
      { jsonrpc: '2.0', id, method: 'elicitation/create', params },
      { relatedRequestId: (body as { id: string | number }).id },
    );
  const connection = isStreamed && canElicit ? { ...known, elicit } : known;
  const server = (deps.createServer ?? createProtocolServer)(deps, connection);
  await server.connect(transport);
  const stop = () => void server.close().catch(() => undefined);
  request.signal.addEventListener('abort', stop, { once: true });
  const end = () => {
    request.signal.removeEventListener('abort', stop);
    stop();
  };
  try {
    const response = await transport.handleRequest(acceptingJson(request), { parsedBody: withoutCancellations(body) });
    if (isStreamed && response.body !== null) return keptAlive(response, response.body, { isLetIn, onEnd: end });
    end();
    return response;
  } catch (error) {
    end();
    throw error;
  }
}

/**
 * Returns a batch without its cancellations, unless it has nothing else: the SDK sends no response for a cancelled call,
 * and the batch would wait for it.
 */
function withoutCancellations(body: unknown): unknown {
  if (!Array.isArray(body)) return body;
  const others = body.filter((message) => message?.method !== 'notifications/cancelled');
  return others.length === 0 ? body : others;
}

/** Responses are JSON regardless of the client's Accept header, but the transport requires both types in it. */
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

/** Creates the response to a request that never reached the protocol; `data` names an error of our own table. */
export function protocolFailure(
  status: number,
  error: { code: number; message: string; data?: { code: ErrorCode } },
  headers: Record<string, string> = {},
): Response {
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status, headers });
}

/** Shorter than the silence after which clients and proxies give up. */
const wordEveryMs = 5_000;
const comment = new TextEncoder().encode(': still here\n\n');

/**
 * Returns an event stream that sends a comment during silence. Closes early if the caller has lost access while waiting
 * for a person's answer. Calls `onEnd` at the end.
 */
function keptAlive(
  response: Response,
  body: ReadableStream<Uint8Array>,
  { isLetIn, onEnd }: Pick<StreamedTalk, 'isLetIn'> & { onEnd: () => void },
): Response {
  const reader = body.getReader();
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    clearInterval(timer);
    onEnd();
  };
  const kept = new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setInterval(() => controller.enqueue(comment), wordEveryMs);
      timer.unref();
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done && (await isLetIn?.()) !== false) return controller.enqueue(value);
      } catch (error) {
        // A failed stream accepts no more comments.
        end();
        throw error;
      }
      end();
      controller.close();
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
  return new Response(kept, { status: response.status, headers: response.headers });
}
