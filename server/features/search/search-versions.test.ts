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

test('the newest stable version answers, says so, and names the others', async () => {
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

test('a version in the query answers alone, without a word about the others', async () => {
  const { text, results } = await search.searchDocs(ctx, { query: 'kettle 1.9 heat the water' }, undefined);
  expect(results.filter(({ moduleId }) => moduleId.startsWith('kettle')).map(({ version }) => version)).toEqual([
    '1.9',
  ]);
  expect(text).toContain('(version 1.9)');
  expect(text).not.toContain('Other versions');
});

test('a version that is not indexed is said to be missing', async () => {
  const { text } = await search.searchDocs(ctx, { query: 'kettle 0.4 heat the water' }, undefined);
  expect(text).toContain('Version 0.4 is not indexed. Other versions, to name in module: kettle~1.9, kettle~3.0rc1');
  expect(text).toContain('(version 2.0)');
});

test('a filter names one version by its id, or by library and version', async () => {
  for (const module of ['kettle~3.0rc1', 'kettle@3.0rc1']) {
    const { results, text } = await search.searchDocs(ctx, { query: 'heat the water', module }, undefined);
    expect(results.map(({ moduleId }) => moduleId)).toEqual(['kettle~3.0rc1']);
    expect(text).not.toContain('Other versions');
  }
});
