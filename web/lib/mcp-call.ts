/** The MCP revision that the browser uses. */
export const mcpProtocolVersion = '2025-06-18';

const timeoutMs = 30_000;

export interface McpReply {
  status: number;
  /** Parsed JSON, or the text if it is not JSON. */
  body: unknown;
  sessionId: string | null;
}

/** Sends an MCP message to this server with an API key, as an agent does. Throws if there is no response. */
export async function callMcp(call: {
  method: string;
  params: object | undefined;
  id: number | undefined;
  secret: string;
  session: string | null;
  signal: AbortSignal;
}): Promise<McpReply> {
  const response = await fetch('/mcp', {
    method: 'POST',
    // Without the cookie: the key alone must suffice, as for an agent.
    credentials: 'omit',
    headers: {
      authorization: `Bearer ${call.secret}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': mcpProtocolVersion,
      ...(call.session === null ? {} : { 'mcp-session-id': call.session }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', method: call.method, params: call.params, id: call.id }),
    signal: AbortSignal.any([call.signal, AbortSignal.timeout(timeoutMs)]),
  });
  const text = await response.text();
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // An empty response, or a proxy's error page: shown unchanged.
  }
  return { status: response.status, body, sessionId: response.headers.get('mcp-session-id') };
}
