import { beforeAll, describe, expect, test } from 'vitest';
import { documentSchema, modulePagesSchema } from '#contract/documents.ts';
import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import { createSearch } from '#server/features/search/index.ts';
import { contextOf, type TestContext } from '#test/mcp/context-of.ts';
import { type ModuleOfTest, memoryShelf } from '#test/mcp/memory-shelf.ts';
import { prose, sampleModules } from '#test/mcp/sample-docs.ts';
import { onEachDatabase } from '#test/services/database.ts';

const tasks = 'https://tasklib.example/tasks';
const manual = 'https://tasklib.example/manual';
const handbook = 'https://intranet.example/deploy';

/** Two versions of one library under one address, a page of many passages, and one with hidden characters. */
const further: ModuleOfTest[] = [
  ...['2', '3'].map((version) => ({
    moduleId: `twolib~${version}`,
    library: 'twolib',
    version,
    pages: [
      {
        url: 'https://two.example/guide',
        title: 'Guide',
        fetchedAt: Date.UTC(2026, 0, Number(version)),
        sections: [{ text: `Version ${version}.` }],
      },
    ],
  })),
  {
    moduleId: 'long',
    pages: [
      {
        url: 'https://long.example/all',
        title: 'All of it',
        sections: Array.from({ length: 150 }, (_, index) => ({
          anchor: `part-${index}`,
          headingPath: [`Chapter ${Math.floor(index / 10)}`, `Part ${index}`],
          text: prose(`part${index}`, 30),
        })),
      },
    ],
  },
  {
    moduleId: 'shared',
    pages: [
      {
        url: 'https://shared.example/faq',
        title: 'Questions',
        sections: [
          { anchor: 'first', headingPath: ['First'], text: 'Before.' },
          {
            anchor: 'how',
            headingPath: ['How'],
            text: '## How\n\nSo.\n\n## Why\n\nBecause.',
            shared: [
              { anchor: 'how', headingPath: ['How'], tokens: 6 },
              { anchor: 'why', headingPath: ['Why'], tokens: 6 },
            ],
          },
          { anchor: 'more', headingPath: ['Why', 'More'], text: 'And so on.' },
          { anchor: 'last', headingPath: ['Last'], text: 'After.' },
        ],
      },
    ],
  },
  {
    moduleId: 'odd',
    pages: [
      {
        url: 'https://odd.example/page',
        title: 'Odd \u202e page',
        sections: [{ headingPath: ['Odd \u202e page'], text: 'Plain \u202etext\u200b.\n§ not ours' }],
      },
    ],
  },
];
const search = createSearch({ shelf: memoryShelf([...sampleModules, ...further]) });

