import { isIP } from 'node:net';
import { Agent, buildConnector, Pool } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { createCheckedLookup, type Resolve } from './checked-lookup.ts';
import type { OutboundLimits } from './outbound-limits.ts';

/** Creates an agent that connects only to addresses the guard accepts, and reuses connections for a while. */
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
 * Creates a connector for one origin that connects only to addresses the guard accepts. The socket receives the checked
 * addresses themselves, so a name that resolves differently a moment later has no effect. A name with one refused
 * address is refused entirely.
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
    // An unreachable first address must not use up the whole connect timeout.
    autoSelectFamilyAttemptTimeout: 500,
  });
  return (options, callback) => {
    try {
      // A literal address never reaches the look-up, so it is checked here; names are checked there.
      const hostname = options.hostname.startsWith('[') ? options.hostname.slice(1, -1) : options.hostname;
      if (isIP(hostname) !== 0) guard.checkAddress(hostname, target, origin);
    } catch (error) {
      callback(error as Error, null);
      return;
    }
    connect(options, callback);
  };
}
