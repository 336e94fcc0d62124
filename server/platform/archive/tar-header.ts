/** A block of a tar file. */
export const blockBytes = 512;
/** Longest name that fits in a plain header. */
const nameBytesMax = 100;
const sizeMax = 8 ** 11 - 1;

export interface TarEntry {
  name: string;
  byteLength: number;
}

/** The meaning of a header: a file, a record about the next file, or the end. */
export type TarHeader = { kind: 'file'; entry: TarEntry } | { kind: 'extended'; byteLength: number } | { kind: 'end' };

/**
 * Returns the header blocks of a file: a plain header, preceded by an extended one if the name or the size requires it.
 */
export function encodeHeader({ name, byteLength }: TarEntry, modifiedAt: number): Buffer {
  const isShort = Buffer.byteLength(name) <= nameBytesMax && byteLength <= sizeMax;
  if (isShort) return plainHeader(name, byteLength, '0', modifiedAt);
  const records = Buffer.from(extendedRecord('path', name) + extendedRecord('size', String(byteLength)));
  const padded = Buffer.alloc(paddedLength(records.length));
  records.copy(padded);
  return Buffer.concat([
    plainHeader('extended', records.length, 'x', modifiedAt),
    padded,
    plainHeader('see-extended-header', 0, '0', modifiedAt),
  ]);
}

/** Returns undefined if the block is not a header created by `encodeHeader`, or is damaged. */
export function decodeHeader(block: Buffer): TarHeader | undefined {
  if (block.every((byte) => byte === 0)) return { kind: 'end' };
  const octal = (start: number, length: number) => {
    const text = block.toString('latin1', start, start + length).replace(/[\0 ]+$/, '');
    return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number.NaN;
  };
  if (block.toString('latin1', 257, 262) !== 'ustar' || octal(148, 8) !== checksumOf(block)) return undefined;
  const byteLength = octal(124, 12);
  if (Number.isNaN(byteLength)) return undefined;
  const type = block.toString('latin1', 156, 157);
  if (type === 'x') return { kind: 'extended', byteLength };
  const end = block.indexOf(0);
  const name = block.toString('utf8', 0, end === -1 ? nameBytesMax : Math.min(end, nameBytesMax));
  return type === '0' ? { kind: 'file', entry: { name, byteLength } } : undefined;
}

/** Parses the content of an extended header. */
export function decodeRecords(content: Buffer): Map<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(' ', at);
    const length = Number(content.toString('latin1', at, space));
    if (space === -1 || !Number.isInteger(length) || length <= 0) return new Map();
    const [name = '', ...value] = content.toString('utf8', space + 1, at + length - 1).split('=');
    records.set(name, value.join('='));
    at += length;
  }
  return records;
}

/** Returns the length of content padded to whole blocks. */
export function paddedLength(byteLength: number): number {
  return Math.ceil(byteLength / blockBytes) * blockBytes;
}

function plainHeader(name: string, byteLength: number, type: string, modifiedAt: number): Buffer {
  const block = Buffer.alloc(blockBytes);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  block.write(name, 0, 'utf8');
  block.write(octal(0o600, 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(byteLength, 11), 124);
  block.write(octal(Math.floor(modifiedAt / 1_000), 11), 136);
  block.write(type, 156);
  block.write('ustar\u000000', 257, 'latin1');
  block.write(`${octal(checksumOf(block), 6)}\0 `, 148, 'latin1');
  return block;
}

/** The checksum's own eight bytes count as spaces. */
function checksumOf(block: Buffer): number {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0);
}

/** A record's length counts its own digits. */
function extendedRecord(name: string, value: string): string {
  const rest = ` ${name}=${value}\n`;
  const restBytes = Buffer.byteLength(rest);
  let length = restBytes + 1;
  while (String(length).length + restBytes !== length) length = String(length).length + restBytes;
  return `${length}${rest}`;
}