onEachDatabase('a documentation page', (kind) => {
  let ctx: TestContext;
  let visitor: Context;
  const show = (who: Context, input: Parameters<typeof search.showDocument>[1]) =>
    search.showDocument(who, input, '192.0.2.7');

  beforeAll(async () => {
    ctx = await contextOf('anna', {}, kind);
    visitor = { ...ctx, actor: { kind: 'anonymous' }, workspace: null };
  });

  test('is shown to visitors with its passages, headings, tokens and source', async () => {
    const document = await show(visitor, { url: `${tasks}#cancel` });
    expect(documentSchema.parse(document)).toEqual(document);
    expect(document).toMatchObject({
      url: tasks,
      title: 'Tasks',
      module: { moduleId: 'tasklib', visibility: 'public' },
      alternatives: [],
      snippetCount: 4,
      from: 0,
      target: 2,
      refresh: { isRunning: false, failedAt: null },
      previous: null,
      next: { url: manual, title: 'The manual' },
      cut: null,
    });
    expect(document.outline.map(({ text, anchor, index }) => [text, anchor, index])).toEqual([
      ['Creating tasks', 'create-task', 1],
      ['Cancelling', 'cancel', 2],
      ['Scheduling', 'long', 3],
    ]);
    const [first, second] = document.snippets;
    expect(second).toMatchObject({ index: 1, kind: 'prose', tokensBefore: first?.tokens, isCleaned: false });
    expect(document.tokens).toBe(document.snippets.reduce((sum, { tokens }) => sum + tokens, 0));
  });

  test('opens at the requested passage, or at its anchor if the passage is gone', async () => {
    const url = 'https://long.example/all#part-3';
    const { snippets } = await show(visitor, { url, from: 120, limit: 1 });
    expect(snippets).toHaveLength(1);
    expect(await show(visitor, { url, passage: snippets[0]?.id, limit: 0 })).toMatchObject({ target: 120 });
    expect(await show(visitor, { url, passage: 'of-another-day', limit: 0 })).toMatchObject({ target: 3 });
  });

  test('opens at a section that shares its passage, listed in the outline', async () => {
    const { target, outline } = await show(visitor, { url: 'https://shared.example/faq#why' });
    expect(target).toBe(1);
    expect(outline.map(({ text, anchor, index }) => [text, anchor, index])).toEqual([
      ['First', 'first', 0],
      ['How', 'how', 1],
      ['Why', 'why', 1],
      ['More', 'more', 2],
      ['Last', 'last', 3],
    ]);
    const read = await search.readUrl(visitor, { url: 'https://shared.example/faq#why', budget: 200 }, undefined);
    expect(read.url).toBe('https://shared.example/faq#why');
    expect(read.text.indexOf('And so on.')).toBeGreaterThan(read.text.indexOf('Because.'));
    expect(read.text).not.toContain('Before.');
  });

  test('is listed with its contents, can be found by words of title and address, and paged through', async () => {
    const list = (who: Context, input: Partial<Parameters<typeof search.listModulePages>[1]> = {}) =>
      search.listModulePages(who, { moduleId: 'tasklib', words: '', from: 0, limit: 50, ...input });
    let turns = 0;
    let next = setImmediate(function count() {
      turns += 1;
      next = setImmediate(count);
    });
    const { pages, total, visibility } = await list(visitor);
    clearImmediate(next);
    // Others are served between two pages, each of which may have thousands of passages.
    expect(turns).toBeGreaterThanOrEqual(pages.length);
    expect(modulePagesSchema.parse({ pages, total, visibility })).toEqual({ pages, total, visibility });
    const document = await show(visitor, { url: tasks });
    expect(pages[0]).toMatchObject({ url: tasks, title: 'Tasks', snippets: 4, tokens: document.tokens });
    expect(total).toBe(pages.length);
    expect(total).toBeGreaterThan(1);
    const rest = await list(visitor, { from: 1, limit: 1 });
    expect(rest).toMatchObject({ pages: [pages[1]], total });
    expect(await list(visitor, { words: 'the  MANUAL' })).toMatchObject({ pages: [{ url: manual }], total: 1 });
    expect(await list(visitor, { words: 'manual nothing' })).toMatchObject({ pages: [], total: 0 });
    expect(await list(visitor, { from: total })).toMatchObject({ pages: [], total });
    expect((await list(visitor, { moduleId: 'odd' })).pages[0]?.title).not.toContain('\u202e');
    expect(await list(ctx, { moduleId: 'ours' })).toMatchObject({ pages: [{ url: handbook }], visibility: 'private' });
    await expect(list(visitor, { moduleId: 'ours' })).rejects.toMatchObject({ code: 'module-not-found' });
    await expect(list(ctx, { moduleId: 'ours', visibility: 'public' })).rejects.toMatchObject({
      code: 'module-not-found',
    });
  });

  test('of another module is indistinguishable from a missing page', async () => {
    const refusal = (who: Context, url: string) =>
      show(who, { url }).then(
        () => 'shown',
        ({ code, message, status, values }) => JSON.stringify({ code, message, status, values }),
      );
    const bert: Context = {
      ...ctx,
      actor: { ...ctx.actor, userId: 'bert' } as Context['actor'],
      workspace: 'user:bert',
    };
    expect(await refusal(ctx, handbook)).toBe('shown');
    for (const who of [visitor, bert]) {
      const missing = handbook.replace('deploy', 'nothing');
      expect(await refusal(who, handbook)).toContain('document-not-found');
      expect((await refusal(who, handbook)).replaceAll(handbook, missing)).toBe(await refusal(who, missing));
      await expect(search.documentMarkdown(who, { url: handbook })).rejects.toMatchObject({
        code: 'document-not-found',
      });
      await expect(show(who, { url: handbook, moduleId: 'ours' })).rejects.toMatchObject({
        code: 'document-not-found',
      });
      await expect(show(who, { url: handbook, query: 'deploy' })).rejects.toMatchObject({ code: 'document-not-found' });
    }
  });

  test('that several modules contain names the others and is shown from the requested one', async () => {
    const url = 'https://two.example/guide';
    const first = await show(visitor, { url });
    expect(new Set([first.module, ...first.alternatives].map(({ version }) => version))).toEqual(new Set(['2', '3']));
    for (const version of ['2', '3']) {
      const shown = await show(visitor, { url, moduleId: `twolib~${version}` });
      expect(shown.snippets[0]?.text).toBe(`Version ${version}.`);
      expect(shown.alternatives.map((other) => other.version)).toEqual([version === '2' ? '3' : '2']);
    }
    await expect(show(visitor, { url, moduleId: 'tasklib' })).rejects.toMatchObject({ code: 'document-not-found' });
  });

  test('with many passages comes in parts, starting with the one that an anchor names', async () => {
    const url = 'https://long.example/all';
    const size = limits.documentSnippetsPerPart;
    const part = await show(visitor, { url: `${url}#part-130` });
    expect(part).toMatchObject({ from: 2 * size, target: 130, snippetCount: 150 });
    expect(part.snippets.map(({ index }) => index)).toEqual(Array.from({ length: 30 }, (_, at) => 2 * size + at));
    const begin = await show(visitor, { url, from: 0 });
    const middle = await show(visitor, { url, from: size });
    const all = [...begin.snippets, ...middle.snippets, ...part.snippets];
    expect(all.map(({ index }) => index)).toEqual(Array.from({ length: 150 }, (_, index) => index));
    for (const [at, snippet] of all.entries()) {
      expect(snippet.tokensBefore).toBe(all.slice(0, at).reduce((sum, { tokens }) => sum + tokens, 0));
    }
    expect(part.outline).toEqual(begin.outline);
    expect(part.outline.filter(({ depth }) => depth === 0)).toHaveLength(15);
  });

  test('contains no hidden text and says where it was removed', async () => {
    const { title, snippets } = await show(visitor, { url: 'https://odd.example/page' });
    expect(title).toBe('Odd page');
    expect(snippets[0]).toMatchObject({ text: 'Plain text.\n\\§ not ours', isCleaned: true });
  });

  describe('cut', () => {
    test.each([
      ['zebra guards the registry', 600],
      ['zebra guards the registry', undefined],
      ['chapter 7 delta', 1_500],
      ['', 300],
      ['', 10_000],
    ])('for "%s" within %s tokens equals what a read returns', async (query, tokens) => {
      for (const url of [manual, `${manual}#chapter-30`, `${manual}#nowhere`, tasks]) {
        const read = await search.readUrl(ctx, { url, query, ...(tokens ? { budget: tokens } : {}) }, undefined);
        const { cut, snippetCount } = await show(ctx, { url, query, tokens, limit: 0 });
        expect(cut).toMatchObject({ text: read.text, tokens: read.tokens, wholePageTokens: read.wholePageTokens });
        expect(cut?.kept.length === snippetCount).toBe(!read.isCut);
      }
    });

    test('names the sections kept whole, kept in part and left out', async () => {
      const { cut, snippets } = await show(ctx, { url: manual, query: 'zebra guards', tokens: 600 });
      const kept = new Map(cut?.kept.map(({ index, isWhole }) => [index, isWhole]));
      expect(kept.has(25)).toBe(true);
      const out = snippets.filter(({ index }) => !kept.has(index));
      expect(cut?.leftOutTokens).toBe(out.reduce((sum, { tokens }) => sum + tokens, 0));
      for (const { index, text } of snippets) {
        if (kept.get(index) === true) expect(cut?.text).toContain(text);
      }
    });

    test('is refused only to visitors who ask too often', async () => {
      const from = '198.51.100.9';
      const ask = (who: Context, address: string) =>
        search.showDocument(who, { url: tasks, query: 'x', limit: 0 }, address);
      for (let count = 0; count < 60; count += 1) await ask(visitor, from);
      await expect(ask(visitor, from)).rejects.toMatchObject({ code: 'too-many-requests' });
      expect((await ask(visitor, '198.51.100.10')).cut).not.toBeNull();
      expect((await ask(ctx, from)).cut).not.toBeNull();
      expect((await search.showDocument(visitor, { url: tasks }, from)).title).toBe('Tasks');
    });
  });

  test('is returned as one Markdown text, like an unlimited read', async () => {
    const { markdown, visibility } = await search.documentMarkdown(visitor, { url: tasks });
    const read = await search.readUrl(ctx, { url: tasks, budget: 5_000 }, undefined);
    expect(markdown).toBe(read.text);
    expect(visibility).toBe('public');
  });
});
