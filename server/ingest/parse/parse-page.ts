import { hash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { quoted } from '#server/platform/quoted.ts';
import type { Snippet } from '../../engine/types.ts';
import type { ParsedPage as CrawledPage } from '../crawl/crawl-types.ts';
import type { ExtractedDocument } from '../document.ts';
import { decodeHtml, isXhtml, withEndTags } from '../extract/decode-html.ts';
import { extractHtml } from '../extract/extract-html.ts';
import { type DocumentFormat, formatOf, isGzip } from '../formats/format-of.ts';
import { readers } from '../formats/index.ts';
import { type EmbeddedOpenApi, embeddedOpenApi, packedOpenApi } from '../formats/openapi/embedded-openapi.ts';
import { extractOpenApi } from '../formats/openapi/extract-openapi.ts';
import type { ReadIncluded } from '../formats/read-included.ts';
import { splitDocument } from '../split/index.ts';
import { ParseError } from './parse-error.ts';

/** A page's or file's bytes and metadata. */
export interface ParseInput {
  /** Absolute address; relative links are resolved against it. */
  url: string;
  bytes: Uint8Array;
  contentType?: string;
  /** Path or file name, if it is more informative than the address. */
  path?: string;
  /** Format to use regardless of content type and name. */
  format?: DocumentFormat;
}

/** A text from a folder or repository, with a function that reads its included files. */
export interface IncludeInput {
  bytes: Uint8Array;
  path: string;
  format: DocumentFormat;
  read: ReadIncluded;
}

/** The parts of a page that the index needs. */
export interface ParsedPage extends CrawledPage {
  siteName?: string;
  snippets: Snippet[];
  format: DocumentFormat;
}

const titleCharactersMax = 300;

/**
 * Decodes, extracts and splits one page. Throws `ParseError`: `unsupported-type` if it is not text, `parse-failed` for
 * a damaged file.
 */
export function parsePage(input: ParseInput): ParsedPage {
  const path = input.path ?? pathOf(input.url);
  const format = input.format ?? formatOf(path, input.contentType, input.bytes);
  if (format === undefined) {
    const type = input.contentType ? ` (${quoted(input.contentType)})` : '';
    throw new ParseError('unsupported-type', `The content of ${input.url} is not text that can be indexed${type}.`);
  }
  const document = extract(input, format, path);
  return {
    title: document.title.slice(0, titleCharactersMax).toWellFormed(),
    siteName: document.siteName?.slice(0, titleCharactersMax).toWellFormed(),
    canonicalUrl: document.canonicalUrl,
    isNoindex: document.isNoindex,
    refreshUrl: document.refreshUrl,
    markdownUrl: document.markdownUrl,
    needsScripts: document.needsScripts,
    links: document.links,
    snippets: splitDocument(document, { url: input.url }),
    contentHash: hash('sha256', input.bytes, 'hex'),
    format,
  };
}

function extract(input: ParseInput, format: DocumentFormat, path: string): ExtractedDocument {
  const { url } = input;
  if (format === 'html') {
    const text = shortenData(decodeHtml(input.bytes, input.contentType).text);
    const document = extractHtml(isXhtml(text, input.contentType, path) ? withEndTags(text) : text, { url });
    return withOpenApi(document, embeddedOpenApi(text), url);
  }
  const bytes = format === 'man' && isGzip(input.bytes) ? unzipped(input.bytes, url) : input.bytes;
  const text = shortenData(decodeText(bytes, input.contentType));
  const document = readers[format](text, { url, path });
  return format === 'mdx' ? withOpenApi(document, packedOpenApi(text), url) : document;
}

function withOpenApi(page: ExtractedDocument, api: EmbeddedOpenApi | undefined, url: string): ExtractedDocument {
  if (api === undefined) return page;
  const { json, isWholePage } = api;
  const { title, blocks } = extractOpenApi(json, { url });
  return isWholePage || page.blocks.length === 0
    ? { ...page, title, blocks }
    : { ...page, blocks: [...page.blocks, ...blocks] };
}

/** Size limit for unpacked manual pages, which are installed compressed; real ones are smaller. */
const unzippedBytesMax = 20_000_000;

function unzipped(bytes: Uint8Array, url: string): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: unzippedBytesMax });
  } catch (error) {
    if (error instanceof Error && 'code' in error)
      throw new ParseError('parse-failed', `${url} is compressed, and damaged or too large.`, { cause: error });
    throw error;
  }
}

/** Decodes text as UTF-8 if valid, otherwise as the server declared, or as the most common one-byte encoding. */
function decodeText(bytes: Uint8Array, contentType = ''): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const label = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1];
    return decoderFor(label).decode(bytes);
  }
}

function decoderFor(label = 'windows-1252'): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return new TextDecoder('windows-1252');
  }
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}

/** Longer data is an image or sound, not an example of an address. */
const dataCharsMax = 1000;
const dataAddress = new RegExp(
  `(data:[\\w/+.-]{1,80}(?:;[\\w=.-]{1,40}){0,4};base64,)[\\w+/=%]{${dataCharsMax},}`,
  'g',
);

/** Removes files embedded in addresses (`data:image/png;base64,…`), which are megabytes of meaningless letters. */
function shortenData(text: string): string {
  return text.includes(';base64,') ? text.replace(dataAddress, '$1…') : text;
}
