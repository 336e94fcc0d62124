import { isIP } from 'node:net';
import { maskApiKeysIn } from '#contract/keys.ts';
import { createRangeMatcher, refusalOf } from './address-ranges.ts';
import { OutboundError } from './outbound-error.ts';

/** The operator's changes to which hosts may be contacted. By default only the public internet. */
export interface NetworkPolicy {
  /** Private CIDR blocks to treat as public. */
  publicRanges?: readonly string[];
  /** Public CIDR blocks to refuse. */
  refusedRanges?: readonly string[];
  /** Ports refused on every host; replaces the default list (see `refusedPortsDefault`). */
  refusedPorts?: readonly number[];
}

/** A host and port of a connection: lower case, without brackets. */
export interface Target {
  hostname: string;
  port: number;
  /** True if the operator allowed this host and port: no address of it is refused. */
  isAllowListed: boolean;
}

// Ports that browsers refuse (Fetch standard, "port blocking"), so that a page cannot make us talk to mail servers,
// shells and the like …
const browserRefusedPorts = [
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];
// … and those of databases and orchestrators that respond to HTTP without authentication.
const datastorePorts = [
  1433, 1521, 2375, 2376, 2379, 2380, 3306, 5432, 5984, 6379, 6443, 8086, 9042, 9200, 9300, 10250, 10255, 11211, 27017,
  50070,
];
const refusedPortsDefault: readonly number[] = [...browserRefusedPorts, ...datastorePorts];

const shellPort = 22;

// Names with a meaning only inside a network (RFC 6761, RFC 6762, RFC 8375, ICANN's .internal, and common practice).
const internalNames =
  /(^|\.)(localhost|localdomain|local|internal|intranet|private|lan|home|corp|svc|home\.arpa|invalid|test|onion)$/;

/** As in DNS, plus underscores and leading or trailing hyphens, which occur in real names. */
const hostLabel = /^[a-z\d_-]{1,63}$/;
const nameCharactersMax = 253;

/**
 * Decides which hosts may be contacted: first by the text of an address, then by what the name resolves to when
 * connecting.
 */
export class AddressGuard {
  readonly #allowHosts: ReadonlySet<string>;
  readonly #isPublic: (address: string) => boolean;
  readonly #isRefused: (address: string) => boolean;
  readonly #refusedPorts: ReadonlySet<number>;

  /** `allowHosts`: "host:port" each. Throws RangeError for a malformed entry or block. */
  constructor(allowHosts: readonly string[], policy: NetworkPolicy = {}) {
    this.#allowHosts = new Set(allowHosts.map(normalizeHostAndPort));
    this.#isPublic = createRangeMatcher(policy.publicRanges ?? []);
    this.#isRefused = createRangeMatcher(policy.refusedRanges ?? []);
    this.#refusedPorts = new Set(policy.refusedPorts ?? refusedPortsDefault);
  }

  /**
   * Returns the target of an address. Throws an OutboundError if the address is refused by its text. Does not resolve
   * names.
   */
  checkUrl(url: URL): Target {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw new OutboundError(
        'bad-url',
        url.href,
        `${clip(url.href)} is not a web address: only http and https are read.`,
      );
    }
    const target = this.target(url.protocol, url.hostname, url.port);
    if (!target.isAllowListed) this.#checkPublicTarget(target, url);
    if (url.username !== '' || url.password !== '') {
      throw new OutboundError(
        'bad-url',
        withoutUserInfo(url),
        'The address contains a user name or password. Remove it and store it as a credential.',
      );
    }
    const masked = maskApiKeysIn(url.href);
    if (masked !== url.href) {
      const reason = 'The address contains an API key, which its site would receive. Remove it from the address.';
      throw new OutboundError('bad-url', masked, reason);
    }
    return target;
  }

  /**
   * Returns the target of a connection other than a web request, such as SSH: any port except those of other services.
   * Throws an OutboundError if the host is refused by its text.
   */
  checkShell(hostname: string, port: number): Target {
    const url = URL.parse(`http://${hostname}:${port}`);
    if (!url) {
      const written = `ssh://${hostname}:${port}`;
      throw new OutboundError('bad-url', written, `${clip(written)} does not name a host. Check the spelling.`);
    }
    const target = this.target(url.protocol, url.hostname, String(port));
    if (!target.isAllowListed) this.#checkPublicTarget(target, url, shellPort);
    return target;
  }

  /** Returns the target of a new connection; `port` may be empty for the scheme's default. */
  target(protocol: string, hostname: string, port: string): Target {
    const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
    const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
    return { hostname: bare, port: number, isAllowListed: this.#allowHosts.has(`${bare}:${number}`) };
  }

  /** Throws unless `address` (the resolved or literal address) may be connected to. */
  checkAddress(address: string, target: Target, url: string): void {
    if (target.isAllowListed) return;
    if (this.#isRefused(address)) throw refused(target, url, 'refused by the policy of this server');
    const reason = refusalOf(address);
    if (reason === undefined || this.#isPublic(address)) return;
    const resolved = address === target.hostname ? '' : ` resolves to ${address}, which`;
    throw refused(target, url, reason, resolved);
  }

  #checkPublicTarget(target: Target, url: URL, portAllowed?: number): void {
    const { hostname, port } = target;
    if (isIP(hostname) !== 0) {
      this.checkAddress(hostname, target, url.href);
    } else {
      const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
      if (name.length > nameCharactersMax || name.split('.').some((label) => !hostLabel.test(label))) {
        throw new OutboundError('bad-url', url.href, `${clip(hostname)} is not a host name. Check the spelling.`);
      }
      if (!name.includes('.') || internalNames.test(name)) throw refused(target, url.href, 'internal');
    }
    if (port !== portAllowed && this.#refusedPorts.has(port)) {
      throw new OutboundError(
        'address-refused',
        url.href,
        `Port ${port} is not one that websites use, so ${url.host} is not contacted. ${allowHint(target)}`,
      );
    }
  }
}

function refused(target: Target, url: string, reason: string, resolved = ''): OutboundError {
  return new OutboundError(
    'address-refused',
    url,
    `${target.hostname}${resolved} is not a public address (${reason}), so it is not contacted. ${allowHint(target)}`,
  );
}

function allowHint(target: Target): string {
  const host = target.hostname.includes(':') ? `[${target.hostname}]` : target.hostname;
  return `If this is your own server, add ${host}:${target.port} to LECTERN_ALLOW_HOSTS and start again.`;
}

function normalizeHostAndPort(entry: string): string {
  const url = URL.parse(`http://${entry.trim()}`);
  const port = /:(\d{1,5})$/.exec(entry.trim())?.[1];
  if (!url || url.hostname === '' || port === undefined || url.pathname !== '/' || url.username !== '') {
    throw new RangeError(`"${entry}" is not host:port; write for example 127.0.0.1:8000`);
  }
  const hostname = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  return `${hostname}:${Number(port)}`;
}

function withoutUserInfo(url: URL): string {
  const copy = new URL(url);
  copy.username = '';
  copy.password = '';
  return copy.href;
}

function clip(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
