import {
  type Implementation,
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerCapabilities,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { jsonOf } from '#contract/lenient.ts';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { reasonOf } from '#server/features/reason-of-issue.ts';
import { isWhichId, type Search } from '#server/features/search/index.ts';
import { takeWhichAnswer } from './ask-which.ts';
import { callTool, refusedCall } from './call-tool.ts';
import { type Caller, clientNameIn, idempotencyKeyIn, type Meta } from './caller.ts';
import { toProtocolError } from './failures.ts';
import { type Indexing, takeAnswer } from './index-source.ts';
import { getPrompt, listPrompts } from './prompts.ts';
import { completeModuleId, listResources, listResourceTemplates, readResource } from './resources.ts';
import { sendsStructure } from './structured-content.ts';
import { type Elicit, type ElicitedAnswer, elicitsForms, talkOf } from './talk.ts';
import { instructions, type ToolNaming, toolDefinitions } from './tool-definitions.ts';

export interface ProtocolDeps {
  search: Search;
  /** Missing if no process carries out index runs. */
  indexing?: Indexing | undefined;
  productName: string;
  version: string;
  /** Public address of this installation; missing if it is not served. */
  publicUrl?: string;
  /** Creates the protocol server behind a transport; the product's own server by default. */
  createServer?: typeof createProtocolServer;
}

/** What a connection or request knows about its caller; the rest is in each message. */
export interface Connection {
  /** Naming for the instructions, which are sent before any message names the client. */
  naming: ToolNaming;
  /** `clientName` is the name from the handshake or the message. */
  callerOf(meta: Meta | undefined, clientName: string | undefined): Promise<Caller>;
  /**
   * Asks the person at the client, whose answer arrives as a separate request. Set if the client supports this and the
   * response to this request can be a stream.
   */
  elicit?: Elicit | undefined;
  /**
   * True for a connection that stays open both ways: questions to the person and their answers travel beside the call.
   */
  isTwoWay?: boolean;
}

const capabilities: ServerCapabilities = { tools: {}, prompts: {}, resources: {}, completions: {} };
/** Tools and prompts change only with a new product version; the list of modules changes with each run. */
const unchanged = { ttlMs: 3_600_000 };
const cacheHints: ServerOptions['cacheHints'] = {
  ...{ 'server/discover': unchanged, 'tools/list': unchanged, 'prompts/list': unchanged },
  ...{ 'resources/templates/list': unchanged, 'resources/list': { ttlMs: 60_000 } },
};
// Compiles nothing until used; shared, because a server object is created for each request.
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** Returns how clients present the server to people. */
function implementationOf({ productName, version, publicUrl }: ProtocolDeps): Implementation {
  const identity = { name: productName, title: productName, version };
  if (publicUrl === undefined) return identity;
  const icon = (file: string, mimeType: string, size: string) => ({
    src: `${publicUrl}/${file}`,
    mimeType,
    sizes: [size],
  });
  const icons = [icon('favicon.svg', 'image/svg+xml', 'any'), icon('icon-192.png', 'image/png', '192x192')];
  return { ...identity, websiteUrl: publicUrl, icons };
}

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** Accepts tool calls in any shape: the SDK would refuse some with messages that no agent can act on. */
class ToolServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const checked = super._wrapHandler(method, handler);
    const wrapped: Handler = (request, context) =>
      checked(request, context).catch((error: unknown) => {
        throw plainFault(error);
      });
    if (method !== 'tools/call') return wrapped;
    return async (request, context) => {
      const name = request.params?.['name'];
      const values = request.params?.['arguments'] ?? {};
      if (typeof values !== 'object' || Array.isArray(values)) {
        const reason = 'arguments must be an object: {"query": "…"} to search, {"url": "…"} to read a page';
        return refusedCall(new AppError('invalid-input', { values: { reason } }));
      }
      const named = typeof name === 'string' ? name : String(JSON.stringify(name));
      return wrapped({ ...request, params: { ...request.params, name: named, arguments: values } }, context);
    };
  }
}

