import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Pump, textOfPump } from '#test/services/pumps.ts';
import { until } from '#test/services/until.ts';
import { createParsePool, type ParsedPage, ParseError, type ParsePool } from './index.ts';
import type { ParsePoolOptions } from './parse-pool.ts';

const shared = process.env.LECTERN_SHARED ?? '../shared';
const pumpFile = `${shared}/security/text-pumps.jsonl`;
const url = 'https://docs.example/guide/start';
const pools: ParsePool[] = [];

function pool(options: Partial<ParsePoolOptions> = {}): ParsePool {
  const created = createParsePool({ size: 1, ...options });
  pools.push(created);
  return created;
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((one) => one.close()));
});

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const markdown = (text: string) => ({ url, bytes: bytesOf(text), contentType: 'text/markdown' });

async function codeOf(parsing: Promise<ParsedPage>): Promise<string> {
  return parsing.then(
    () => 'parsed',
    (error: unknown) => (error instanceof ParseError ? error.code : `not a parse error: ${String(error)}`),
  );
}

const threadCount = () => (process.report.getReport() as { workers: unknown[] }).workers.length;

describe('a pool that must use less memory', { timeout: 120_000 }, () => {
  it('keeps one thread', async () => {
    const before = threadCount();
    const two = pool({ size: 2, watchProcessors: () => () => true, patienceMs: 1, waitingMax: 1000 });
    expect(await mostThreads(two)).toBe(before + 2);
    await until(
      'both threads are free',
      async () => {
        await two.shrink();
        return threadCount() === before + 1;
      },
      60_000,
    );
  });

  it('ends threads with a large heap, finishes the current page and parses the next one', async () => {
    const before = threadCount();
    const one = pool({ smallHeapMegabytes: 0 });
    await one.parse(markdown('# One'));
    const underWay = one.parse(markdown('# Two'));
    await one.shrink();
    expect((await underWay).title).toBe('Two');
    await one.shrink();
    expect(threadCount()).toBe(before);
    expect((await one.parse(markdown('# Three'))).title).toBe('Three');
  });
});

describe('the threads of a pool', { timeout: 120_000 }, () => {
  it('end when idle and start again', async () => {
    const before = threadCount();
    const one = pool({ idleMs: 20 });
    await one.parse(markdown('# One'));
    await until('the thread is gone', () => threadCount() === before, 60_000);
    expect((await one.parse(markdown('# Two'))).title).toBe('Two');
  });

  it('are joined by another if pages wait and a processor is idle, up to the pool size', async () => {
    const before = threadCount();
    const most = await mostThreads(
      pool({ size: 2, watchProcessors: () => () => true, patienceMs: 1, waitingMax: 1000 }),
    );
    expect(most).toBe(before + 2);
  });

  it('are joined by another if a page delays the others', async () => {
    const before = threadCount();
    const two = pool({ size: 2, watchProcessors: () => () => false, patienceMs: 20 });
    await two.parse(markdown('# First'));
    const slow = codeOf(two.parse({ url, bytes: bytesOf('<b><i><a href=x>word '.repeat(400_000)), format: 'html' }));
    const next = two.parse(markdown('# Next'));
    await until('there is another thread', () => threadCount() === before + 2, 60_000);
    expect((await next).title).toBe('Next');
    await two.close();
    await slow;
  });

  it('stay one while no processor is idle', async () => {
    const before = threadCount();
    const most = await mostThreads(
      pool({ size: 2, watchProcessors: () => () => false, patienceMs: 60_000, waitingMax: 1000 }),
    );
    expect(most).toBe(before + 1);
  });
});

async function mostThreads(many: ParsePool): Promise<number> {
  let most = 0;
  const pages = Array.from({ length: 40 }, async (_, index) => {
    await many.parse(markdown('# Page'));
    if (index % 8 === 7) most = Math.max(most, threadCount());
  });
  await Promise.all(pages);
  return most;
}

