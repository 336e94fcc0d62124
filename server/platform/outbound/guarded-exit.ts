import { isIP } from 'node:net';
import { AddressGuard } from './address-guard.ts';
import { type Resolve, resolveBySystem, resolveChecked } from './checked-lookup.ts';
import type { OutboundOptions } from './outbound.ts';
import { type ProxyPass, ProxyServer } from './proxy-server.ts';

export type { ProxyPass } from './proxy-server.ts';

/** Guarded network access for programs that open their own connections. */
export interface GuardedExit {
  /**
   * Opens a proxy on loopback through which a program reaches only the host of `url`: https addresses through a tunnel,
   * http addresses through requests, or a tunnel to port 443 if the host insists. Throws an OutboundError if the
   * address is refused by its text; other checks happen when the program connects.
   */
  openProxy(url: URL): Promise<ProxyPass>;
  /**
   * Returns the address to which SSH should connect for this host. Throws an OutboundError if one of its addresses is
   * refused.
   */
  shellAddress(hostname: string, port: number): Promise<string>;
  /** Closes the proxy and all its connections. */
  close(): Promise<void>;
}

/** Creates the exit; nothing listens before the first pass is requested. */
export function createGuardedExit(
  options: Pick<OutboundOptions, 'allowHosts' | 'policy' | 'resolve'> & { connectTimeoutMs?: number },
): GuardedExit {
  const guard = new AddressGuard(options.allowHosts, options.policy);
  const resolve: Resolve = options.resolve ?? resolveBySystem;
  const proxy = new ProxyServer({ guard, resolve, connectTimeoutMs: options.connectTimeoutMs ?? 10_000 });
  return {
    async openProxy(url) {
      guard.checkUrl(url);
      return proxy.open(url);
    },
    async shellAddress(hostname, port) {
      const target = guard.checkShell(hostname, port);
      if (isIP(target.hostname) !== 0) return target.hostname;
      const [first] = await resolveChecked(target.hostname, target, `ssh://${hostname}:${port}`, guard, resolve);
      // resolveChecked returns at least one address.
      return first?.address ?? '';
    },
    close: () => proxy.close(),
  };
}

/** A web address, or the host of an SSH connection. */
type HostToCheck = { kind: 'web'; url: URL } | { kind: 'shell'; hostname: string; port: number };

/**
 * Throws an OutboundError, with the next step, for a host that would be refused. Checks only the text, without
 * resolving names.
 */
export type CheckHost = (host: HostToCheck) => void;

/** Creates a check that reports in advance what all outbound clients refuse. */
export function createHostCheck(options: Pick<OutboundOptions, 'allowHosts' | 'policy'>): CheckHost {
  const guard = new AddressGuard(options.allowHosts, options.policy);
  return (host) => {
    if (host.kind === 'web') guard.checkUrl(host.url);
    else guard.checkShell(host.hostname, host.port);
  };
}
