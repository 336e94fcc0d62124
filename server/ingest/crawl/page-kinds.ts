import { isListingAddress } from '../../engine/index.ts';
import { formatOf, isDocumentType } from '../formats/format-of.ts';
import { extensionOf } from './page-address.ts';

/** The sitemap protocol's limit for one file, unpacked. */
export const sitemapBytesMax = 52_428_800;

// Extensions of files without text for readers. Extensions that also occur in names (`node.js`, `system.text.json`) are
// not listed: such an address is requested, and its body is not read if the type is wrong.
const unreadableExtensions = new Set(
  (
    'png jpg jpeg jpe gif webp avif svg svgz ico bmp tif tiff psd eps heic mp3 mp4 m4a m4v ogg ogv oga wav flac webm avi ' +
    'mov mkv wmv woff woff2 ttf otf eot pdf epub mobi docx xls xlsx ppt pptx odt ods odp rtf zip gz tgz bz2 xz zst 7z rar ' +
    'tar jar war whl egg deb rpm apk dmg iso msi exe dll dylib wasm pyc swf torrent asc md5 sha256 sha512'
  ).split(' '),
);
/** Extensions of text formats in which a site often offers its HTML pages too. */
const plainExtensions = new Set(
  'txt text md mdx markdown mdown mkd rmd qmd rst rest adoc asciidoc org pod texi texinfo txi rd rdoc dbk docbook dita ipynb'.split(
    ' ',
  ),
);
// Source copies that documentation generators publish next to each page.
const sourceCopyPath = /\/(?:_sources|_raw|__sources)\/|\/_downloads\/[^?#]*\.ipynb$/;

/** Returns true for addresses that are never worth a request, judging by their extension. */
export function isUnreadable(address: string): boolean {
  return unreadableExtensions.has(extensionOf(address));
}

/**
 * Returns true for addresses that look like plain text or Markdown: fetched last, and only if no HTML page has the same
 * content.
 */
export function isPlainText(address: string): boolean {
  return plainExtensions.has(extensionOf(address));
}

/** Returns true for addresses that look like PDF files: fetched last, like plain text. */
export function isPdfAddress(address: string): boolean {
  return extensionOf(address) === 'pdf';
}

/** Returns true if the content type is PDF, or missing or generic for a PDF's address. */
export function isPdfType(contentType: string, address: string): boolean {
  const type = mediaTypeOf(contentType);
  if (type === 'application/pdf' || type === 'application/x-pdf') return true;
  return isPdfAddress(address) && (type === '' || isGenericType(type));
}

/** Returns true for the types that servers send with files whose extension they don't know. */
function isGenericType(type: string): boolean {
  return type === 'application/octet-stream' || type === 'binary/octet-stream';
}

const sourcePath = /\/src-html\/|\/_modules\/|\/src\/[^?#]*\.(?:rs|hs)\.html$/;

/** Returns true for the least useful pages: they come last, so that a page limit drops them first. */
export function isListing(address: string): boolean {
  return isListingAddress(address) || sourcePath.test(address);
}

export function isSourceCopy(address: string): boolean {
  return sourceCopyPath.test(address);
}

/** Returns the possible addresses of the HTML page that corresponds to a plain-text address. */
export function htmlSiblingsOf(address: string): string[] {
  const stem = address.replace(/\.[^./]+$/, '');
  const siblings = [`${address}.html`, `${stem}.html`, `${stem}.htm`, stem, `${stem}/`, `${stem}/index.html`];
  // `guide/index.md` and `guide/index.html.md` also correspond to `guide/`.
  if (/\/index(\.html)?$/.test(stem)) siblings.push(stem.replace(/index(\.html)?$/, ''));
  return siblings;
}

const htmlTypes = ['text/html', 'application/xhtml+xml'];
/** Returns the media type in lower case without parameters. */
export function mediaTypeOf(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

const dataTypes = /^(?:application|text)\/(?:[\w.-]+\+)?(?:json|yaml|x-yaml)$/;
/**
 * File names of API descriptions, such as `openapi.json`, `swagger-v2.yaml`, `/v3/api-docs`, `/v3/api-docs/group` and
 * `pet-api.json`.
 */
const apiDescriptionName =
  /\/(?:[\w.-]*(?:openapi|swagger|asyncapi|api-docs)[\w.-]*|(?:[\w.-]{1,60}[-_.])?(?:api|spec)(?:[-_.]v?\d[\w.]{0,20})?\.(?:json|ya?ml)|api-docs\/[\w.-]{1,80})$/i;

/**
 * Returns true if a body with this type and address should be read. A missing type is read, because the bytes then
 * decide, and so is the generic one of an address like a document's. Data is read only if it is named like an API
 * description; `isOtherData` then checks its bytes.
 */
export function isReadableType(contentType: string, address: string): boolean {
  const type = mediaTypeOf(contentType);
  if (type === '' || type === 'text/plain' || htmlTypes.includes(type) || isDocumentType(type)) return true;
  if (isGenericType(type) && isPlainText(address)) return true;
  return dataTypes.test(type) && apiDescriptionName.test(new URL(address).pathname);
}

/** Returns true for data that is not an API description, regardless of its address. */
export function isOtherData(bytes: Uint8Array, contentType: string, address: string): boolean {
  const type = mediaTypeOf(contentType);
  if (!dataTypes.test(type) || isDocumentType(type)) return false;
  return formatOf(new URL(address).pathname, contentType, bytes.subarray(0, 1024)) !== 'openapi';
}

/**
 * Returns true if the first bytes are binary, regardless of the declared type. UTF-16 with a byte order mark is text.
 */
export function looksBinary(bytes: Uint8Array, contentType: string): boolean {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isUtf16 || /charset\s*=\s*"?utf-(16|32)/i.test(contentType)) return false;
  const head = bytes.subarray(0, 1024);
  const start = String.fromCharCode(...head.subarray(0, 8));
  return head.includes(0) || start.startsWith('%PDF-') || start.startsWith('\x89PNG') || start.startsWith('GIF8');
}

/** Returns true if the bytes start like an HTML document. */
export function looksHtml(bytes: Uint8Array): boolean {
  const start = String.fromCharCode(...bytes.subarray(0, 512));
  return /<(!doctype html|html|head|body|title|meta|script)\b/i.test(start);
}
