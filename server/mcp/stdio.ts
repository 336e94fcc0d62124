import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Context } from '#server/context.ts';
import { type Caller, handleIn, namingFor } from './caller.ts';
import { createProtocolServer, type ProtocolDeps } from './protocol-server.ts';
import { StdioLines } from './stdio-lines.ts';

export interface StdioDeps extends ProtocolDeps {
  contextOf(): Context | Promise<Context>;
  input: Readable;
  output: Writable;
}

/**
 * Serves the protocol on two streams from this machine's data; all calls belong to one conversation. Resolves when the
 * input has closed and every request has its response.
 */
export async function runStdio(deps: StdioDeps): Promise<void> {
  const sessionId = randomUUID();
  const connection = {
    naming: 'product' as const,
    isTwoWay: true,
    callerOf: async (meta: Record<string, unknown> | undefined, clientName: string | undefined): Promise<Caller> => {
      const ctx = await deps.contextOf();
      return {
        ctx,
        naming: namingFor(ctx, [clientName]),
        agent: { sessionId, handle: handleIn(meta, deps.productName), clientName: clientName ?? 'unknown' },
      };
    },
  };
  const transport = new StdioLines(deps.input, deps.output);
  const closed = closeOf(transport);
  const served = serveStdio(() => createProtocolServer(deps, connection), { transport });
  await closed;
  await served.close();
}

/** Resolves when the transport closes; an `onclose` handler set later is still called. */
function closeOf(transport: StdioLines): Promise<void> {
  return new Promise((resolve) => {
    const close = transport.close.bind(transport);
    transport.close = async () => {
      await close();
      resolve();
    };
  });
}
