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

/** Names in here carry the hash of their content. */
const hashedFolder = '/assets/';

/** Every page in here is written at build time: what is not there is not found, though there is a route. */
const writtenFolder = '/docs/';

interface StaticFile {
  name: string;
  bytes: Buffer;
}

type ServeStatic = (path: string, headers: Headers) => Promise<Response>;

interface StaticFilesParts {
  /** Folder of the build. */
  root: string;
  build: WebBuild;
  installation: InstallationName;
  toMarkdown: ToMarkdown;
  /** A search of this installation for its home page; undefined when none can be had now. */
  showcase(): Promise<Showcase | undefined>;
  /** How this installation is, for its status page. */
  status(): Promise<PublicStatus>;
  /** Name of the cookie that browsers of people who signed in send. */
  sessionCookie: string;
  /** What a page may load and run, beside the inline scripts with these hashes nothing but the application's own. */
  policyOf(scriptHashes: readonly string[]): string;
}

/**
 * Serves the built browser application and what is made from the list of public pages: hashed files for ever, pages
 * asked about each time and sent only when they have changed, screens that are made in the browser as the shell. A path
 * without a route is not found, with the page that says so. An unknown hashed file is one of another build, and not
 * found. Files go out as the build has compressed them, where the reader takes that; pages are given the name of the
 * installation first.
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

/** The page of a browser that sends a session, no matter who's and whether it still holds: it waits for no sign to ask whose. */
function asOfSomebody(page: string): string {
  return page.replace('<html ', '<html data-signed-in="" ');
}

/** Has the browser fetch at once what the page's scripts would find one after the other; what it is painted with goes first. */
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

/** Players ask for the parts they show next; some play nothing from a server that always sends the whole. */
function answerPart(bytes: Buffer, answer: Record<string, string>, headers: Headers): Response {
  // Parts of a file that has changed would not fit together.
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

/** The file as the build compressed it, where the reader takes one of the codings there are; else as it is. */
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

/** Written by the build from the page that says that there is nothing at an address. */
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

/** Names no file and has no route. */
const unreadablePath = '/%';

function decodePath(path: string): string {
  try {
    const decoded = decodeURIComponent(path);
    return decoded.includes('\0') ? unreadablePath : decoded;
  } catch {
    return unreadablePath;
  }
}

/** The bytes of a file that a reader asks for; both ends are included. */
export interface ByteRange {
  from: number;
  to: number;
}

/**
 * Reads a `Range` header (RFC 9110, section 14.2) for a file of `size` bytes. Undefined where the whole file is the answer:
 * without a header, and for several ranges or other units, which a server may pass over. `unsatisfiable` when the file
 * has none of the requested bytes.
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
