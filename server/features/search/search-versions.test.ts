import { beforeAll, expect, test } from 'vitest';
import { contextOf, type TestContext } from '#test/mcp/context-of.ts';
import { type ModuleOfTest, memoryShelf } from '#test/mcp/memory-shelf.ts';
import { createSearch } from './search.ts';

function kettle(version: string): ModuleOfTest {
  const url = `https://kettle.example/${version}/boil`;
  const text = `Call boil() to heat the water. This is how version ${version} does it.`;
  return {
    ...{ moduleId: `kettle~${version}`, displayName: `Kettle ${version}`, library: 'kettle', version },
    pages: [{ url, title: 'Boiling', sections: [{ anchor: 'boil', text }] }],
  };
}
const cup: ModuleOfTest = {
  moduleId: 'cup',
  pages: [
    { url: 'https://cup.example/', title: 'Cups', sections: [{ text: 'Pour water into a cup and heat the water.' }] },
  ],
};
const search = createSearch({ shelf: memoryShelf([kettle('1.9'), kettle('2.0'), kettle('3.0rc1'), cup]) });
let ctx: TestContext;

beforeAll(async () => {
  ctx = await contextOf();
});

test('a search uses the newest stable version, says so and names the others', async () => {
  const { text, results } = await search.searchDocs(ctx, { query: 'heat the water' }, undefined);
  expect(results.map(({ moduleId, version }) => [moduleId, version])).toEqual(
    expect.arrayContaining([
      ['kettle~2.0', '2.0'],
      ['cup', null],
    ]),
  );
  expect(results).toHaveLength(2);
  expect(text).toContain('(version 2.0)');
  expect(text).toContain('§ Other versions, to name in module: kettle~1.9, kettle~3.0rc1');
});

test('a search that names a version returns only that version, without mentioning others', async () => {
  const { text, results } = await search.searchDocs(ctx, { query: 'kettle 1.9 heat the water' }, undefined);
  expect(results.filter(({ moduleId }) => moduleId.startsWith('kettle')).map(({ version }) => version)).toEqual([
    '1.9',
  ]);
  expect(text).toContain('(version 1.9)');
  expect(text).not.toContain('Other versions');
});

test('a version that is not indexed is reported as missing', async () => {
  const { text } = await search.searchDocs(ctx, { query: 'kettle 0.4 heat the water' }, undefined);
  expect(text).toContain('Version 0.4 is not indexed. Other versions, to name in module: kettle~1.9, kettle~3.0rc1');
  expect(text).toContain('(version 2.0)');
});

test('a filter selects one version by its id, or by library and version', async () => {
  for (const module of ['kettle~3.0rc1', 'kettle@3.0rc1']) {
    const { results, text } = await search.searchDocs(ctx, { query: 'heat the water', module }, undefined);
    expect(results.map(({ moduleId }) => moduleId)).toEqual(['kettle~3.0rc1']);
    expect(text).not.toContain('Other versions');
  }
});

const teapot: ModuleOfTest = { ...kettle('5.0'), moduleId: 'docs.teapot.example', library: 'teapot', version: '5.0' };
const searchOne = createSearch({ shelf: memoryShelf([teapot, cup]) });

test.each([
  ['teapot 4.2 heat the water', '4.2'],
  ['how does teapot4.2 heat the water', '4.2'],
  ['teapot version 4 heat the water', '4'],
])('of a library with one version "%s" returns that version and names it in one line', async (query, asked) => {
  const { text, note, results } = await searchOne.searchDocs(ctx, { query }, undefined);
  expect(note?.split('\n')).toContain(`Version ${asked} of teapot is not indexed, only 5.0`);
  expect(text).toContain(`§ Version ${asked} of teapot is not indexed, only 5.0`);
  expect(text).toContain('(version 5.0)');
  expect(results.find(({ moduleId }) => moduleId === 'docs.teapot.example')?.version).toBe('5.0');
});

test.each([
  'heat the water',
  'teapot heat the water',
  'teapot 5 heat the water',
  'teapot 5.0.3 heat the water',
  'teapot 404 heat the water',
  'heat 4.2 cups of water in a teapot',
  'docs 4.2 heat the water',
])('"%s" gets no remark about versions if only one is indexed', async (query) => {
  const { text, note } = await searchOne.searchDocs(ctx, { query }, undefined);
  expect(text).toContain('Boiling');
  expect(text).not.toMatch(/version \d+\.\d+\)|indexed/i);
  expect(note ?? '').not.toMatch(/version|indexed/i);
});

test('a version is not called missing if another source of the library has it, even a filtered one', async () => {
  const repository: ModuleOfTest = {
    ...{ ...kettle('4.2'), moduleId: 'git.example~teapot~v4.2', displayName: 'teapot 4.2', library: 'git~teapot' },
    visibility: 'private',
  };
  const searchBoth = createSearch({ shelf: memoryShelf([teapot, cup, repository]) });
  const query = 'teapot 4.2 heat the water';
  for (const module of [undefined, 'docs.teapot.example']) {
    const { text } = await searchBoth.searchDocs(ctx, { query, module }, undefined);
    expect(text).toContain('/5.0/boil');
    expect(text).not.toContain('not indexed');
  }
  const { note } = await searchBoth.searchDocs(ctx, { query: 'teapot 3 heat the water' }, undefined);
  expect(note).toBe('Version 3 of teapot is not indexed, only 5.0, 4.2');
});
