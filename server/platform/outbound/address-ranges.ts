/** A block of addresses with the word people know it by. */
interface AddressRange {
  bytes: Uint8Array;
  prefixBits: number;
  name: string;
}

// IANA special-purpose registries for IPv4 and IPv6, July 2025, plus the metadata services of the large clouds.
const refusedV4 = parseAll([
  ['0.0.0.0/8', 'this network'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'shared by a carrier'],
  ['127.0.0.0/8', 'loopback'],
  ['168.63.129.16/32', 'cloud metadata'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'documentation only'],
  ['192.88.99.0/24', 'a retired relay'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation only'],
  ['203.0.113.0/24', 'documentation only'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
]);

// Of IPv6 only 2000::/3 is in public use, so all else is refused and these are the exceptions inside it.
const publicV6 = parseAll([['2000::/3', 'public']]);
const refusedV6 = parseAll([
  ['2001::/23', 'reserved'],
  ['2001:db8::/32', 'documentation only'],
  ['2002::/16', 'an IPv4 address in disguise'],
  ['3fff::/20', 'documentation only'],
]);
const namedV6 = parseAll([
  ['::1/128', 'loopback'],
  ['fc00::/7', 'private'],
  ['fe80::/10', 'link-local'],
  ['ff00::/8', 'multicast'],
]);
// Forms that networks translate to the IPv4 address in their last 32 bits: judged by that address.
const carriesV4 = parseAll([
  ['::ffff:0:0/96', 'mapped'],
  ['64:ff9b::/96', 'translated'],
]);

/**
 * Why an address is not part of the public internet, or undefined when it is.
 * Text that is no IP address counts as refused. A zone (`%eth0`) is ignored.
 */
export function refusalOf(address: string): string | undefined {
  const bytes = parseAddress(address);
  if (!bytes) return 'not an address';
  if (bytes.length === 4) return find(refusedV4, bytes)?.name;
  if (find(carriesV4, bytes)) return find(refusedV4, bytes.subarray(12))?.name;
  const refused = find(refusedV6, bytes) ?? find(namedV6, bytes);
  if (refused) return refused.name;
  return find(publicV6, bytes) ? undefined : 'reserved';
}

/** Tells whether an address lies in one of the given CIDR blocks. Throws on a malformed block. */
export function createRangeMatcher(cidrs: readonly string[]): (address: string) => boolean {
  const ranges = parseAll(cidrs.map((cidr) => [cidr, cidr]));
  return (address) => {
    const bytes = parseAddress(address);
    return bytes !== undefined && find(ranges, bytes) !== undefined;
  };
}

function find(ranges: readonly AddressRange[], bytes: Uint8Array): AddressRange | undefined {
  return ranges.find((range) => contains(range, bytes));
}

function contains(range: AddressRange, bytes: Uint8Array): boolean {
  if (range.bytes.length !== bytes.length) return false;
  const whole = range.prefixBits >> 3;
  for (let i = 0; i < whole; i++) if (range.bytes[i] !== bytes[i]) return false;
  const rest = range.prefixBits & 7;
  if (rest === 0) return true;
  const mask = (0xff << (8 - rest)) & 0xff;
  return ((range.bytes[whole] ?? 0) & mask) === ((bytes[whole] ?? 0) & mask);
}

function parseAll(entries: readonly (readonly [string, string])[]): AddressRange[] {
  return entries.map(([cidr, name]) => {
    const [address = '', bits] = cidr.split('/');
    const bytes = parseAddress(address);
    const prefixBits = bits === undefined ? (bytes?.length ?? 0) * 8 : Number(bits);
    if (!bytes || !Number.isInteger(prefixBits) || prefixBits < 0 || prefixBits > bytes.length * 8) {
      throw new RangeError(`"${cidr}" is not a block of addresses; write for example 192.0.2.0/24`);
    }
    return { bytes, prefixBits, name };
  });
}

/** The bytes of an IPv4 (4) or IPv6 (16) address in canonical text form. Numbers in other bases are not taken. */
function parseAddress(text: string): Uint8Array | undefined {
  const zone = text.indexOf('%');
  const address = zone < 0 ? text : text.slice(0, zone);
  return address.includes(':') ? parseV6(address) : parseV4(address);
}

function parseV4(text: string): Uint8Array | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  const bytes = new Uint8Array(4);
  for (const [i, part] of parts.entries()) {
    if (!/^\d{1,3}$/.test(part) || Number(part) > 255) return undefined;
    bytes[i] = Number(part);
  }
  return bytes;
}

function parseV6(text: string): Uint8Array | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const head = parseGroups(halves[0] ?? '', halves.length === 1);
  const tail = halves.length === 2 ? parseGroups(halves[1] ?? '', true) : [];
  if (!head || !tail) return undefined;
  const missing = 16 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 2) return undefined;
  const bytes = new Uint8Array(16);
  bytes.set(head, 0);
  bytes.set(tail, 16 - tail.length);
  return bytes;
}

function parseGroups(text: string, mayEndInV4: boolean): number[] | undefined {
  if (text === '') return [];
  const bytes: number[] = [];
  const groups = text.split(':');
  for (const [i, group] of groups.entries()) {
    if (mayEndInV4 && i === groups.length - 1 && group.includes('.')) {
      const v4 = parseV4(group);
      if (!v4) return undefined;
      bytes.push(...v4);
    } else {
      if (!/^[0-9a-f]{1,4}$/i.test(group)) return undefined;
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
    }
  }
  return bytes;
}
