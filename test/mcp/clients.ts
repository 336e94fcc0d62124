import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as OlderTransportType } from '@modelcontextprotocol/sdk/shared/transport.js';
import { onTestFinished } from 'vitest';
import { keyOf } from './mcp-server.ts';

/** The methods that the tests use of either client. */
export interface ConnectedClient {
  client: Client;
  transport: StreamableHTTPClientTransport;
  call(name: string, values: Record<string, unknown>): Promise<CallToolResult>;
}

export type ClientKind = 'session-less' | 'session-bearing' | 'older SDK';

export const clientKinds: ClientKind[] = ['session-less', 'session-bearing', 'older SDK'];

/** Connects a real client of each protocol era; closed after the test. */
export async function connect(
  kind: ClientKind,
  url: string,
  { name = 'test-client', userId = 'anna' }: { name?: string; userId?: string } = {},
): Promise<ConnectedClient> {
  const requestInit = { headers: { authorization: `Bearer ${keyOf(userId)}` } };
  const info = { name, version: '1.0.0' };
  if (kind === 'older SDK') {
    const client = new OlderClient(info);
    const transport = new OlderTransport(new URL(url), { requestInit });
    await client.connect(transport as OlderTransportType);
    onTestFinished(() => client.close());
    return asClient(client as unknown as Client, transport as unknown as StreamableHTTPClientTransport);
  }
  const mode = kind === 'session-less' ? { pin: '2026-07-28' } : 'legacy';
  const client = new Client(info, { versionNegotiation: { mode } } as ConstructorParameters<typeof Client>[1]);
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return asClient(client, transport);
}

function asClient(client: Client, transport: StreamableHTTPClientTransport): ConnectedClient {
  return {
    client,
    transport,
    call: async (name, values) => (await client.callTool({ name, arguments: values })) as CallToolResult,
  };
}

/** Returns a result's text. */
export function textOf(result: CallToolResult): string {
  return result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}
