const LF = 0x0a;
const GT = 0x3e;
const LT = 0x3c;

// The standard requires at least 1024 bytes; generators that inline their style sheet push the declaration much
// further.
const PRESCAN_BYTES_MAX = 65_536;

/** Returns the encoding named by a byte order mark, if there is one. */
export function encodingOfMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return undefined;
}

/** Returns the first charset parameter of a `Content-Type` value. */
export function charsetParameter(contentType: string): string | undefined {
  const lower = contentType.toLowerCase();
  let from = 0;
  for (;;) {
    const at = lower.indexOf('charset', from);
    if (at < 0) return undefined;
    let i = at + 7;
    while (isSpaceCharacter(lower[i])) i++;
    if (lower[i] !== '=') {
      from = at + 7;
      continue;
    }
    i++;
    while (isSpaceCharacter(lower[i])) i++;
    const quote = lower[i];
    if (quote === '"' || quote === "'") {
      const end = lower.indexOf(quote, i + 1);
      return end < 0 ? undefined : lower.slice(i + 1, end);
    }
    let end = i;
    while (end < lower.length && lower[end] !== ';' && !isSpaceCharacter(lower[end])) end++;
    return lower.slice(i, end);
  }
}

/**
 * Returns the label found by the HTML standard's prescan: the first `meta` that declares an encoding, or the XML
 * declaration's encoding. Reads the first 64 KB and skips comments. UTF-16 labels mean UTF-8, because a page readable
 * byte by byte up to here cannot be UTF-16.
 */
export function encodingOfMeta(bytes: Uint8Array): string | undefined {
  const end = Math.min(bytes.length, PRESCAN_BYTES_MAX);
  const label = xmlDeclaration(bytes, end) ?? metaLabel(bytes, end);
  return label && /^utf-?16/.test(label) ? 'utf-8' : label;
}

function xmlDeclaration(bytes: Uint8Array, end: number): string | undefined {
  if (!matches(bytes, 0, '<?xml')) return undefined;
  const close = bytes.indexOf(GT);
  if (close < 0 || close > end) return undefined;
  const declaration = latin1(bytes, 0, close);
  return /encoding\s*=\s*(?:"([^"]+)"|'([^']+)')/
    .exec(declaration)
    ?.slice(1)
    .find((label) => label)
    ?.trim()
    .toLowerCase();
}

function metaLabel(bytes: Uint8Array, end: number): string | undefined {
  let i = 0;
  while (i < end) {
    if (bytes[i] !== LT) {
      i++;
    } else if (matches(bytes, i, '<!--')) {
      i = endOfComment(bytes, i + 2, end);
    } else if (matches(bytes, i, '<meta') && isTagBreak(bytes[i + 5])) {
      const reader = new AttributeReader(bytes, i + 5, end);
      const label = labelOfMeta(reader);
      if (reader.isUnfinished) return undefined;
      if (label) return label;
      i = reader.position;
    } else if (isLetter(bytes[i + 1]) || (bytes[i + 1] === 0x2f && isLetter(bytes[i + 2]))) {
      const reader = new AttributeReader(bytes, endOfTagName(bytes, i + 1, end), end);
      while (reader.next());
      i = reader.position;
    } else if (bytes[i + 1] === 0x21 || bytes[i + 1] === 0x2f || bytes[i + 1] === 0x3f) {
      while (i < end && bytes[i] !== GT) i++;
    } else {
      i++;
    }
  }
  return undefined;
}

function labelOfMeta(reader: AttributeReader): string | undefined {
  const seen = new Set<string>();
  let isPragma = false;
  let needsPragma = false;
  let label: string | undefined;
  for (let attribute = reader.next(); attribute; attribute = reader.next()) {
    const [name, value] = attribute;
    if (seen.has(name)) continue;
    seen.add(name);
    if (name === 'http-equiv') {
      isPragma = value === 'content-type';
    } else if (name === 'content' && label === undefined) {
      label = charsetParameter(value);
      needsPragma = label !== undefined;
    } else if (name === 'charset') {
      label = value.trim();
      needsPragma = false;
    }
  }
  if (!label || (needsPragma && !isPragma)) return undefined;
  return isKnownLabel(label) ? label : undefined;
}

