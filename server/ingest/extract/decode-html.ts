import { isAscii, isUtf8 } from 'node:buffer';
import {
  charsetParameter,
  encodingOfMark,
  encodingOfMeta,
  isKnownLabel,
  REPLACEMENT_LABELS,
} from './encoding-sniff.ts';

/** A page's text and the name of its encoding in lower case. */
export interface DecodedHtml {
  text: string;
  encoding: string;
}

/**
 * Decodes a page the way a browser does: byte order mark, then the charset of the `Content-Type` header, then `meta` or
 * XML declaration; without any of these UTF-8 when the bytes are valid UTF-8, else windows-1252. Never throws: invalid
 * bytes become U+FFFD, encodings that browsers refuse become one U+FFFD.
 */
export function decodeHtml(bytes: Uint8Array, contentType?: string): DecodedHtml {
  const mark = encodingOfMark(bytes);
  if (mark) return decodeAs(bytes, mark);
  const declared = contentType === undefined ? undefined : charsetParameter(contentType);
  if (declared && isKnownLabel(declared)) return decodeAs(bytes, declared);
  const label = encodingOfMeta(bytes);
  if (label && isKnownLabel(label)) return decodeAs(bytes, label);
  return decodeAs(bytes, isProbablyUtf8(bytes) ? 'utf-8' : 'windows-1252');
}

/**
 * Returns true if the bytes are probably UTF-8. Pure ASCII counts as windows-1252, as in browsers; the text is the
 * same.
 */
function isProbablyUtf8(bytes: Uint8Array): boolean {
  return !isAscii(bytes) && isUtf8(bytes.subarray(0, bytes.length - unfinishedBytes(bytes)));
}

/** Returns the length, 0 to 3, of an incomplete character at the end, as in a page cut at the size limit. */
function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

function decodeAs(bytes: Uint8Array, label: string): DecodedHtml {
  if (REPLACEMENT_LABELS.has(label.trim().toLowerCase())) {
    return { text: bytes.length > 0 ? '\uFFFD' : '', encoding: 'replacement' };
  }
  const decoder = new TextDecoder(label);
  return { text: decoder.decode(bytes), encoding: decoder.encoding };
}

/** Void elements, which have no end tag in HTML. */
const voidElements = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i;
const selfClosed = /<([a-zA-Z][\w:-]{0,40})((?:\s(?:[^<>"']|"[^"<>]{0,2000}"|'[^'<>]{0,2000}'){0,4000})?)\/>/g;

/** Elements whose content is text up to their end tag. */
const selfClosedRawText = /<(?:iframe|noframes|script|style|textarea|title)\b[^<>]{0,2000}\/>/i;

/** Returns true for a page written as XML, in which `<script src="a.js"/>` is a complete element. */
export function isXhtml(text: string, contentType: string | undefined, path: string): boolean {
  if (/^\s*application\/xhtml\+xml\b/i.test(contentType ?? '') || /\.xhtml$/i.test(path)) return true;
  if (/^\s*<\?xml\s/.test(text.slice(0, 200))) return true;
  return /^\s*<!doctype html public "-\/\/W3C\/\/DTD XHTML/i.test(text.slice(0, 200)) && selfClosedRawText.test(text);
}

/** Adds end tags to self-closed elements: HTML parsers leave them open, so a script would swallow the page. */
export function withEndTags(text: string): string {
  return text.replace(selfClosed, (tag, name: string, attributes: string) =>
    voidElements.test(name) ? tag : `<${name}${attributes}></${name}>`,
  );
}
