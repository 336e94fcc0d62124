import { readFile } from 'node:fs/promises';
import { extname, join, normalize, relative, sep } from 'node:path';
import { parse } from 'hono/utils/cookie';
import { markdownPathOf } from '#contract/public-page.ts';
import type { Showcase } from '#contract/try-search.ts';
import { acceptedCodings, CompressedTexts, type StaticCoding } from './public-face/compressed-texts.ts';
import { type InstallationName, withName } from './public-face/installation-name.ts';
import { createPublicTexts, type ToMarkdown } from './public-face/public-texts.ts';
import { isKnown, textAnswer, validators } from './public-face/text-answer.ts';
import { scriptsAt, type WebBuild } from './public-face/web-build.ts';
import { withSearch } from './public-face/written-search.ts';
import { type PublicStatus, withStatus } from './public-face/written-status.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.webm': 'video/webm',
  '.vtt': 'text/vtt; charset=utf-8',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};

/** File names in this folder contain a content hash. */
const hashedFolder = '/assets/';

/** Every page in this folder is prerendered: a missing file is not found, even though a route matches. */
const writtenFolder = '/docs/';

interface StaticFile {
  name: string;
  bytes: Buffer;
}

type ServeStatic = (path: string, headers: Headers) => Promise<Response>;

interface StaticFilesParts {
  /** Folder of the web build. */
  root: string;
  build: WebBuild;
  installation: InstallationName;
  toMarkdown: ToMarkdown;
  /** Returns a search of this installation for its home page; undefined if none is available. */
  showcase(): Promise<Showcase | undefined>;
  /** Returns this installation's state for its status page. */
  status(): Promise<PublicStatus>;
  /** Name of the session cookie of signed-in users. */
  sessionCookie: string;
  /**
   * Returns a page's content security policy: only the application's own resources and inline scripts with these
   * hashes.
   */
  policyOf(scriptHashes: readonly string[]): string;
}

/**
 * Serves the built web application and the texts generated from the list of public pages. Hashed files are immutable,
 * pages are revalidated and sent only if changed, and pages rendered in the browser get the shell. A path without a
 * route gets the not-found page, and an unknown hashed file, which belongs to another build, a plain 404. Files are
 * sent in the build's compressed form if the reader accepts it; pages first get the installation's name.
 */
export function createStaticFiles(parts: StaticFilesParts): ServeStatic {
  const { root, build, installation, toMarkdown, showcase, status, sessionCookie, policyOf } = parts;
  const texts = new CompressedTexts();
  const home = join(root, 'index.html');
  const statusPage = join(root, 'status/index.html');
  const named = async ({ name, bytes }: StaticFile, address: string) => {
    const page = withName(bytes.toString('utf8'), {
      productName: installation.productName,
      address,
      program: installation.programAt(address),
    });
    if (name === home) return withSearch(page, await showcase());
    return name === statusPage ? withStatus(page, await status()) : page;
  };
  const pageAt = async (path: string, address: string) => {
    const file = await fileOf(root, path);
    return file && named(file, address);
  };
  const publicTexts = createPublicTexts({ pages: build.publicPages, installation, texts, toMarkdown, pageAt });
  const publicPaths = new Set(build.publicPages.map(({ path }) => path));

  const answerPage = async (
    page: StaticFile,
    { path, scripts = [] }: { path: string; scripts?: string[] | undefined },
    headers: Headers,
    status: 200 | 404,
  ) => {
    const isPublic = publicPaths.has(path);
    const isOfSomebody = parse(headers.get('cookie') ?? '', sessionCookie)[sessionCookie] !== undefined;
    const link = `<${markdownPathOf(path)}>; rel="alternate"; type="text/markdown"`;
    const text = withPreloads(await named(page, installation.addressAt(headers.get('host') ?? '')), scripts);
    return textAnswer(headers, texts, {
      text: isOfSomebody ? asOfSomebody(text) : text,
      type: types['.html'] ?? '',
      status,
      headers: {
        'content-security-policy': policyOf(build.scriptHashes[relative(root, page.name)] ?? []),
        ...(isPublic ? { link } : { 'x-robots-tag': 'noindex' }),
        ...(isOfSomebody ? { 'cache-control': 'private, no-cache' } : {}),
      },
      vary: isPublic ? ['accept'] : [],
    });
  };
  return async (asked, headers) => {
    const path = asked.endsWith('/') && publicPaths.has(asked.slice(0, -1)) ? asked.slice(0, -1) : asked;
    const made = await publicTexts(path, headers);
    if (made !== undefined) return made;
    const isHashed = path.startsWith(hashedFolder);
    const file = await fileOf(root, path);
    if (file === undefined) {
      if (isHashed) return plainNotFound('File not found.');
      const scripts = scriptsAt(build.routes, decodePath(path));
      const page = await (scripts === undefined ? notFoundOf(root) : shellOf(root));
      if (page === undefined) return plainNotFound('The browser application is not built. Run ./lectern start once.');
      return answerPage(page, { path, scripts }, headers, scripts && !path.startsWith(writtenFolder) ? 200 : 404);
    }
    if (extname(file.name) === '.html') return answerPage(file, { path }, headers, 200);
    return answerFile(file, isHashed, headers);
  };
}

