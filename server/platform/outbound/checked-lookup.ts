import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import type { AddressGuard, Target } from './address-guard.ts';
import { toOutboundError } from './outbound-error.ts';

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** Resolves a name to all its addresses, in the order to try them. Rejects as node:dns does. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** Resolves names with the operating system (including the hosts file). */
export const resolveBySystem: Resolve = async (hostname) => {
  const found = await systemLookup(hostname, { all: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

/** Creates a look-up for sockets that only returns addresses the guard accepts. */
export function createCheckedLookup(
  target: Target,
  url: string,
  guard: AddressGuard,
  resolve: Resolve,
): LookupFunction {
  return (hostname, options, callback) => {
    resolveChecked(hostname, target, url, guard, resolve).then(
      (found) => {
        const first = found[0];
        if (options.all === true) callback(null, [...found]);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, []),
    );
  };
}

/** Returns all addresses of a name. Throws an OutboundError if one of them is refused, or if there are none. */
export async function resolveChecked(
  hostname: string,
  target: Target,
  origin: string,
  guard: AddressGuard,
  resolve: Resolve,
): Promise<readonly ResolvedAddress[]> {
  const found = await resolveTwice(hostname, resolve);
  if (found.length === 0) {
    throw toOutboundError(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), origin);
  }
  for (const { address } of found) guard.checkAddress(address, target, origin);
  return found;
}

/** Retries once, because name servers are often briefly overloaded. */
async function resolveTwice(hostname: string, resolve: Resolve): Promise<readonly ResolvedAddress[]> {
  try {
    return await resolve(hostname);
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : '';
    if (code !== 'EAI_AGAIN' && code !== 'ESERVFAIL') throw error;
    return resolve(hostname);
  }
}
