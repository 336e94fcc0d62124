import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { acceptedCodings, type StaticCoding } from './static-encoding.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};

/** Names in here carry the hash of their content. */
const hashedFolder = '/assets/';

interface StaticFile {
  name: string;
  bytes: Buffer;
}

type ServeStatic = (path: string, headers: Headers) => Promise<Response>;

/**
 * Serves the built browser application: hashed files for ever, pages asked about each time and sent only when they have
 * changed, unknown paths as the shell, which finds out itself what they mean. An unknown hashed file is one of another
 * build, and not found. Text goes out as the build has compressed it, where the reader takes that.
 */
export function createStaticFiles(root: string): ServeStatic {
  return async (path, headers) => {
    const isHashed = path.startsWith(hashedFolder);
    const file = (await fileOf(root, path)) ?? (isHashed ? undefined : await shellOf(root));
    if (file === undefined) {
      const reason = isHashed
        ? 'There is no such file.'
        : 'The browser application is not built. Run ./lectern start once.';
      return new Response(`${reason}\n`, { status: 404, headers: { 'cache-control': 'no-store' } });
    }
    const { bytes, coding } = await codedFile(file, headers.get('accept-encoding'));
    const etag = `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;
    const answer: Record<string, string> = {
      'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      vary: 'accept-encoding',
      etag,
    };
    if (isKnown(etag, headers.get('if-none-match'))) return new Response(null, { status: 304, headers: answer });
    answer['content-type'] = types[extname(file.name)] ?? 'application/octet-stream';
    answer['content-length'] = String(bytes.byteLength);
    if (coding !== undefined) answer['content-encoding'] = coding.name;
    return new Response(new Uint8Array(bytes), { headers: answer });
  };
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

function isKnown(etag: string, ifNoneMatch: string | null): boolean {
  // A proxy that compresses on its way marks the tag as weak.
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}

/** Hashes (`sha256-…`) of the inline scripts in the built pages; none when there is no build. */
export async function readScriptHashes(root: string): Promise<string[]> {
  const file = await regularFile(join(root, 'csp.json'));
  if (file === undefined) return [];
  return (JSON.parse(file.bytes.toString('utf8')) as { scriptHashes: string[] }).scriptHashes;
}

async function fileOf(root: string, path: string): Promise<StaticFile | undefined> {
  const name = normalize(join(root, decodePath(path)));
  if (name !== root && !name.startsWith(root + sep)) return undefined;
  return (await regularFile(name)) ?? (await regularFile(join(name, 'index.html')));
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

function decodePath(path: string): string {
  try {
    const decoded = decodeURIComponent(path);
    return decoded.includes('\0') ? '/' : decoded;
  } catch {
    // A path that is not valid percent-encoding names no file.
    return '/';
  }
}