/**
 * Marks a page for a browser that sends a session, valid or not: the page then hides parts for visitors until its
 * scripts know whether the user is signed in.
 */
function asOfSomebody(page: string): string {
  return page.replace('<html ', '<html data-signed-in="" ');
}

/**
 * Preloads the scripts that the page would otherwise discover one after the other, at a lower priority than its styles.
 */
function withPreloads(page: string, scripts: readonly string[]): string {
  const links = scripts.map((script) => `<link rel="modulepreload" fetchpriority="low" href="${script}"/>`);
  return page.replace('</head>', `${links.join('')}</head>`);
}

async function answerFile(file: StaticFile, isHashed: boolean, headers: Headers): Promise<Response> {
  const { bytes, coding } = await codedFile(file, headers.get('accept-encoding'));
  const answer = validators(bytes, ['accept-encoding']);
  if (isHashed) answer['cache-control'] = 'public, max-age=31536000, immutable';
  if (isKnown(answer['etag'] ?? '', headers.get('if-none-match'))) {
    return new Response(null, { status: 304, headers: answer });
  }
  answer['content-type'] = types[extname(file.name)] ?? 'application/octet-stream';
  answer['content-length'] = String(bytes.byteLength);
  if (coding !== undefined) answer['content-encoding'] = coding.name;
  if (answer['content-type'].startsWith('video/')) return answerPart(bytes, answer, headers);
  return new Response(new Uint8Array(bytes), { headers: answer });
}

/** Serves byte ranges: players request only the part they play next, and some cannot play without range support. */
function answerPart(bytes: Buffer, answer: Record<string, string>, headers: Headers): Response {
  // Parts of different file versions would not fit together.
  const isOfThisFile = [null, answer['etag']].includes(headers.get('if-range'));
  const range = rangeOf(isOfThisFile ? headers.get('range') : null, bytes.byteLength);
  const whole = { ...answer, 'accept-ranges': 'bytes' };
  if (range === undefined) return new Response(new Uint8Array(bytes), { headers: whole });
  if (range === 'unsatisfiable') {
    return new Response(null, { status: 416, headers: { 'content-range': `bytes */${bytes.byteLength}` } });
  }
  const part = new Uint8Array(bytes.subarray(range.from, range.to + 1));
  const place = `bytes ${range.from}-${range.to}/${bytes.byteLength}`;
  return new Response(part, {
    status: 206,
    headers: { ...whole, 'content-length': String(part.byteLength), 'content-range': place },
  });
}

function plainNotFound(reason: string): Response {
  return new Response(`${reason}\n`, { status: 404, headers: { 'cache-control': 'no-store' } });
}

/** Returns the build's compressed file in an encoding the reader accepts; otherwise the plain file. */
async function codedFile(
  file: StaticFile,
  acceptEncoding: string | null,
): Promise<{ bytes: Buffer; coding?: StaticCoding }> {
  for (const coding of acceptedCodings(acceptEncoding)) {
    const coded = await regularFile(file.name + coding.suffix);
    if (coded !== undefined) return { bytes: coded.bytes, coding };
  }
  return { bytes: file.bytes };
}

async function fileOf(root: string, path: string): Promise<StaticFile | undefined> {
  const name = normalize(join(root, decodePath(path)));
  if (name !== root && !name.startsWith(root + sep)) return undefined;
  return (await regularFile(name)) ?? (await regularFile(join(name, 'index.html')));
}

/** Returns the not-found page from the build. */
async function notFoundOf(root: string): Promise<StaticFile | undefined> {
  return (await regularFile(join(root, '__not-found.html'))) ?? shellOf(root);
}

async function shellOf(root: string): Promise<StaticFile | undefined> {
  return (await regularFile(join(root, '__spa-fallback.html'))) ?? (await regularFile(join(root, 'index.html')));
}

async function regularFile(name: string): Promise<StaticFile | undefined> {
  try {
    return { name, bytes: await readFile(name) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'].includes(code)) return undefined;
    throw error;
  }
}

/** A path without a file or a route. */
const unreadablePath = '/%';

function decodePath(path: string): string {
  try {
    const decoded = decodeURIComponent(path);
    return decoded.includes('\0') ? unreadablePath : decoded;
  } catch {
    return unreadablePath;
  }
}

/** The requested byte range of a file, both ends inclusive. */
export interface ByteRange {
  from: number;
  to: number;
}

/**
 * Parses a `Range` header (RFC 9110, section 14.2) for a file of `size` bytes. Returns undefined if the whole file
 * should be sent: without a header, for several ranges, or for other units, which a server may ignore. Returns
 * `unsatisfiable` if the file has none of the requested bytes.
 */
export function rangeOf(header: string | null, size: number): ByteRange | 'unsatisfiable' | undefined {
  const asked = /^bytes=(\d*)-(\d*)$/.exec(header?.replaceAll(' ', '') ?? '');
  if (asked === null) return undefined;
  const [, first = '', last = ''] = asked;
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { from: size - length, to: size - 1 };
  }
  const from = Number(first);
  if (last !== '' && Number(last) < from) return undefined;
  if (from >= size) return 'unsatisfiable';
  return { from, to: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