describe('a page', () => {
  const one = createParsePool({ size: 1 });
  afterAll(() => one.close());

  it('yields snippets, links and the hash of its bytes', async () => {
    const text = '# Start\n\n## Install\n\nRun `npm i` as in [the manual](../manual).\n';
    const page = await one.parse(markdown(text));
    expect(page.title).toBe('Start');
    expect(page.format).toBe('markdown');
    expect(page.snippets.map((snippet) => snippet.text)).toEqual([
      '# Start\n\n## Install\n\nRun `npm i` as in the manual.',
    ]);
    expect(page.links).toMatchObject([{ url: 'https://docs.example/manual' }]);
    expect(page.contentHash).toBe(createHash('sha256').update(text).digest('hex'));
  });

  it('is read in the format that its server or its name states', async () => {
    const formatOf = async (contentType: string | undefined, path: string, text: string): Promise<string> =>
      (await one.parse({ url, bytes: bytesOf(text), contentType, path })).format;
    expect(await formatOf('text/html; charset=utf-8', '/a', '<p>Text')).toBe('html');
    expect(await formatOf('text/plain', '/a/b.md', 'Text')).toBe('markdown');
    expect(await formatOf('text/plain', '/llms-full.txt', 'Text')).toBe('markdown');
    expect(await formatOf(undefined, '/a.rst', 'Text')).toBe('rst');
    expect(await formatOf('application/json', '/a', '{}')).toBe('code');
    expect(await formatOf(undefined, '/a', '<!doctype html><p>Text')).toBe('html');
  });

  it('that is not text is refused with its type', async () => {
    const parsing = one.parse({ url, bytes: new Uint8Array([0x89, 0x50, 0, 0]), contentType: 'image/png' });
    await expect(parsing).rejects.toMatchObject({
      code: 'unsupported-type',
      message: expect.stringContaining('image/png'),
    });
  });

  it('written as XHTML keeps the text after elements that close themselves', async () => {
    const doctype = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">';
    for (const empty of ['<iframe src="a.html" title="A"/>', '<script src="a.js"/>', '<textarea name="q" />']) {
      const text = `${doctype}\n<html><head><title>T</title></head><body><h1>T</h1>${empty}<p>All the text.</p></body></html>`;
      const { snippets } = await one.parse({ url, bytes: bytesOf(text), contentType: 'text/html' });
      expect(snippets[0]?.text, empty).toContain('All the text.');
    }
  });

  it('in an old encoding keeps its letters', async () => {
    const page = await one.parse({
      url,
      bytes: new Uint8Array([0x63, 0x61, 0x66, 0xe9]),
      contentType: 'text/plain; charset=iso-8859-1',
    });
    expect(page.snippets[0]?.text).toBe('café');
  });

  it('has no embedded images or sounds, in any format', async () => {
    const data = 'iVBORw0KGgo/'.repeat(300);
    const picture = `data:image/png;base64,${data}`;
    const sound = `data:audio/x-wav;codecs=1;base64,${data}`;
    const cell = { cell_type: 'markdown', metadata: {}, source: [`Before.\n\n<img src="${picture}" />\n\nAfter.`] };
    const pages: [path: string, text: string][] = [
      ['a.md', `Before.\n\n<img src="${picture}" />\n\n<audio>\n  <source src="${sound}">\n</audio>\n\nAfter.`],
      ['a.adoc', `Before.\n\nimage::${picture}[]\n\nAfter.`],
      ['a.rst', `Before.\n\n.. image:: ${picture}\n\nAfter.`],
      ['a.txt', `Before.\n\n${picture}\n\nAfter.`],
      ['a.ipynb', JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells: [cell] })],
      ['a.html', `<h1>T</h1><p>Before.</p><pre>${picture}</pre><p>After.</p>`],
    ];
    for (const [path, text] of pages) {
      const { snippets } = await one.parse({ url, path, bytes: bytesOf(text) });
      const shown = snippets.map((snippet) => snippet.text).join('\n');
      expect(shown, path).toMatch(/Before\.[^]*After\./);
      expect(shown, path).not.toContain('iVBORw0KGgo/iVBORw0KGgo/');
    }
    const example = await one.parse(markdown('`url(data:image/gif;base64,R0lGODlhAQABAAAAACw=)`'));
    expect(example.snippets[0]?.text).toBe('`url(data:image/gif;base64,R0lGODlhAQABAAAAACw=)`');
  });

  it('given as part of a larger buffer is read without the rest', async () => {
    const whole = bytesOf('secret # Title');
    const page = await one.parse({ url, bytes: whole.subarray(7), contentType: 'text/markdown' });
    expect(page.snippets[0]?.text).toBe('# Title');
    expect(whole.byteLength).toBe(14);
  });
});

