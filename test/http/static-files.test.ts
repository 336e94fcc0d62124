import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { placeholders } from '#contract/public-page.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { appOver, builtFolder, hash } from './built-folder.ts';

test('pages are revalidated, hashed files are cached forever, and screens get the shell', async () => {
  const ask = await appOver(builtFolder());
  const cases: [string, string, string, string][] = [
    ['/', 'Home', 'text/html; charset=utf-8', 'no-cache'],
    ['/login', 'Login', 'text/html; charset=utf-8', 'no-cache'],
    ['/modules/some~thing', 'Shell', 'text/html; charset=utf-8', 'no-cache'],
    ['/sign-in', 'Shell', 'text/html; charset=utf-8', 'no-cache'],
    ['/document/a/b/c', 'Shell', 'text/html; charset=utf-8', 'no-cache'],
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

test('a screen lists the scripts that it loads next', async () => {
  const ask = await appOver(builtFolder());
  const link = '<link rel="modulepreload" fetchpriority="low" href="/assets/module-1a2b.js"/></head>';
  expect(await (await ask('/modules/some~thing')).text()).toContain(link);
  expect(await (await ask('/document/a')).text()).not.toContain('modulepreload');
});

test('a page is marked for a browser with a session, and then is not cached elsewhere', async () => {
  const folder = builtFolder();
  writeFileSync(join(folder, 'index.html'), '<!DOCTYPE html><html lang="en"><body>Home</body></html>');
  const ask = await appOver(folder);
  const asked = async (cookie: string, more: Record<string, string> = {}) => {
    const response = await ask('/', { headers: { cookie, ...more } });
    const { headers, status } = response;
    return { status, text: await response.text(), kept: headers.get('cache-control'), etag: headers.get('etag') ?? '' };
  };
  const visitor = await asked('other=1; lectern_session_of=another');
  expect(visitor).toMatchObject({ text: expect.not.stringContaining('data-signed-in'), kept: 'no-cache' });
  const person = await asked('other=1; lectern_session=token', { 'if-none-match': visitor.etag });
  expect(person).toMatchObject({
    status: 200,
    text: expect.stringContaining('<html data-signed-in="" lang="en">'),
    kept: 'private, no-cache',
  });
  expect(person.text).not.toContain('token');
  expect(await asked('lectern_session=token', { 'if-none-match': person.etag })).toMatchObject({ status: 304 });
});

test('text is sent precompressed to clients that accept it, with a matching Vary header', async () => {
  const folder = builtFolder();
  const ask = await appOver(folder);
  const plain = 'go();'.repeat(1_000);
  const name = join(folder, 'assets/app-1a2b.js');
  writeFileSync(name, plain);
  writeFileSync(`${name}.br`, brotliCompressSync(plain));
  writeFileSync(`${name}.gz`, gzipSync(plain));
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
  expect((await ask('/favicon.svg', { headers: { 'accept-encoding': 'br' } })).headers.get('vary')).toBe(
    'accept-encoding',
  );
});

test('a page names the installation and the requested address, compressed or not', async () => {
  const folder = builtFolder();
  const ask = await appOver(folder);
  const { productName, address } = placeholders;
  writeFileSync(join(folder, 'index.html'), `<title>${productName}</title>${address}/mcp`.repeat(100));
  const words = '<title>A &amp; B</title>https://docs.example.com/mcp'.repeat(100);
  const host = 'docs.example.com';
  const plain = await ask('/', { headers: { host } });
  expect(await plain.text()).toBe(words);
  expect(plain.headers.get('content-security-policy')).toContain('script-src');
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
  for (const coding of ['br', 'gzip'] as const) {
    // The second response comes from the cache.
    for (const _ of [1, 2]) {
      const coded = await ask('/', { headers: { host, 'accept-encoding': coding } });
      expect(coded.headers.get('content-encoding')).toBe(coding);
      expect(decoders[coding](Buffer.from(await coded.arrayBuffer())).toString()).toBe(words);
    }
  }
  const elsewhere = await ask('/', { headers: { host: 'other.example.com', 'accept-encoding': 'br' } });
  expect(brotliDecompressSync(Buffer.from(await elsewhere.arrayBuffer())).toString()).toContain('other.example.com');
});

test('an unchanged page is not sent again', async () => {
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

test('a path without a route returns 404 with the error page', async () => {
  const ask = await appOver(builtFolder());
  for (const path of [
    '/assets',
    '/modules',
    '/modules/a/b',
    '/sign-in/a/b',
    '/login/more',
    '/nothing.html',
    '/%zz/x',
  ]) {
    const response = await ask(path);
    expect({ path, status: response.status, text: await response.text() }).toEqual({
      path,
      status: 404,
      text: '<title>Nothing</title>',
    });
    expect(response.headers.get('x-robots-tag')).toBe('noindex');
  }
});

test('pages and files refuse other methods with 405, and unknown paths return 404', async () => {
  const ask = await appOver(builtFolder());
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    for (const path of ['/', '/login', '/blog/one', '/assets/app-1a2b.js']) {
      const { status, headers } = await ask(path, { method });
      expect([method, path, status, headers.get('allow')]).toEqual([method, path, 405, 'GET, HEAD']);
    }
    const { status, headers } = await ask('/nothing.html', { method });
    expect([status, headers.get('allow')]).toEqual([404, null]);
  }
  expect((await ask('/login', { method: 'HEAD' })).status).toBe(200);
});

test('a hashed file of another build returns 404, and the response is not cached', async () => {
  const ask = await appOver(builtFolder());
  for (const path of ['/assets/app-9z9z.js', '/assets/', '/assets/x/y.css']) {
    const response = await ask(path);
    expect({ path, status: response.status }).toEqual({ path, status: 404 });
    expect(response.headers.get('cache-control')).toBe('no-store');
  }
});

test('no path can leave the folder', async () => {
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

test('pages run only the site’s scripts and the inline scripts listed in the build', async () => {
  const ask = await appOver(builtFolder());
  expect((await ask('/login')).headers.get('content-security-policy')).toContain("script-src 'self';");
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

test('without a build, a sentence says what to do', async () => {
  const ask = await appOver(join(temporaryFolder(), 'nothing'));
  const response = await ask('/');
  expect(response.status).toBe(404);
  expect(await response.text()).toBe('The browser application is not built. Run ./lectern start once.\n');
});

test('a video is sent in the requested range, and completely if the range is of another version', async () => {
  const folder = builtFolder();
  writeFileSync(join(folder, 'film.webm'), '0123456789');
  const ask = await appOver(folder);
  const whole = await ask('/film.webm');
  const etag = whole.headers.get('etag') ?? '';
  expect([whole.status, whole.headers.get('accept-ranges'), await whole.text()]).toEqual([200, 'bytes', '0123456789']);
  const part = async (headers: Record<string, string>) => {
    const response = await ask('/film.webm', { headers });
    const { status } = response;
    const text = await response.text();
    return [status, response.headers.get('content-range'), response.headers.get('content-length'), text];
  };
  expect(await part({ range: 'bytes=2-4' })).toEqual([206, 'bytes 2-4/10', '3', '234']);
  expect(await part({ range: 'bytes=2-4', 'if-range': etag })).toEqual([206, 'bytes 2-4/10', '3', '234']);
  expect(await part({ range: 'bytes=2-4', 'if-range': '"other"' })).toEqual([200, null, '10', '0123456789']);
  expect(await part({ range: 'bytes=10-' })).toEqual([416, 'bytes */10', null, '']);
  expect((await ask('/favicon.svg', { headers: { range: 'bytes=0-1' } })).status).toBe(200);
});