/** Returns true if a decoder for the label exists; `replacement` and `x-user-defined` count. */
export function isKnownLabel(label: string): boolean {
  try {
    new TextDecoder(label);
    return true;
  } catch {
    return REPLACEMENT_LABELS.has(label.trim().toLowerCase());
  }
}

/** Encodings that must never be decoded, as they can hide markup from filters. */
export const REPLACEMENT_LABELS = new Set([
  'replacement',
  'csiso2022kr',
  'hz-gb-2312',
  'iso-2022-cn',
  'iso-2022-cn-ext',
  'iso-2022-kr',
]);

/** Reads a tag's attributes byte by byte, as the standard's prescan does. */
class AttributeReader {
  position: number;
  isUnfinished = false;
  readonly #bytes: Uint8Array;
  readonly #end: number;

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.#bytes = bytes;
    this.position = start;
    this.#end = end;
  }

  /** Returns name and value in lower case; undefined at the end of the tag or the input. */
  next(): [string, string] | undefined {
    const bytes = this.#bytes;
    while (isTagBreak(bytes[this.position]) && this.position < this.#end && bytes[this.position] !== GT)
      this.position++;
    if (bytes[this.position] === GT) return undefined;
    const start = this.position;
    while (
      this.position < this.#end &&
      !isSpaceByte(bytes[this.position]) &&
      bytes[this.position] !== GT &&
      bytes[this.position] !== 0x2f &&
      !(bytes[this.position] === 0x3d && this.position > start)
    ) {
      this.position++;
    }
    const name = latin1(bytes, start, this.position).toLowerCase();
    this.#skipSpace();
    if (bytes[this.position] !== 0x3d) return this.#finished([name, '']);
    this.position++;
    this.#skipSpace();
    return this.#finished([name, this.#value().toLowerCase()]);
  }

  #value(): string {
    const bytes = this.#bytes;
    const quote = bytes[this.position];
    if (quote === 0x22 || quote === 0x27) {
      const start = this.position + 1;
      const close = bytes.indexOf(quote, start);
      this.position = close < 0 ? this.#end : close + 1;
      return close < 0 ? '' : latin1(bytes, start, close);
    }
    const start = this.position;
    while (this.position < this.#end && !isSpaceByte(bytes[this.position]) && bytes[this.position] !== GT)
      this.position++;
    return latin1(bytes, start, this.position);
  }

  #skipSpace(): void {
    while (this.position < this.#end && isSpaceByte(this.#bytes[this.position])) this.position++;
  }

  #finished(attribute: [string, string]): [string, string] | undefined {
    if (this.position < this.#end) return attribute;
    this.isUnfinished = true;
    return undefined;
  }
}

function endOfComment(bytes: Uint8Array, from: number, end: number): number {
  for (let i = from; i < end; i++) if (bytes[i] === GT && bytes[i - 1] === 0x2d && bytes[i - 2] === 0x2d) return i + 1;
  return end;
}

function endOfTagName(bytes: Uint8Array, from: number, end: number): number {
  let i = from;
  while (i < end && !isSpaceByte(bytes[i]) && bytes[i] !== GT) i++;
  return i;
}

function matches(bytes: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const byte = bytes[at + i];
    if (byte === undefined || (isUpper(byte) ? byte + 32 : byte) !== text.charCodeAt(i)) return false;
  }
  return true;
}

function latin1(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i]!);
  return text;
}

const isUpper = (byte: number): boolean => byte >= 0x41 && byte <= 0x5a;
const isLetter = (byte: number | undefined): boolean =>
  byte !== undefined && (isUpper(byte) || (byte >= 0x61 && byte <= 0x7a));
const isSpaceByte = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === LF || byte === 0x0d || byte === 0x09 || byte === 0x0c;
const isTagBreak = (byte: number | undefined): boolean => isSpaceByte(byte) || byte === 0x2f;
const isSpaceCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\t\n\f\r ]/.test(character);
