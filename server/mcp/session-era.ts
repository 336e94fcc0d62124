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
  /** Whether the caller would be let in now. */
  isLetIn(): Promise<boolean>;
}

const sessionHeader = 'mcp-session-id';

/**
 * The 2025 revisions. `initialize` starts a session, DELETE ends it, GET (a stream of messages from the server, of
 * which there are none) is not offered. A request without a session id is answered too; one with an id that is not the
 * caller's gets `404 Session not found`, so that its client starts a new one.
 */
export async function serveSessionEra(deps: ProtocolDeps, sent: SessionRequest): Promise<Response> {
  const { request, ctx, body, isLetIn } = sent;
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
      ctx.log.info({ err: error }, 'an answer of a client was not taken');
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

/** Returns true if a request is one that may need a person's answer, of a client that takes a stream for an answer. */
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

/** The answer to a question that this server put to a client; the question is named by what it asks for. */
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
 * One request, one protocol server: nothing of it is kept. A streamed answer can hold questions to the person at the
 * client, whose answer may reach any process: it is looked for in the database.
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
    const response = await transport.handleRequest(acceptingJson(request), { parsedBody: body });
    if (isStreamed && response.body !== null) return keptAlive(response, response.body, { isLetIn, onEnd: end });
    end();
    return response;
  } catch (error) {
    end();
    throw error;
  }
}

/** Responses are JSON regardless of the client's Accept header; the transport insists on hearing both kinds. */
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

/** Shorter than the silence after which clients and proxies give up. */
const wordEveryMs = 5_000;
const comment = new TextEncoder().encode(': still here\n\n');

/**
 * A stream of events that says something now and then while there is nothing to say. It ends without what is left when the caller
 * is not let in any more: a person's answer was waited for. `onEnd` runs when it is over.
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
        // A stream that failed takes no comment any more.
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