describe('a failing page', () => {
  it('that takes too long fails alone', async () => {
    // The next page goes to a new thread, which takes more than a second on a busy machine.
    const one = pool({ timeoutMs: 3_000 });
    const slow = one.parse({ url, bytes: bytesOf('<b><i><a href=x>word '.repeat(400_000)), contentType: 'text/html' });
    const next = one.parse(markdown('# Next'));
    expect(await Promise.all([codeOf(slow), next])).toMatchObject(['parse-timeout', { title: 'Next' }]);
  });

  it('that needs too much memory fails alone', async () => {
    const one = pool({ heapMegabytesMax: 100 });
    const large = one.parse({ url, bytes: bytesOf('<p><b>a</b><i>b</i>'.repeat(1_500_000)), contentType: 'text/html' });
    const next = one.parse(markdown('# Next'));
    expect(await Promise.all([codeOf(large), next])).toMatchObject(['parse-memory', { title: 'Next' }]);
  });

  it('that repeats a long name in every passage fails alone', async () => {
    const one = pool();
    const signature = bytesOf(`Title\n=====\n\n.. cpp:function:: ${'a<'.repeat(150_000)}\n`);
    const large = one.parse({ url, bytes: signature, format: 'rst' });
    const next = one.parse(markdown('# Next'));
    expect(await Promise.all([codeOf(large), next])).toMatchObject(['parse-memory', { title: 'Next' }]);
  });

  it('ends within its limits regardless of nesting', async () => {
    const one = pool();
    const bombs = [
      '<div>'.repeat(100_000),
      '<table><tr><td>'.repeat(20_000),
      `<a ${Array.from({ length: 100_000 }, (_, index) => `a${index}=x`).join(' ')}>`,
      `<table><tr><td colspan=1000000 rowspan=65000>x${'<tr><td colspan=1000>y'.repeat(1000)}`,
      '<ul><li>'.repeat(50_000),
      '<dl><dt id=a>x<dd>'.repeat(20_000),
    ];
    for (const bomb of bombs) {
      expect(['parsed', 'parse-timeout', 'parse-memory']).toContain(
        await codeOf(one.parse({ url, bytes: bytesOf(bomb), contentType: 'text/html' })),
      );
    }
    expect((await one.parse(markdown('# Next'))).title).toBe('Next');
  }, 150_000);
});

describe('a pool', () => {
  it('parses many pages concurrently and returns the right result for each', async () => {
    const two = pool({ size: 2, waitingMax: 100 });
    const titles = Array.from({ length: 60 }, (_, index) => `Page ${index}`);
    const pages = await Promise.all(titles.map((title) => two.parse(markdown(`# ${title}`))));
    expect(pages.map((page) => page.title)).toEqual(titles);
  });

  it('refuses pages beyond its queue and signals when there is room', async () => {
    const one = pool({ waitingMax: 1 });
    const first = one.parse(markdown('# First'));
    expect(await codeOf(one.parse(markdown('# Second')))).toBe('parse-busy');
    await one.whenRoom();
    const second = one.parse(markdown('# Second'));
    expect([(await first).title, (await second).title]).toEqual(['First', 'Second']);
  });

  it('accepts pages of an owner while another fills the queue, and parses them next to slow ones', async () => {
    // Time runs faster, so that a page that takes seconds counts as slow immediately.
    const one = pool({ patienceMs: 20, nowMs: () => 100 * performance.now() });
    await one.parse(markdown('# First'));
    const slow = () => ({ url, bytes: bytesOf('<b><i><a href=x>word '.repeat(400_000)), format: 'html' as const });
    const ended: string[] = [];
    const ofSlow = Array.from({ length: 3 }, () =>
      codeOf(one.parse(slow(), undefined, 'slow')).then((code) => ended.push(code)),
    );
    const more = Array.from({ length: 3 }, () => codeOf(one.parse(markdown('# More'), undefined, 'slow')));
    expect(await more[2]).toBe('parse-busy');
    expect(await codeOf(one.parse(markdown('# Other'), undefined, 'other'))).toBe('parsed');
    expect(ended).toEqual([]);
    await one.close();
    await Promise.all([...ofSlow, ...more]);
  });

  it('drops a page that is no longer wanted', async () => {
    const one = pool({ waitingMax: 1 });
    const controller = new AbortController();
    const unwanted = one.parse(markdown('# Unwanted'), controller.signal);
    controller.abort(new Error('cancelled'));
    const wanted = one.parse(markdown('# Wanted'));
    await expect(unwanted).rejects.toThrow('cancelled');
    expect((await wanted).title).toBe('Wanted');
    await expect(one.parse(markdown('# Late'), controller.signal)).rejects.toThrow('cancelled');
  });

  it('refuses queued and running pages when closed', async () => {
    const one = pool();
    const waiting = [codeOf(one.parse(markdown('# a'))), codeOf(one.parse(markdown('# b')))];
    await one.close();
    expect(await Promise.all(waiting)).toEqual(['parse-closed', 'parse-closed']);
    expect(await codeOf(one.parse(markdown('# c')))).toBe('parse-closed');
  });
});

