import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { textAnchor } from '#contract/anchor.ts';
import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import type { Snippet } from '#server/engine/index.ts';
import { countTokens } from '#server/ingest/split/tokens.ts';
import { createOutbound } from '#server/platform/outbound/index.ts';
import { contextOf, type TestContext } from '#test/mcp/context-of.ts';
import { memoryShelf } from '#test/mcp/memory-shelf.ts';
import { prose, sampleModules } from '#test/mcp/sample-docs.ts';
import { servedDuring } from '#test/services/served-during.ts';
import { listModulePages } from './list-pages.ts';
import { createRemotePages, type PageParser } from './remote-pages.ts';
import { createSearch } from './search.ts';

const search = createSearch({ shelf: memoryShelf(sampleModules) });
const tasks = 'https://tasklib.example/tasks';
const manual = 'https://tasklib.example/manual';
let ctx: TestContext;
let sessions = 0;

beforeAll(async () => {
  ctx = await contextOf();
});

/** An agent that has received nothing yet. */
function newAgent() {
  sessions += 1;
  return { sessionId: `session-${sessions}`, clientName: 'reader' };
}

describe('a page', () => {
  test('that is short is returned whole, in order, with its headings', async () => {
    const read = await search.readUrl(ctx, { url: tasks }, newAgent());
    expect(read.text).toMatch(
      /^# Tasks\n\nTasklib runs.*\n\n## Creating tasks\n\nCall `create_task[^]*## Cancelling\n\n[^]*## Scheduling\n\n/,
    );
    expect(read).toMatchObject({ isCut: false, title: 'Tasks', moduleId: 'tasklib', tokens: countTokens(read.text) });
    expect(read.text).not.toContain('§');
  });

  test('with thousands of passages is read in parts, between which other requests are served', async () => {
    const url = 'https://long.example/guide';
    const sections = Array.from({ length: 6_000 }, (_, at) => ({ anchor: `s${at}`, text: `Section ${at} is short.` }));
    const shelf = memoryShelf([{ moduleId: 'long', pages: [{ url, title: 'Long', sections }] }]);
    const long = createSearch({ shelf });
    const asked = { url, query: 'section 4' };
    expect(await servedDuring(() => long.readUrl(ctx, asked, undefined))).toBeGreaterThan(10);
    expect(await servedDuring(() => long.showDocument(ctx, { url }, '198.51.100.9'))).toBeGreaterThan(10);
    const list = () => listModulePages(shelf, ctx, { moduleId: 'long', words: '', from: 0, limit: 1 });
    expect(await servedDuring(list)).toBeGreaterThan(10);
    expect((await long.readUrl(ctx, { ...asked, url: `${url}#s5999` }, undefined)).text).toContain('Section 5999');
  });

  test('shows its title once and adds no heading that a passage already has', async () => {
    const url = 'https://titled.example/guide';
    const lead = {
      anchor: 'install',
      headingPath: ['Install'],
      text: '# The guide\n\nWhat it is about.\n\n## Install\n\nRun `setup`.',
    };
    const use = { anchor: 'use', headingPath: ['Use'], text: '## Use\n\nCall it.' };
    const module = { moduleId: 'titled', pages: [{ url, title: 'The guide', sections: [lead, use] }] };
    const titled = createSearch({ shelf: memoryShelf([module]) });
    const whole = '# The guide\n\nWhat it is about.\n\n## Install\n\nRun `setup`.\n\n## Use\n\nCall it.';
    expect((await titled.readUrl(ctx, { url }, undefined)).text).toBe(whole);
    expect((await titled.documentMarkdown(ctx, { url })).markdown).toBe(whole);
  });

  test('does not repeat a heading that the text has as code', async () => {
    const url = 'https://pets.example/api';
    const text = '# Pets\n\nVersion 1\n\n## `GET /pets`\n\nLists pets.';
    const sections = [{ anchor: 'get', headingPath: ['GET /pets'], text }];
    const pets = createSearch({
      shelf: memoryShelf([{ moduleId: 'pets', pages: [{ url, title: 'Pets', sections }] }]),
    });
    expect((await pets.readUrl(ctx, { url }, undefined)).text).toBe(text);
  });

  test('continues entries and tables across passages without repeating headings or table headers', async () => {
    const url = 'https://parted.example/guide';
    const head = '| Name | Meaning |\n| --- | --- |\n';
    const entry = { anchor: 'run', headingPath: ['Calls'], identifiers: ['run'], text: '`run()`\n\n- one' };
    const rest = { anchor: 'run', headingPath: ['Calls', 'run'], text: '- two\n  1. a' };
    const nested = { ...rest, text: '  2. b\n- three' };
    const table = { anchor: 'run', headingPath: ['Calls', 'run'], text: `Names:\n\n${head}| a | 1 |` };
    const rows = { ...table, text: `${head}| b | 2 |` };
    const other = { ...table, text: '| Key | Use |\n| --- | --- |\n| c | 3 |' };
    const sections = [entry, rest, nested, table, rows, other];
    const parted = createSearch({
      shelf: memoryShelf([{ moduleId: 'parted', pages: [{ url, title: 'Guide', sections }] }]),
    });
    expect((await parted.readUrl(ctx, { url }, undefined)).text).toBe(
      `# Guide\n\n## Calls\n\n\`run()\`\n\n- one\n\n- two\n  1. a\n  2. b\n- three\n\nNames:\n\n${head}| a | 1 |\n| b | 2 |\n\n${other.text}`,
    );
  });

  test.each([
    'http://tasklib.example/tasks/',
    'https://tasklib.example/tasks/index.html',
    'https://tasklib.example/tasks?utm_source=mail',
  ])('is also found under %s and states its own address', async (url) => {
    const read = await search.readUrl(ctx, { url }, newAgent());
    expect(read.text).toMatch(/^§ https:\/\/tasklib\.example\/tasks\n\n# Tasks/);
  });

  test('over 5,000 tokens is cut to 5,000 for a reader without searches, and states what is left', async () => {
    const read = await search.readUrl(ctx, { url: manual }, newAgent());
    expect(read.wholePageTokens).toBeGreaterThan(6_000);
    expect(read.tokens).toBeLessThanOrEqual(limits.readTokensDefault);
    expect(read.tokens).toBeGreaterThan(limits.readTokensDefault * 0.85);
    expect(read.text).toMatch(/^# The manual\n\n## Chapter 0\n\n[^]*## Chapter 1\n/);
    expect(read.text).toMatch(/\n\n§ Not shown \(tokens\): #chapter-\d+ \d+; [^]*and \d+ more$/);
    const named = /tokens\): (.*); and (\d+) more$/.exec(read.text);
    const shown = read.text.match(/^## Chapter/gm) ?? [];
    expect(shown.length + (named?.[1]?.split('; ').length ?? 0) + Number(named?.[2])).toBe(40);
    expect(read.isCut).toBe(true);
  });

  test('is cut to its start and the passages similar to this agent’s searches, with gaps marked', async () => {
    const agent = newAgent();
    await search.searchDocs(ctx, { query: 'zebra registry guards', budget: 100 }, agent);
    const read = await search.readUrl(ctx, { url: manual }, agent);
    expect(read.text).toMatch(/^# The manual\n\n## Chapter 0\n\n[^]*\n\n…\n\n[^]*## Chapter 25\n[^]*zebra guards/);
    expect(read.tokens).toBeLessThanOrEqual(limits.readTokensDefault);
  });

  test('when cut contains its start and the best matching sections, whole, in page order', async () => {
    const url = 'https://zoo.example/animals';
    const said = (at: number) =>
      at === 8 ? 'The quagga eats here. Quagga hay, quagga oats.' : at === 3 ? 'No quagga.' : '';
    const sections = Array.from({ length: 12 }, (_, at) => ({
      anchor: `part-${at}`,
      headingPath: [`Part ${at === 9 ? 8 : at}`],
      text: `${said(at)} ${at === 9 ? 'More of the quagga.' : ''} ${prose(`words${at}`, 160)}`.trim(),
    }));
    const zoo = createSearch({
      shelf: memoryShelf([{ moduleId: 'zoo', pages: [{ url, title: 'Animals', sections }] }]),
    });
    const { text } = await zoo.readUrl(ctx, { url, query: 'quagga hay oats', budget: 900 }, undefined);
    const places = ['## Part 0\n', '## Part 3\n', '## Part 8\n', 'More of the quagga.'].map((words) =>
      text.indexOf(words),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    const section = await zoo.readUrl(ctx, { url: `${url}#part-3`, query: 'quagga hay oats', budget: 900 }, undefined);
    expect(section.text).toContain('No quagga.');
    // Equally relevant passages nearby are included, and nothing else.
    expect(section.text).toContain('## Part 8\n');
    expect(section.text).not.toMatch(/## Part (?:0|1|2|4|5|6|7|10|11)\n/);
  });

  test('is cut to match the query of the call', async () => {
    const read = await search.readUrl(ctx, { url: manual, query: 'zebra guards', budget: 600 }, undefined);
    expect(read.text).toContain('zebra guards');
  });
});

describe('an anchor', () => {
  test('returns its section first', async () => {
    const read = await search.readUrl(ctx, { url: `${manual}#chapter-30`, budget: 400 }, newAgent());
    expect(read.text).toMatch(/^# The manual\n\n…\n\n## Chapter 30\n/);
    expect(read.url).toBe(`${manual}#chapter-30`);
  });

  test('that names something defined on the page finds it', async () => {
    const read = await search.readUrl(ctx, { url: `${tasks}#create_task`, budget: 100 }, newAgent());
    expect(read.text).toContain('## Creating tasks');
  });

  test('of a section returns its entries, one of an entry only that entry', async () => {
    const url = 'https://tool.example/manual';
    const entry = (name: string, text: string, shared?: Snippet['sections']) => ({
      anchor: textAnchor('options', name),
      headingPath: ['Options'],
      text: `${text}\`${name}\`\n\n${prose(name, 120)}`,
      shared,
    });
    const heading = { anchor: 'options', headingPath: ['Options'], tokens: 3 };
    const sections = [
      entry('--all', '## Options\n\n', [heading]),
      entry('--prune', ''),
      { anchor: textAnchor('options', '--prune'), headingPath: ['Options', '--prune'], text: 'More of pruning.' },
      entry('-x, --exclude', ''),
      { anchor: 'files', headingPath: ['Files'], text: '## Files\n\nWhat it reads.' },
    ];
    const tool = createSearch({
      shelf: memoryShelf([{ moduleId: 'tool', pages: [{ url, title: 'Tool', sections }] }]),
    });
    const read = async (anchor: string) => {
      const { text } = await tool.readUrl(ctx, { url: `${url}#${anchor}` }, undefined);
      return ['`--all`', '`--prune`', 'More of pruning', '`-x, --exclude`', 'Files'].filter((words) =>
        text.includes(words),
      );
    };
    expect(await read('options')).toEqual(['`--all`', '`--prune`', 'More of pruning', '`-x, --exclude`']);
    expect(await read(textAnchor('options', '--all'))).toEqual(['`--all`']);
    expect(await read('options:~:text=--prune')).toEqual(['`--prune`', 'More of pruning']);
    expect(await read(textAnchor('options', '-x, --exclude'))).toEqual(['`-x, --exclude`']);
    const found = await tool.searchDocs(ctx, { query: '--exclude' }, undefined);
    expect(found.text).toContain(`§ ${url}#options:~:text=%2Dx%2C%20--exclude\n`);
  });

  test('of a section that begins in the passage of the heading above it also returns its start', async () => {
    const url = 'https://tool.example/attributes';
    const path = ['Attributes', 'Common'];
    const shared = [
      { anchor: 'attributes', headingPath: ['Attributes'], tokens: 3 },
      { anchor: 'common', headingPath: path, tokens: 9 },
    ];
    const sections = [
      { anchor: 'about', headingPath: ['About'], text: '## About\n\nWhat it is.' },
      { anchor: 'attributes', headingPath: path, text: '## Attributes\n\n### Common\n\nThe first half.', shared },
      { anchor: 'common', headingPath: path, text: 'The second half.' },
      { anchor: 'other', headingPath: ['Attributes', 'Other'], text: '### Other\n\nMore.' },
    ];
    const tool = createSearch({
      shelf: memoryShelf([{ moduleId: 'tool', pages: [{ url, title: 'Tool', sections }] }]),
    });
    const { text } = await tool.readUrl(ctx, { url: `${url}#common` }, undefined);
    expect(text).toContain('…\n\n## Attributes\n\n### Common\n\nThe first half.\n\nThe second half.');
    expect(['first half', 'second half', 'More.'].map((words) => text.includes(words))).toEqual([true, true, false]);
  });

  test('within a passage returns only that passage, and an exact match precedes one that differs in case', async () => {
    const url = 'https://tool.example/flags';
    const sections = [
      { anchor: 'all', headingPath: ['All'], text: '## All\n\nFirst.', identifiers: ['PRUNE'] },
      { anchor: 'flags', headingPath: ['Flags'], text: '## Flags\n\n- `--all`', places: ['flag-all'] },
      { anchor: 'flags', headingPath: ['Flags'], text: '- `--prune`', places: ['prune', 'flag-prune'] },
      { anchor: 'flags', headingPath: ['Flags'], text: '- `--quiet`' },
    ];
    const tool = createSearch({
      shelf: memoryShelf([{ moduleId: 'tool', pages: [{ url, title: 'Tool', sections }] }]),
    });
    const read = async (id: string) => {
      const { text } = await tool.readUrl(ctx, { url: `${url}#${id}`, budget: 400 }, undefined);
      return text.replace(/\n\n§ [^]*/, '');
    };
    expect(await read('flag-prune')).toMatch(/- `--prune`$/);
    expect(await read('prune')).toMatch(/- `--prune`$/);
    expect(await read('flag-all')).toMatch(/- `--all`$/);
  });

  test('of a PDF page returns all sections that begin on it and the end of the last one', async () => {
    const url = 'pdf://manuals/guide.pdf';
    const part = (page: number, heading: string, text: string) => ({
      anchor: `page=${page}`,
      headingPath: ['Functions', heading],
      text,
    });
    const sections = [
      part(1, 'abs', '#### abs\n\nIts value without a sign.'),
      part(2, 'cut', '#### cut\n\nWithout its fraction.'),
      part(2, 'max', '#### max\n\nThe larger one.'),
      part(3, 'max', 'Of none it is zero.'),
      part(3, 'min', '#### min\n\nThe smaller one.'),
    ];
    const manuals = createSearch({
      shelf: memoryShelf([{ moduleId: 'manuals', pages: [{ url, title: 'Guide', sections }] }]),
    });
    const read = await manuals.readUrl(ctx, { url: `${url}#page=2` }, newAgent());
    expect(read.text).toMatch(/Without its fraction\.[^]*The larger one\.\n\nOf none it is zero\./);
    expect(read.text).not.toMatch(/without a sign|smaller one/);
  });

  test('that does not exist is reported, and the page is returned anyway', async () => {
    const read = await search.readUrl(ctx, { url: `${tasks}#nowhere` }, newAgent());
    expect(read.text).toContain('§ There is no section "nowhere" here.');
    expect(read.text).toContain('create_task');
  });
});

describe('content sent before', () => {
  test('by a search is not sent by a read, which says so and lists what it leaves out', async () => {
    const agent = newAgent();
    await search.searchDocs(ctx, { query: 'create_task', module: 'tasklib', limit: 1 }, agent);
    const read = await search.readUrl(ctx, { url: `${tasks}#create-task` }, agent);
    expect(read.text).not.toContain('Call `create_task(name)`');
    expect(read.text).toContain('§ Part of this was sent before. To get it again, read this address again.');
    expect(read.text).toMatch(/§ Sent before: [^]*#create-task Creating tasks/);
  });

  test('is sent when the same address is read again, but not a third time', async () => {
    const agent = newAgent();
    const texts: string[] = [];
    for (let turn = 0; turn < 4; turn++) texts.push((await search.readUrl(ctx, { url: tasks }, agent)).text);
    expect(texts.map((text) => text.includes('Call `create_task(name)`'))).toEqual([true, false, true, false]);
    expect(texts[1]).toContain('§ All of this was sent before. To get it again, read this address again.');
  });

  test('by a read is not found by a search of the same agent, but by one of another agent', async () => {
    const agent = newAgent();
    await search.readUrl(ctx, { url: tasks }, agent);
    const query = { query: 'create_task' };
    expect((await search.searchDocs(ctx, query, agent)).text).not.toContain('Call `create_task');
    expect((await search.searchDocs(ctx, query, newAgent())).text).toContain('Call `create_task');
  });

  test('only in part by a search is sent whole by a read', async () => {
    const agent = newAgent();
    await search.searchDocs(ctx, { query: 'scheduler alpha', budget: 100 }, agent);
    const read = await search.readUrl(ctx, { url: `${tasks}#long` }, agent);
    expect(read.text).toContain(prose('scheduler', 300));
  });
});

test('on a page with very many passages, a read chooses from those after the start or the requested section', async () => {
  const url = 'https://endless.example/page';
  const sections = Array.from({ length: 6_000 }, (_, index) => ({
    anchor: `entry-${index}`,
    headingPath: [`Entry ${index}`],
    text: `## Entry ${index}\n\nWords of entry ${index}${index === 5_500 ? ' and a zebra' : ''}.`,
  }));
  const endless = createSearch({
    shelf: memoryShelf([{ moduleId: 'endless', pages: [{ url, title: 'All', sections }] }]),
  });
  const read = await endless.readUrl(ctx, { url, query: 'zebra', budget: 500 }, undefined);
  expect(read.isCut).toBe(true);
  expect(read.text).not.toContain('zebra');
  const section = await endless.readUrl(ctx, { url: `${url}#entry-5500`, budget: 500 }, undefined);
  expect(section.text).toContain('zebra');
  expect(section.wholePageTokens).toBe(read.wholePageTokens);
  expect(read.wholePageTokens).toBeGreaterThan(6_000 * 10);
  const shown = await endless.showDocument(ctx, { url: `${url}#entry-5500`, query: 'zebra', tokens: 500 }, '');
  expect(shown.cut?.kept).toContainEqual({ index: 5_500, isWhole: true });
});

describe('a page outside the index', () => {
  let site: Server;
  let origin: string;
  let requests = 0;
  const outbound = createOutbound({ allowHosts: ['127.0.0.1:1'], userAgent: 'test' });
  const parser: PageParser = {
    parse: async ({ url, bytes }) => ({
      title: 'Fetched',
      snippets: [
        {
          id: `remote ${url}`,
          anchor: '',
          headingPath: [],
          kind: 'prose',
          identifiers: [],
          text: new TextDecoder().decode(bytes),
          tokens: 10,
        },
      ],
    }),
  };

  beforeAll(async () => {
    site = createServer((request, response) => {
      requests += 1;
      if (request.url?.startsWith('/page') !== true) response.statusCode = 404;
      response.end('Remote text.');
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  });

  afterAll(async () => {
    await new Promise((resolve) => site.close(resolve));
    await outbound.close();
  });

  test('is fetched, kept for ten minutes and fetched again afterwards', async () => {
    const allowed = createOutbound({ allowHosts: [new URL(origin).host], userAgent: 'test' });
    const reader = createSearch({ shelf: memoryShelf([]), outbound: allowed, parser });
    const before = requests;
    const read = await reader.readUrl(ctx, { url: `${origin}/page#x` }, newAgent());
    expect(read).toMatchObject({ title: 'Fetched', moduleId: null });
    expect(read.text).toContain('Remote text.');
    await reader.readUrl(ctx, { url: `${origin}/page` }, newAgent());
    expect(requests).toBe(before + 1);
    ctx.clock.advance(10 * 60_000);
    await reader.readUrl(ctx, { url: `${origin}/page` }, newAgent());
    expect(requests).toBe(before + 2);
    await expect(reader.readUrl(ctx, { url: `${origin}/none` }, newAgent())).rejects.toMatchObject({
      code: 'page-not-indexed',
      message: expect.stringContaining('it returned status 404'),
    });
    await allowed.close();
  });

  test('with very much text is compared with queries from its start only', async () => {
    const allowed = createOutbound({ allowHosts: [new URL(origin).host], userAgent: 'test' });
    onTestFinished(() => allowed.close());
    const long: PageParser['parse'] = async (input, signal, owner) => {
      const { title, snippets } = await parser.parse(input, signal, owner);
      const texts = Array.from({ length: 100 }, () => `The zebra. ${'word '.repeat(10_000)}`);
      return { title, snippets: texts.flatMap((text) => snippets.map((snippet) => ({ ...snippet, text }))) };
    };
    const pages = createRemotePages({ outbound: allowed, parser: { parse: long } });
    const page = await pages.fetch(ctx, `${origin}/page`);
    const relevance = page.relevanceTo(['zebra']);
    expect(relevance).toHaveLength(100);
    expect(relevance.map((one) => one > 0)).toEqual(Array.from({ length: 100 }, (_, at) => at < 29));
    // A longer query takes the same time, as it is compared with less of the page.
    const ofLong = page.relevanceTo(['zebra', 'zebra '.repeat(1_000)]);
    expect(ofLong.filter((one) => one > 0)).toHaveLength(14);
  });

  test('on a private address is refused with advice and not contacted', async () => {
    const reader = createSearch({ shelf: memoryShelf([]), outbound, parser });
    const before = requests;
    const operator: Context = { ...ctx, actor: { kind: 'operator', userId: 'local-owner' } };
    for (const [reads, advice] of [
      [operator, 'LECTERN_ALLOW_HOSTS'],
      [ctx, 'Ask the operator of this installation to allow it'],
    ] as const) {
      await expect(reader.readUrl(reads, { url: `${origin}/page` }, newAgent())).rejects.toMatchObject({
        code: 'page-not-indexed',
        message: expect.stringContaining(advice),
      });
    }
    expect(requests).toBe(before);
  });

  test('is refused to visitors, who may read only the public index, and fetched for keys and users', async () => {
    const allowed = createOutbound({ allowHosts: [new URL(origin).host], userAgent: 'test' });
    onTestFinished(() => allowed.close());
    const reader = createSearch({ shelf: memoryShelf(sampleModules), outbound: allowed, parser });
    const visitor: Context = { ...ctx, actor: { kind: 'anonymous' }, workspace: null };
    const person: Context = { ...ctx, actor: { kind: 'user', userId: 'anna' } };
    const url = `${origin}/page`;
    const before = requests;
    const refused = { code: 'page-not-indexed', message: expect.stringContaining('sign in to read pages') };
    await expect(reader.readUrl(visitor, { url }, undefined)).rejects.toMatchObject(refused);
    expect(requests).toBe(before);
    for (const reading of [ctx, person]) {
      expect((await reader.readUrl(reading, { url }, undefined)).text).toContain('Remote text.');
    }
    expect(requests).toBe(before + 1);
    // Pages fetched by others do not become part of the index.
    await expect(reader.readUrl(visitor, { url }, undefined)).rejects.toMatchObject(refused);
    expect(await reader.readUrl(visitor, { url: tasks }, undefined)).toMatchObject({ moduleId: 'tasklib' });
  });

  test('waits while four of the same user are fetched, but not for those of other users', async () => {
    const allowed = createOutbound({ allowHosts: [new URL(origin).host], userAgent: 'test' });
    onTestFinished(() => allowed.close());
    const parsing: string[] = [];
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    const waiting: PageParser = {
      async parse(input, signal, owner) {
        parsing.push(owner);
        if (owner === 'anna') await held;
        return parser.parse(input, signal, owner);
      },
    };
    const reader = createSearch({ shelf: memoryShelf([]), outbound: allowed, parser: waiting });
    const reads = (userId: string, count: number) =>
      Array.from({ length: count }, (_, index) =>
        reader.readUrl({ ...ctx, actor: { kind: 'user', userId } }, { url: `${origin}/page?${index}` }, undefined),
      );
    const ofAnna = reads('anna', 9);
    await Promise.all(reads('bert', 9));
    expect(parsing.filter((owner) => owner === 'anna')).toHaveLength(4);
    // A cached page needs no slot.
    await Promise.all(reads('anna', 1));
    letGo();
    expect(await Promise.all(ofAnna)).toHaveLength(9);
  });

  test('cannot be a local file', async () => {
    const reader = createSearch({ shelf: memoryShelf([]), outbound, parser });
    await expect(reader.readUrl(ctx, { url: 'file:///etc/passwd' }, newAgent())).rejects.toMatchObject({
      message: expect.stringContaining('only http and https'),
    });
  });
});
