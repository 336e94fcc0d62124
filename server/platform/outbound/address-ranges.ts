import { BlockList, isIP } from 'node:net';

/** A block of addresses with its common name. */
interface NamedBlock {
  block: BlockList;
  name: string;
}

// IANA special-purpose registries for IPv4 and IPv6, July 2025, plus the metadata services of the large clouds.
const refusedV4: readonly (readonly [string, string])[] = [
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
];

const refusedV6: readonly (readonly [string, string])[] = [
  ['2001::/23', 'reserved'],
  ['2001:db8::/32', 'documentation only'],
  ['2002::/16', 'an IPv4 address in disguise'],
  ['3fff::/20', 'documentation only'],
  ['::1/128', 'loopback'],
  ['fc00::/7', 'private'],
  ['fe80::/10', 'link-local'],
  ['ff00::/8', 'multicast'],
];

// Prefixes that networks translate to the IPv4 address in the last 32 bits: that address decides.
const carriersOfV4 = ['::ffff:', '64:ff9b::'];

// Only 2000::/3 of IPv6 is in public use; everything else except the translated forms is refused.
const publicV6 = blockOf(['2000::/3', ...carriersOfV4.map((carrier) => `${carrier}0.0.0.0/96`)]);

const refused: readonly NamedBlock[] = [
  ...refusedV4.map(([cidr, name]) => ({ block: blockOf([cidr, ...carriersOfV4.map((c) => carried(c, cidr))]), name })),
  ...refusedV6.map(([cidr, name]) => ({ block: blockOf([cidr]), name })),
];

/**
 * Returns why an address is not part of the public internet, or undefined if it is. Refuses text that is not an IP
 * address. Ignores a zone (`%eth0`).
 */
export function refusalOf(address: string): string | undefined {
  const [bare, family] = parsed(address);
  if (family === undefined) return 'not an address';
  const found = refused.find(({ block }) => block.check(bare, family));
  if (found) return found.name;
  return family === 'ipv4' || publicV6.check(bare, 'ipv6') ? undefined : 'reserved';
}

/**
 * Returns a function that checks whether an address is in one of the CIDR blocks. Throws RangeError for a malformed
 * block.
 */
export function createRangeMatcher(cidrs: readonly string[]): (address: string) => boolean {
  const block = blockOf(cidrs);
  return (address) => {
    const [bare, family] = parsed(address);
    return family !== undefined && block.check(bare, family);
  };
}

function carried(carrier: string, cidr: string): string {
  const [address, bits] = cidr.split('/');
  return `${carrier}${address}/${96 + Number(bits)}`;
}

function blockOf(cidrs: readonly string[]): BlockList {
  const block = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', bits] = cidr.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const bitsMax = family === 'ipv6' ? 128 : 32;
    if (isIP(address) === 0 || !/^(?:\d{1,3})?$/.test(bits ?? '') || bits === '' || Number(bits ?? 0) > bitsMax) {
      throw new RangeError(`"${cidr}" is not a block of addresses; write for example 192.0.2.0/24`);
    }
    block.addSubnet(address, bits === undefined ? bitsMax : Number(bits), family);
  }
  return block;
}

/** Returns the address without its zone, and its family; undefined for text that is not an address. */
function parsed(text: string): [string, 'ipv4' | 'ipv6' | undefined] {
  const zone = text.indexOf('%');
  const bare = zone < 0 ? text : text.slice(0, zone);
  return [bare, isIP(bare) === 4 ? 'ipv4' : isIP(bare) === 6 ? 'ipv6' : undefined];
}
