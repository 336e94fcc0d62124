import type { IncomingMessage } from 'node:http';
import type { Context as HonoContext } from 'hono';

/** Returns true for the address of a proxy whose forwarded client address is trusted. */
export type IsTrustedProxy = (address: string) => boolean;

/**
 * Returns the address a request comes from: the socket's peer, unless that is a trusted proxy. Then it is the last
 * address in `X-Forwarded-For` that is not a trusted proxy; a client could have forged all earlier ones.
 */
export function clientAddress(c: HonoContext, isTrustedProxy: IsTrustedProxy): string {
  // Missing when the app is called in process, without a socket.
  const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage };
  const hops = (c.req.header('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim());
  let address = withoutMapping(incoming?.socket.remoteAddress ?? '');
  while (isTrustedProxy(address)) {
    const before = hops.pop();
    if (before === undefined || before === '') break;
    address = withoutMapping(before);
  }
  return address;
}

/** A dual-stack socket reports an IPv4 peer as an IPv6 address. */
function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=[\d.]+$)/i, '');
}
