import { isIP } from 'node:net';
import { Agent, buildConnector, Pool } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { createCheckedLookup, type Resolve } from './checked-lookup.ts';
import type { OutboundLimits } from './outbound-limits.ts';

/** Connections to whatever the guard lets through, kept for a while and used again. */
export function createAgent(guard: AddressGuard, resolve: Resolve, limits: OutboundLimits): Agent {
  return new Agent({
    allowH2: false,
    connections: limits.connectionsPerOriginMax,
    headersTimeout: limits.headersTimeoutMs,
    bodyTimeout: limits.idleTimeoutMs,
    maxHeaderSize: limits.headerBytesMax,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 30_000,
    factory: (origin, poolOptions: Pool.Options) =>
      new Pool(origin, {
        ...poolOptions,
        connect: createGuardedConnector(String(origin), guard, resolve, limits.connectTimeoutMs),
      }),
  });
}

/**
 * A connector for one origin that connects only to addresses the guard lets through. The addresses that were checked
 * are the ones handed to the socket, so a name that resolves differently a moment later changes nothing. A name with
 * one refused address among its answers is refused whole.
 */
export function createGuardedConnector(
  origin: string,
  guard: AddressGuard,
  resolve: Resolve,
  connectTimeoutMs: number,
): buildConnector.connector {
  const url = new URL(origin);
  const target = guard.target(url.protocol, url.hostname, url.port);
  const lookup = createCheckedLookup(target, origin, guard, resolve);
  const connect = buildConnector({
    allowH2: false,
    timeout: connectTimeoutMs,
    lookup,
    autoSelectFamily: true,
    // A dead first address must not eat the whole connect time.
    autoSelectFamilyAttemptTimeout: 500,
  });
  return (options, callback) => {
    try {
      // A literal never reaches the look-up, so it is checked here; everything else is checked there.
      const hostname = options.hostname.startsWith('[') ? options.hostname.slice(1, -1) : options.hostname;
      if (isIP(hostname) !== 0) guard.checkAddress(hostname, target, origin);
    } catch (error) {
      callback(error as Error, null);
      return;
    }
    connect(options, callback);
  };
}