/** Returns the SDK's error for parameters of another form, which quotes its schema, in plain words; others unchanged. */
function plainFault(error: unknown): unknown {
  // Our own errors are of other classes, and may quote what the client sent.
  if (!(error instanceof Error) || error.constructor !== Error) return error;
  const issues = jsonOf(error.message.slice(error.message.indexOf('[')));
  if (!Array.isArray(issues)) return error;
  const reason = reasonOf({ issues } as Parameters<typeof reasonOf>[0]);
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `The request is not valid: ${reason}.`);
}

/** Creates a protocol server for one connection (stdio) or one request (HTTP). Its only state is its handlers. */
export function createProtocolServer(deps: ProtocolDeps, connection: Connection): Server {
  const server = new ToolServer(implementationOf(deps), {
    capabilities,
    cacheHints,
    instructions: instructions(deps.productName, connection.naming),
    jsonSchemaValidator,
  });
  const callerOf = async (request: { params?: { _meta?: Meta } }, { mcpReq }: ServerContext) => {
    const clientName = clientNameIn(mcpReq.envelope) ?? server.getClientVersion()?.name;
    const meta = request.params?._meta;
    const caller = await connection.callerOf(meta, clientName);
    const idempotencyKey = idempotencyKeyIn(meta, deps.productName) ?? caller.ctx.idempotencyKey;
    return { ...caller, ctx: { ...caller.ctx, idempotencyKey } };
  };

  server.setRequestHandler('tools/list', async (request, context) => {
    const { naming, ctx, agent } = await callerOf(request, context);
    const mayAsk = deps.indexing?.mayAsk(ctx) === true;
    const isStructured = sendsStructure({ naming, agent });
    return { tools: toolDefinitions(deps.productName, naming, { mayAskToIndex: mayAsk, isStructured }) };
  });
  server.setRequestHandler('tools/call', async (request, context) => {
    const caller = await callerOf(request, context);
    const elicit = connection.isTwoWay === true ? elicitBeside(deps, server, caller.ctx) : connection.elicit;
    const talk = talkOf(server, context, elicit);
    return callTool(deps, caller, request.params.name, request.params.arguments ?? {}, talk);
  });
  server.setRequestHandler('prompts/list', () => ({ prompts: listPrompts(deps.productName) }));
  server.setRequestHandler('prompts/get', ({ params }) => getPrompt(deps.productName, params.name, params.arguments));
  server.setRequestHandler('resources/list', async (request, context) => {
    const caller = await callerOf(request, context);
    return guarded(caller, () => listResources(deps, caller, request.params?.cursor));
  });
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: listResourceTemplates(deps.productName),
  }));
  server.setRequestHandler('resources/read', async (request, context) => {
    const caller = await callerOf(request, context);
    return guarded(caller, () => readResource(deps, caller, request.params.uri));
  });
  server.setRequestHandler('completion/complete', async (request, context) => {
    const { ref, argument } = request.params;
    if (ref.type !== 'ref/resource' || argument.name !== 'id') return { completion: { values: [] } };
    const caller = await callerOf(request, context);
    return guarded(caller, () => completeModuleId(deps, caller, argument.value));
  });
  return server;
}

/** Returns a function that asks over the open connection; undefined for a client that cannot ask its user. */
function elicitBeside(deps: ProtocolDeps, server: Server, ctx: Context): Elicit | undefined {
  if (!elicitsForms(server.getClientCapabilities())) return undefined;
  return async ({ id, params }) => {
    // The call polls the stored answer; an answer that arrives too late is stored too.
    server
      .elicitInput(params, { timeout: limits.callTimeoutSeconds * 1000 })
      .then(({ action, content }) => takeElicited(deps, ctx, id, { action, content: content ?? {} }))
      .catch((error: unknown) => ctx.log.info({ err: error }, 'the response of a client was not accepted'));
  };
}

async function guarded<T>(caller: Caller, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    throw toProtocolError(caller.ctx, error);
  }
}

/** Records a person's answer to either kind of question this server asks. */
export async function takeElicited(
  deps: { search: Search; indexing?: Indexing | undefined },
  ctx: Context,
  questionId: string,
  given: { action: ElicitedAnswer; content: Record<string, unknown> },
): Promise<void> {
  if (isWhichId(questionId)) return takeWhichAnswer(deps.search, ctx, questionId, given);
  if (deps.indexing !== undefined) await takeAnswer(deps.indexing, ctx, questionId, given);
}
