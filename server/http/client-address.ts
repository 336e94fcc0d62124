import type { IncomingMessage } from 'node:http';
import type { Context as HonoContext } from 'hono';

/** Tells whether an address is that of a proxy whose word about its client counts. */
export type IsTrustedProxy = (address: string) => boolean;

/**
 * Where a request comes from: the other end of the socket, unless that is a trusted proxy. Then it is the last address
 * of `X-Forwarded-For` that no trusted proxy has; everything before it was written by strangers.
 */
export function clientAddress(c: HonoContext, isTrustedProxy: IsTrustedProxy): string {
  // Absent when the app is asked in process, without a socket.
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

/** A socket that takes both protocols names an IPv4 peer as an IPv6 address. */
function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=[\d.]+$)/i, '');
}
