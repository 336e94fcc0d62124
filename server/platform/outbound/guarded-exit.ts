import { isIP } from 'node:net';
import { AddressGuard } from './address-guard.ts';
import { type Resolve, resolveBySystem, resolveChecked } from './checked-lookup.ts';
import type { OutboundOptions } from './outbound.ts';
import { type ProxyPass, ProxyServer } from './proxy-server.ts';

export type { ProxyPass } from './proxy-server.ts';

/** The way out for programs that make their connections themselves. */
export interface GuardedExit {
  /**
   * A proxy on loopback through which a program reaches the one host of `url` and nothing else: https addresses by a
   * tunnel, http addresses by requests, or by a tunnel to port 443 where the host insists on that. Throws an
   * OutboundError when the address alone is enough to refuse it; the rest is found out when the program connects.
   */
  openProxy(url: URL): Promise<ProxyPass>;
  /** The address that a secure shell to this host is to connect to. Throws an OutboundError when one of them is refused. */
  shellAddress(hostname: string, port: number): Promise<string>;
  /** Ends the proxy with all that goes through it. */
  close(): Promise<void>;
}

/** Nothing listens before the first pass is asked for. */
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
      // resolveChecked answers at least one.
      return first?.address ?? '';
    },
    close: () => proxy.close(),
  };
}

/** A web address, or the host of a secure shell. */
type HostToCheck = { kind: 'web'; url: URL } | { kind: 'shell'; hostname: string; port: number };

/** Throws an OutboundError, with the next step, for what would not be contacted. Only the text is looked at, no name is looked up. */
export type CheckHost = (host: HostToCheck) => void;

/** Says before anything is tried what every way out refuses. */
export function createHostCheck(options: Pick<OutboundOptions, 'allowHosts' | 'policy'>): CheckHost {
  const guard = new AddressGuard(options.allowHosts, options.policy);
  return (host) => {
    if (host.kind === 'web') guard.checkUrl(host.url);
    else guard.checkShell(host.hostname, host.port);
  };
}
