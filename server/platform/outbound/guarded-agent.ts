import { Agent, Pool } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import type { Resolve } from './checked-lookup.ts';
import { createGuardedConnector } from './guarded-connector.ts';
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
