import { isIP } from 'node:net';
import { validateOriginHeader } from '@modelcontextprotocol/server';

export interface HostGuard {
  /** The refusal of a request whose Host or Origin is not ours, else undefined. */
  refusalOf(request: Request): Response | undefined;
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Keeps web pages from reaching this server through a name that points at it. Loopback names, literal addresses (no
 * name can be made to point at those), the public address and `allowedHosts` pass.
 */
export function createHostGuard(publicUrl: string, allowedHosts: readonly string[]): HostGuard {
  const names = new Set([...loopbackNames, ...allowedHosts.map((host) => host.toLowerCase())]);
  const own = URL.parse(publicUrl)?.hostname;
  if (own !== undefined) names.add(own);
  return {
    refusalOf(request) {
      const host = request.headers.get('host') ?? new URL(request.url).host;
      const hostname = URL.parse(`http://${host}`)?.hostname;
      if (hostname === undefined || !(names.has(hostname) || isAddress(hostname))) {
        return refusal(`Invalid Host: ${host.slice(0, 100)}`);
      }
      const from = request.headers.get('origin');
      if (from !== null && URL.parse(from)?.host === host.toLowerCase()) return undefined;
      const origin = validateOriginHeader(from, [...names]);
      return origin.ok ? undefined : refusal(origin.message.slice(0, 200));
    },
  };
}

function isAddress(hostname: string): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

function refusal(message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }, { status: 403 });
}
