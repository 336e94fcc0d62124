import type { Server as NodeServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import type { Server as ProtocolServer } from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { createSearch } from '#server/features/search/index.ts';
import type { PageParser } from '#server/features/search/remote-pages.ts';
import { createMcpHandler } from '#server/mcp/http.ts';
import { createRefCompatRoutes } from '#server/mcp/ref-compat.ts';
import type { Outbound } from '#server/platform/outbound/index.ts';
import { as, type TestContext } from './context-of.ts';
import { type ModuleOfTest, memoryShelf } from './memory-shelf.ts';
import { sampleModules } from './sample-docs.ts';

export interface McpServerOfTest {
  url: string;
  origin: string;
  /** The error that a key lookup throws. */
  fault: { error?: Error };
  /** Users whose keys were revoked. */
  revoked: Set<string>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  modules?: ModuleOfTest[];
  productName?: string;
  outbound?: Outbound;
  parser?: PageParser;
  /** Every caller is admitted, as Anna. */
  isOpen?: boolean;
  /** Creates another server behind the same transport. */
  createServer?: () => ProtocolServer;
}

/** Returns a user's key in these tests: `lec_` and the name. */
export function keyOf(userId: string): string {
  return `lec_${userId}`;
}

/**
 * Starts the protocol over HTTP on a free loopback port, with real segments and a real database. Stops after the test.
 */
export async function startMcpServer(ctx: TestContext, options: ServerOptions = {}): Promise<McpServerOfTest> {
  const search = createSearch({
    shelf: memoryShelf(options.modules ?? sampleModules),
    outbound: options.outbound,
    parser: options.parser,
  });
  const revoked = new Set<string>();
  const fault: { error?: Error } = {};
  const authenticate = async (secret: string | undefined): Promise<Context> => {
    if (secret === undefined && options.isOpen !== true) throw new AppError('key-missing');
    if (fault.error) throw fault.error;
    const userId = secret?.replace(/^lec_/, '') ?? 'anna';
    if ((userId !== 'anna' && userId !== 'bert') || revoked.has(userId))
      throw new AppError('key-refused', { values: { address: 'http://x' } });
    const known = as(ctx, userId);
    return {
      ...known,
      actor: { kind: 'key', userId, keyId: `key-of-${userId}`, clientKind: null },
    };
  };
  const productName = options.productName ?? 'Lectern';
  const handler = createMcpHandler({
    search,
    productName,
    version: '0.0.0',
    createServer: options.createServer,
    publicUrl: 'https://docs.example',
    metadataAddress: () => 'https://docs.example/.well-known/oauth-protected-resource/mcp',
    authenticate,
  });
  const ref = createRefCompatRoutes({ search, authenticate });
  const route = (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname === '/search_documentation') return ref.searchDocumentation(request);
    if (pathname === '/read') return ref.read(request);
    return handler.handle(request);
  };
  const server = await new Promise<NodeServer>((resolve) => {
    const started = serve({ fetch: route, port: 0, hostname: '127.0.0.1' }, () => resolve(started as NodeServer));
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= (async () => {
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    })();
    return stopped;
  };
  onTestFinished(stop);
  return { url: `${origin}/mcp`, origin, fault, revoked, stop };
}
