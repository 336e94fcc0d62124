import { Server, type ServerCapabilities, type ServerContext } from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { Search } from '#server/features/search/index.ts';
import { callTool } from './call-tool.ts';
import { type Caller, clientNameIn, idempotencyKeyIn, type Meta } from './caller.ts';
import { toProtocolError } from './failures.ts';
import { getPrompt, listPrompts } from './prompts.ts';
import { completeModuleId, listResources, listResourceTemplates, readResource } from './resources.ts';
import { instructions, type ToolNaming, toolDefinitions } from './tool-definitions.ts';

export interface ProtocolDeps {
  search: Search;
  productName: string;
  version: string;
  /** What answers the protocol behind a transport; the product's own server unless another is given. */
  createServer?: typeof createProtocolServer;
}

/** What a connection or request knows of its caller; the rest is in each message. */
export interface Connection {
  /** Naming when the instructions are given, before any message says who the client is. */
  naming: ToolNaming;
  /** `clientName` as the handshake or the message says it. */
  callerOf(meta: Meta | undefined, clientName: string | undefined): Promise<Caller>;
}

const capabilities: ServerCapabilities = { tools: {}, prompts: {}, resources: {}, completions: {} };
// Compiles nothing until used; shared, because a server object is made for each request.
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** One protocol server for one connection (stdio) or one request (HTTP). Holds nothing but its handlers. */
export function createProtocolServer(deps: ProtocolDeps, connection: Connection): Server {
  const server = new Server(
    { name: deps.productName, version: deps.version },
    { capabilities, instructions: instructions(deps.productName, connection.naming), jsonSchemaValidator },
  );
  const callerOf = async (request: { params?: { _meta?: Meta } }, { mcpReq }: ServerContext) => {
    const clientName = clientNameIn(mcpReq.envelope) ?? server.getClientVersion()?.name;
    const meta = request.params?._meta;
    const caller = await connection.callerOf(meta, clientName);
    const idempotencyKey = idempotencyKeyIn(meta, deps.productName) ?? caller.ctx.idempotencyKey;
    return { ...caller, ctx: { ...caller.ctx, idempotencyKey } };
  };

  server.setRequestHandler('tools/list', async (request, context) => {
    const { naming } = await callerOf(request, context);
    return { tools: toolDefinitions(deps.productName, naming) };
  });
  server.setRequestHandler('tools/call', async (request, context) => {
    const caller = await callerOf(request, context);
    return callTool(deps, caller, request.params.name, request.params.arguments ?? {});
  });
  server.setRequestHandler('prompts/list', () => ({ prompts: listPrompts(deps.productName) }));
  server.setRequestHandler('prompts/get', ({ params }) => getPrompt(deps.productName, params.name, params.arguments));
  server.setRequestHandler('resources/list', async (request, context) => {
    const caller = await callerOf(request, context);
    return { resources: await guarded(caller, () => listResources(deps, caller)) };
  });
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: listResourceTemplates(deps.productName),
  }));
  server.setRequestHandler('resources/read', async (request, context) =>
    readResource(deps, await callerOf(request, context), request.params.uri),
  );
  server.setRequestHandler('completion/complete', async (request, context) => {
    const { ref, argument } = request.params;
    if (ref.type !== 'ref/resource' || argument.name !== 'id') return { completion: { values: [] } };
    return completeModuleId(deps, await callerOf(request, context), argument.value);
  });
  return server;
}

async function guarded<T>(caller: Caller, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    throw toProtocolError(caller.ctx, error);
  }
}
