/**
 * Lets a web page that passed the origin check read the answer: clients that run in a browser need the session header.
 * Requests without an origin are answered as they are.
 */
export function withCors(request: Request, response: Response): Response {
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