describe('resolving includes of a text', () => {
  const including = (lines: string, read: (path: string) => Promise<string | undefined>) => ({
    ...{ bytes: bytesOf(lines), path: 'docs/page.md', format: 'markdown' as const, read },
  });
  const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

  it('reads each file once and leaves the text to the caller', async () => {
    const asked: string[] = [];
    const input = including('{{#include a.md}}\n{{#include a.md}}\n{{#include none.md}}', async (path) => {
      asked.push(path);
      return path === 'docs/a.md' ? 'Oil the lamp.' : undefined;
    });
    const one = pool();
    expect(textOf(await one.include(input))).toBe('Oil the lamp.\nOil the lamp.\n{{#include none.md}}');
    expect(new Set(asked).size).toBe(asked.length);
    const plain = including('No include.', async () => undefined);
    expect(await one.include(plain)).toBe(plain.bytes);
    expect(textOf(input.bytes)).toMatch(/^{{#include a/);
  });

  it('queues many texts', async () => {
    const one = pool({ waitingMax: 1 });
    const all = Array.from({ length: 8 }, (_, at) => including('{{#include a.md}}', async () => `Lamp ${at}`));
    const texts = await Promise.all(all.map((input) => one.include(input)));
    expect(texts.map(textOf)).toEqual(all.map((_, at) => `Lamp ${at}`));
  });

  it('does not block other work of this process', async () => {
    const one = pool();
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    // Each directive searches 200 KB for its section.
    const text = '{{#include a.md:from}}\n'.repeat(450);
    await one.include(including(text, async () => `${'word '.repeat(20)}\n`.repeat(2_000)));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(20);
  });

  it('keeps a text unchanged if it takes too long, passes on failed reads, and continues', async () => {
    const long = including('{{#include a.md}}\n'.repeat(20_000), async () => undefined);
    expect(await pool({ timeoutMs: 1 }).include(long)).toBe(long.bytes);
    const one = pool({ timeoutMs: 3_000 });
    // The time to load a file does not count.
    const slow = including('{{#include a.md}}', () => new Promise((come) => setTimeout(() => come('Oil.'), 3_500)));
    expect(textOf(await one.include(slow))).toBe('Oil.');
    const broken = including('{{#include a.md}}', () => Promise.reject(new Error('the disk is gone')));
    await expect(one.include(broken)).rejects.toThrow('the disk is gone');
    const left: string[] = [];
    const stopping = including('{{#include a.md}}', async () => 1 as unknown as string);
    const telling = pool({ onLeft: (path, { code }) => left.push(`${path} ${code}`) });
    expect(await telling.include(stopping)).toBe(stopping.bytes);
    expect(left).toEqual(['docs/page.md parse-failed']);
    const stopped = new AbortController();
    const waiting = one.include(slow, stopped.signal);
    stopped.abort(new Error('stopped by a person'));
    await expect(waiting).rejects.toThrow('stopped by a person');
    expect((await one.parse(markdown('# Next'))).title).toBe('Next');
  });
});

if (!existsSync(pumpFile)) console.warn(`left out: ${pumpFile} is not there`);

describe('files that list pages', { timeout: 120_000 }, () => {
  const sitemap = (text: string) => ({
    kind: 'sitemap' as const,
    url: 'https://docs.example/sitemap.xml',
    bytes: bytesOf(text),
  });

  it.each([
    ['a tag that does not end', '<a ' + '&'.repeat(20_000_000)],
    ['tags without an end', '<a>'.repeat(16_000_000)],
    ['entities that no one knows', '&b;'.repeat(16_000_000)],
  ])('%s: the thread ends, and the next one continues', async (_, text) => {
    const one = pool({ timeoutMs: 3_000 });
    const fate = await one.list(sitemap(`<urlset>${text}`)).then(
      () => 'read',
      (error: unknown) => (error as ParseError).code,
    );
    expect(['read', 'parse-timeout', 'parse-memory']).toContain(fate);
    const next = await one.list(sitemap('<urlset><url><loc>https://docs.example/a</loc></url></urlset>'));
    expect(next).toEqual({ pages: [{ url: 'https://docs.example/a', text: '' }], sitemaps: [] });
  });
});

describe.skipIf(!existsSync(pumpFile))('text that makes parsers slow', () => {
  it('is parsed within the time limit, in every format', async () => {
    const two = pool({ size: 2, timeoutMs: 5000, waitingMax: 1000 });
    const pumps = readFileSync(pumpFile, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Pump);
    const failures: string[] = [];
    const jobs = pumps.flatMap((pump) => {
      if (pump.parts === undefined) return [];
      const text = textOfPump(pump, 16_000);
      const formats =
        pump.class === 'html' ? (['html'] as const) : (['markdown', 'mdx', 'rst', 'text', 'html'] as const);
      return formats.map(async (format) => {
        const code = await codeOf(two.parse({ url, bytes: bytesOf(text), format }));
        if (code !== 'parsed') failures.push(`${pump.id} as ${format}: ${code}`);
      });
    });
    await Promise.all(jobs);
    expect(failures).toEqual([]);
  }, 300_000);
});
