import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { appOver, builtFolder } from './built-folder.ts';

const host = 'docs.example.com';

/** Returns the texts of all elements with a name. Throws if the XML is not well-formed. */
function elementsOf(xml: string, name: string): string[] {
  const found: string[] = [];
  let text: string | undefined;
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => {
    if (tag.name === name) text = '';
  });
  parser.on('text', (part) => {
    if (text !== undefined) text += part;
  });
  parser.on('closetag', (tag) => {
    if (tag.name === name && text !== undefined) found.push(text);
    if (tag.name === name) text = undefined;
  });
  parser.write(xml).close();
  return found;
}

test('sitemap, robots.txt, feed and llms.txt name every page by the requested address', async () => {
  const ask = await appOver(builtFolder());
  const read = async (path: string, type: string) => {
    const response = await ask(path, { headers: { host } });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
    const etag = response.headers.get('etag') ?? '';
    const again = await ask(path, { headers: { host, 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    return response.text();
  };
  const map = await read('/sitemap.xml', 'application/xml');
  const paths = ['/', '/mcp', '/blog/one', '/blog/two'];
  expect(elementsOf(map, 'loc')).toEqual(paths.map((path) => `https://${host}${path}`));
  expect(elementsOf(map, 'lastmod')[0]).toBe('2026-03-04');
  expect(await read('/robots.txt', 'text/plain')).toContain(`Sitemap: https://${host}/sitemap.xml`);
  const feed = await read('/blog/rss.xml', 'application/rss+xml');
  expect(elementsOf(feed, 'title')).toEqual(['A & B blog', 'Two', 'One & only']);
  expect(elementsOf(feed, 'guid')).toEqual([`https://${host}/blog/two`, `https://${host}/blog/one`]);
  expect(elementsOf(feed, 'pubDate')[0]).toBe('Tue, 03 Feb 2026 00:00:00 GMT');
  const llms = await read('/llms.txt', 'text/plain');
  expect(llms).toMatch(/^# A & B\n\n> /);
  expect(llms).toContain(`- [MCP](https://${host}/mcp.md): How to "connect".`);
  expect(llms).toContain(`- [Home](https://${host}/index.md)`);
  expect(llms).toContain(`- [Two](https://${host}/blog/two.md): Later, of A & B.`);
  expect(elementsOf(feed, 'description')).toContain('Later, of A & B.');
});

test('every page has a Markdown version, made from the page without its navigation', async () => {
  const folder = builtFolder();
  const ask = await appOver(folder);
  const twin = await ask('/blog/one.md', { headers: { host } });
  expect(twin.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect(twin.headers.get('link')).toBe(`<https://${host}/blog/one>; rel="canonical"`);
  expect(await twin.text()).toBe('# One\n\nThe first & last.\n');
  expect(Number(twin.headers.get('x-markdown-tokens'))).toBeGreaterThan(4);
  writeFileSync(join(folder, 'blog/one/index.html'), '<main><h1>One</h1><p>Changed.</p></main>');
  expect(await (await ask('/blog/one.md', { headers: { host } })).text()).toBe('# One\n\nChanged.\n');
  for (const path of ['/login.md', '/blog/three.md', '/blog.md']) expect((await ask(path)).status).toBe(404);
  rmSync(join(folder, 'blog'), { recursive: true });
  expect((await ask('/blog/one.md')).status).toBe(404);
});

test('the page itself is sent as Markdown on request, and its response varies by Accept', async () => {
  const ask = await appOver(builtFolder());
  const cases: [string | undefined, 'markdown' | 'html'][] = [
    [undefined, 'html'],
    ['*/*', 'html'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'html'],
    ['text/markdown', 'markdown'],
    ['text/markdown, text/html, */*', 'markdown'],
    ['TEXT/Markdown; Q=0.5, */*;q=0.1', 'markdown'],
    ['text/markdown;q=0.5, */*', 'html'],
    ['text/markdown;q=0.5, text/html', 'html'],
    ['text/markdown;q=0', 'html'],
    ['text/markdown;q=lots', 'html'],
    ['text/*', 'html'],
  ];
  const tags = new Set<string | null>();
  for (const [accept, kind] of cases) {
    const headers = { host, ...(accept === undefined ? {} : { accept }) };
    const response = await ask('/mcp', { headers });
    const type = response.headers.get('content-type');
    expect({ accept, type }).toEqual({ accept, type: `text/${kind}; charset=utf-8` });
    expect(response.headers.get('vary')).toBe('accept, accept-encoding');
    tags.add(response.headers.get('etag'));
    const text = await response.text();
    if (kind === 'html') expect(response.headers.get('link')).toContain('</mcp.md>; rel="alternate"');
    else expect(text).toBe(`# MCP\n\nHow to [connect](https://${host}/keys).\n\n\`\`\`\nlectern mcp\n\`\`\`\n`);
  }
  expect(tags.size).toBe(2);
  const other = await ask('/login', { headers: { accept: 'text/markdown' } });
  expect(other.headers.get('content-type')).toBe('text/html; charset=utf-8');
});

test('an address with a trailing slash is the same page', async () => {
  const ask = await appOver(builtFolder());
  for (const accept of ['text/html', 'text/markdown']) {
    const page = await ask('/mcp', { headers: { host, accept } });
    const withSlash = await ask('/mcp/', { headers: { host, accept } });
    // Each request has a different id.
    for (const { headers } of [page, withSlash]) headers.delete('x-request-id');
    expect(Object.fromEntries(withSlash.headers)).toEqual(Object.fromEntries(page.headers));
    expect(await withSlash.text()).toBe(await page.text());
  }
  const other = await ask('/mcpx', { headers: { accept: 'text/markdown' } });
  expect(other.headers.get('content-type')).not.toContain('markdown');
});

test('Markdown is compressed for clients that accept it', async () => {
  const folder = builtFolder();
  const ask = await appOver(folder);
  writeFileSync(join(folder, 'mcp/index.html'), `<main><h1>MCP</h1><p>${'Long. '.repeat(400)}</p></main>`);
  const coded = await ask('/mcp.md', { headers: { 'accept-encoding': 'br' } });
  expect(coded.headers.get('content-encoding')).toBe('br');
  expect(brotliDecompressSync(Buffer.from(await coded.arrayBuffer())).toString()).toContain('Long. Long.');
});
