import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createApp } from '#server/http/app.ts';
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
      byOperatorToken: () => undefined,
    },
    calls: [],
    subscribe: () => () => undefined,
    health: async () => ({ ready: true }),
    serveStatic: createStaticFiles(folder),
    scriptHashes: await readScriptHashes(folder),
    mounts: [],
    isOwnOrigin: () => true,
    isOwnHost: () => true,
    isHttps: false,
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
