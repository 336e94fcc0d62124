import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { type AppParts, createApp } from '#server/http/app.ts';
import { ChangeFeed } from '#server/http/live/change-feed.ts';
import { createStaticFiles, readScriptHashes } from '#server/http/static-files.ts';
import { systemClock } from '#server/platform/clock.ts';
import { freshDatabase } from '../services/database.ts';
import { silentLog } from '../services/log.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';

const hash = 'sha256-9oCE+xxKpYsnEuX0bbtlRx3kvmVvzUwZ2n4dEZqH1nA=';

function builtFolder(): string {
  const folder = join(temporaryFolder(), 'web');
  const files: Record<string, string> = {
    'index.html': '<title>Home</title>',
    '__spa-fallback.html': '<title>Shell</title>',
    'login/index.html': '<title>Login</title>',
    'assets/app-1a2b.js': 'go()',
    'favicon.svg': '<svg/>',
    'csp.json': JSON.stringify({ scriptHashes: [hash] }),
    '../outside.txt': 'a secret',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

async function appOver(folder: string) {
  const app = createApp({
    base: { db: await freshDatabase(), clock: systemClock, log: silentLog },
    authenticators: {
      bySession: async () => undefined,
      byKey: () => Promise.reject(new Error('no keys here')),
      byIdentityToken: () => Promise.reject(new Error('no tokens here')),
      byOperatorToken: () => undefined,
      sessionCookie: 'lectern_session',
    },
    calls: [],
    callables: [],
    // Nobody signs in at a provider here.
    social: {} as AppParts['social'],
    signOn: {} as AppParts['signOn'],
    hosting: {} as AppParts['hosting'],
    pdfParts: () => Promise.reject(new Error('no uploads here')),
    productName: 'Lectern',
    region: 'us-central1',
    feed: new ChangeFeed({ onChange: () => undefined, onGap: () => undefined }),
    health: async () => ({ ready: true }),
    serveStatic: createStaticFiles(folder),
    scriptHashes: await readScriptHashes(folder),
    mounts: [],
    oauth: new Hono(),
    isOwnOrigin: () => true,
    isOwnHost: () => true,
    isHttps: false,
    isTrustedProxy: () => false,
    errorReporter: { report: () => undefined, close: async () => undefined },
    tagOrigin: undefined,
    stopping: new AbortController().signal,
  });
  return (path: string, init?: RequestInit) => app.request(path, init);
}

test('pages are fresh each time, hashed files are kept for ever, unknown paths are the shell', async () => {
  const ask = await appOver(builtFolder());
  const cases: [string, string, string, string][] = [
    ['/', 'Home', 'text/html; charset=utf-8', 'no-cache'],
    ['/login', 'Login', 'text/html; charset=utf-8', 'no-cache'],
    ['/modules/some~thing', 'Shell', 'text/html; charset=utf-8', 'no-cache'],
    ['/assets', 'Shell', 'text/html; charset=utf-8', 'no-cache'],
    ['/favicon.svg', '<svg/>', 'image/svg+xml', 'no-cache'],
    ['/assets/app-1a2b.js', 'go()', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
  ];
  for (const [path, words, type, caching] of cases) {
    const response = await ask(path);
    expect({ path, status: response.status, type: response.headers.get('content-type') }).toEqual({
      path,
      status: 200,
      type,
    });
    expect(response.headers.get('cache-control')).toBe(caching);
    const text = await response.text();
    expect(text).toContain(words);
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
  }
  const head = await ask('/', { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test('text goes out as the build compressed it, to readers that take that, and the answer names what it depends on', async () => {
  const folder = builtFolder();
  const ask = await appOver(folder);
  const plain = 'go();'.repeat(1_000);
  const name = join(folder, 'assets/app-1a2b.js');
  writeFileSync(name, plain);
  writeFileSync(`${name}.br`, brotliCompressSync(plain));
  writeFileSync(`${name}.gz`, gzipSync(plain));
  writeFileSync(join(folder, 'index.html.gz'), gzipSync('<title>Home</title>'));
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync, plain: (bytes: Buffer) => bytes };
  const cases: [string | undefined, keyof typeof decoders][] = [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['GZIP;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0, gzip;q=0', 'plain'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['br;q=much', 'plain'],
    ['identity', 'plain'],
    ['', 'plain'],
    [undefined, 'plain'],
  ];
  const tags = new Set<string | null>();
  for (const [accepted, coding] of cases) {
    const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
    const response = await ask('/assets/app-1a2b.js', { headers });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect({ accepted, coding: response.headers.get('content-encoding') ?? 'plain' }).toEqual({ accepted, coding });
    expect(decoders[coding](bytes).toString()).toBe(plain);
    expect(response.headers.get('content-length')).toBe(String(bytes.byteLength));
    expect(response.headers.get('vary')).toBe('accept-encoding');
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    tags.add(response.headers.get('etag'));
  }
  expect(tags.size).toBe(3);
  const page = await ask('/', { headers: { 'accept-encoding': 'br, gzip' } });
  expect(page.headers.get('content-encoding')).toBe('gzip');
  expect(page.headers.get('content-security-policy')).toContain('script-src');
  expect((await ask('/favicon.svg', { headers: { 'accept-encoding': 'br' } })).headers.get('vary')).toBe(
    'accept-encoding',
  );
});

test('a page that has not changed is not sent again', async () => {
  const folder = builtFolder();
  const ask = await appOver(folder);
  const tag = (await ask('/')).headers.get('etag') ?? '';
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    const response = await ask('/', { headers: { 'if-none-match': known } });
    expect([response.status, await response.text(), response.headers.get('etag')]).toEqual([304, '', tag]);
    expect(response.headers.get('cache-control')).toBe('no-cache');
  }
  expect((await ask('/', { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  writeFileSync(join(folder, 'index.html'), '<title>New home</title>');
  const changed = await ask('/', { headers: { 'if-none-match': tag } });
  expect([changed.status, await changed.text()]).toEqual([200, '<title>New home</title>']);
});

test('a hashed file of another build is not found, and nobody keeps that answer', async () => {
  const ask = await appOver(builtFolder());
  for (const path of ['/assets/app-9z9z.js', '/assets/', '/assets/x/y.css']) {
    const response = await ask(path);
    expect({ path, status: response.status }).toEqual({ path, status: 404 });
    expect(response.headers.get('cache-control')).toBe('no-store');
  }
});

test('no path leads out of the folder', async () => {
  const ask = await appOver(builtFolder());
  const paths = [
    '/../outside.txt',
    '/%2e%2e/outside.txt',
    '/..%2foutside.txt',
    '/%252e%252e%252foutside.txt',
    '/assets/..%2f..%2foutside.txt',
    '/assets/%2e%2e%2f%2e%2e%2foutside.txt',
    '/..%5coutside.txt',
    '/%00/../outside.txt',
    '/outside.txt%00.html',
    '/%zz',
    `/${'x'.repeat(5_000)}`,
    '//etc/passwd',
  ];
  for (const path of paths) {
    const response = await ask(path);
    expect([200, 404]).toContain(response.status);
    expect({ path, text: await response.text() }).not.toMatchObject({ text: expect.stringMatching(/secret|root:/) });
  }
});

test('pages run our own scripts only, and the inline ones the build lists', async () => {
  const ask = await appOver(builtFolder());
  const policy = (await ask('/')).headers.get('content-security-policy') ?? '';
  expect(policy).toContain(`script-src 'self' '${hash}';`);
  for (const rule of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
    expect(policy).toContain(rule);
  expect(policy).not.toContain("script-src 'self' 'unsafe-inline'");
  for (const path of ['/', '/assets/app-1a2b.js', '/api/nothing', '/healthz']) {
    const { headers } = await ask(path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('same-origin');
  }
  expect((await ask('/assets/app-1a2b.js')).headers.get('content-security-policy')).toBeNull();
});

test('without a build there is a sentence that says what to do', async () => {
  const ask = await appOver(join(temporaryFolder(), 'nothing'));
  const response = await ask('/');
  expect(response.status).toBe(404);
  expect(await response.text()).toBe('The browser application is not built. Run ./lectern start once.\n');
});
