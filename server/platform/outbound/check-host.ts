import { AddressGuard } from './address-guard.ts';
import type { OutboundOptions } from './outbound.ts';

/** A web address, or the host of a secure shell. */
export type HostToCheck = { kind: 'web'; url: URL } | { kind: 'shell'; hostname: string; port: number };

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
