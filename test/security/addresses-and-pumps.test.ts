import { URL as ImportedUrl } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { searchEndpoints } from '#contract/search.ts';
import { parseSitemap } from '#server/ingest/crawl/list-file.ts';
import { parseRobots } from '#server/ingest/crawl/robots-rules.ts';
import { createParsePool, ParseError } from '#server/ingest/parse/index.ts';
import { openHttpRig, rawRequest } from '../http/http-rig.ts';
import { attacksOf } from '../services/attacks.ts';
import { type Pump, textOfPump } from '../services/pumps.ts';

interface UrlCase {
  id: string;
  class: string;
  input: string;
  base: string | null;
  href?: string;
}
const addresses = attacksOf<UrlCase>('url-parsing.jsonl');
const pumps = attacksOf<Pump>('text-pumps.jsonl');
const size = 16_000;
const textOf = (pump: Pump, n = size) => textOfPump(pump, n);
const ofClass = (...classes: string[]) =>
  pumps.filter((pump) => classes.includes(pump.class) && pump.parts !== undefined);

describe.skipIf(addresses.length === 0)('the URL parser', () => {
  test('is the platform’s, and parses the listed addresses like browsers', () => {
    expect(URL).toBe(ImportedUrl);
    const wrong = addresses.filter(({ input, base, href }) => {
      const parsed = base === null ? URL.parse(input) : URL.parse(input, base);
      return (parsed?.href ?? undefined) !== href;
    });
    // The platform itself passed 98 % when the list was made.
    expect([wrong.length / addresses.length <= 0.02, wrong.map(({ id }) => id)]).toEqual([true, expect.anything()]);
  });
});

/** File names that make the pool read a text with each of its parsers. */
const files: Record<string, [name: string, contentType: string][]> = {
  markdown: [['a.md', 'text/markdown']],
  html: [['a.html', 'text/html']],
  code: [
    ['a.ts', 'text/plain'],
    ['a.py', 'text/plain'],
  ],
  other: [
    ['a.adoc', 'text/plain'],
    ['a.rst', 'text/plain'],
    ['a.md', 'text/markdown'],
  ],
  rss: [['a.xml', 'application/rss+xml']],
  sitemap: [['a.xml', 'application/xml']],
};

describe.skipIf(pumps.length === 0)('slow-to-parse texts', () => {
  const pool = createParsePool({ size: 2 });
  afterAll(() => pool.close());

  test('are parsed in a separate thread in a few seconds, or fail with a reason, and the process stays responsive', async () => {
    let ticks = 0;
    const ticking = setInterval(() => (ticks += 1), 20);
    const tried = Object.keys(files).flatMap((one) => ofClass(one));
    expect(tried.length).toBeGreaterThan(40);
    const outcomes: string[] = [];
    for (const pump of tried) {
      for (const [name, contentType] of files[pump.class] ?? []) {
        const url = `https://docs.example/${name}`;
        const bytes = new TextEncoder().encode(textOf(pump));
        const outcome = await pool.parse({ url, bytes, contentType }).then(
          () => 'read',
          (error: unknown) => (error instanceof ParseError ? error.code : String(error)),
        );
        outcomes.push(`${pump.id} ${name}: ${outcome}`);
      }
    }
    clearInterval(ticking);
    // Every error has one of the pool's codes; the time limit has a separate test.
    expect(outcomes.filter((one) => !/: (read|parse-[a-z-]+|no-[a-z-]+|[a-z]+(-[a-z]+)+)$/.test(one))).toEqual([]);
    expect(outcomes.filter((one) => /timeout|too-slow/.test(one))).toEqual([]);
    expect(ticks).toBeGreaterThan(10);
  }, 240_000);

  test('are handled as robots rules, sitemaps, addresses, queries and headers', async () => {
    for (const pump of ofClass('robots')) expect(parseRobots(textOf(pump), 'Lectern').isAllowed('/x')).toBeDefined();
    for (const pump of ofClass('sitemap', 'rss')) {
      expect(parseSitemap(new TextEncoder().encode(textOf(pump)))).toBeDefined();
    }
    for (const pump of ofClass('url')) expect(URL.canParse(textOf(pump))).toBeTypeOf('boolean');
    const rig = await openHttpRig();
    const ask = async (path: string, headers: Record<string, string> = {}) =>
      (await rawRequest(rig.port, { path, headers })).status;
    for (const pump of ofClass('query', 'url', 'other')) {
      const text = encodeURIComponent(textOf(pump, 600).slice(0, 2_000));
      const search = `${searchEndpoints.search.path}?query=${text}`;
      expect([pump.id, await ask(search)]).toEqual([pump.id, 200]);
      expect([pump.id, (await ask(`/api/read?url=${text}`)) !== 500]).toEqual([pump.id, true]);
    }
    for (const name of [
      'accept',
      'content-type',
      'if-modified-since',
      'cookie',
      'accept-language',
      'x-forwarded-for',
      'range',
    ]) {
      for (const pump of ofClass('other')) {
        const value = textOf(pump, 2_000)
          .replace(/[^\x20-\x7e]/g, ' ')
          .slice(0, 12_000);
        const status = await ask('/api/session', { [name]: value });
        expect([pump.id, name, status < 500]).toEqual([pump.id, name, true]);
      }
    }
  }, 120_000);
});
