import { beforeEach, expect, test } from 'vitest';
import { docsQueryCharactersMax, productDocsEndpoints } from '#contract/product-docs.ts';
import type { Context } from '#server/context.ts';
import { SegmentBuilder } from '#server/engine/index.ts';
import { parsePage } from '#server/ingest/parse/parse-page.ts';
import { contextOf } from '#test/mcp/context-of.ts';
import { freshDatabase, onEachDatabase } from '#test/services/database.ts';
import { productDocsAddress, productDocsFrom } from './product-docs.ts';
import { searchProductDocs } from './search-product-docs.ts';

const guide = `# Running

Lectern keeps everything in one folder. ${'An opening that is long enough to stand for itself. '.repeat(60)}

## Back up and restore

Stop the server and copy the data folder. ${'Whatever else there is to say fills the passage. '.repeat(60)}

## Upgrade

Replace the program and start; migrations run by themselves. ${'More about that stands elsewhere. '.repeat(60)}
`;

function bytesOf(markdown: string): Uint8Array {
  const builder = new SegmentBuilder();
  const url = `${productDocsAddress}/docs/operate/running`;
  const { snippets, contentHash } = parsePage({ url, bytes: Buffer.from(markdown), format: 'markdown' });
  builder.addPage({ url, title: 'Running', fetchedAt: 0, contentHash, snippets });
  return builder.finish();
}

onEachDatabase('searching the product documentation', (kind) => {
  let ctx: Context;
  beforeEach(async () => {
    const { clock, log, requestId } = await contextOf();
    ctx = { actor: { kind: 'anonymous' }, workspace: null, db: await freshDatabase(kind), clock, log, requestId };
  });
  const docs = productDocsFrom(async () => bytesOf(guide), 'Pulpit');

  test('a visitor gets the passage with its anchor, its tokens and the token count of the whole page', async () => {
    const answer = await searchProductDocs(docs, ctx, { query: 'restore a backup', limit: 8 }, '192.0.2.1');
    expect(productDocsEndpoints.searchProductDocs.output.parse(answer)).toEqual(answer);
    const [first] = answer.results;
    expect(first).toMatchObject({ path: '/docs/operate/running#back-up-and-restore', section: 'operate' });
    expect(first?.excerpt).toMatch(/copy the data folder/);
    expect(first?.tokens).toBeGreaterThan(100);
    expect(answer.wholePageTokens).toBeGreaterThan(first?.tokens ?? 0);
  });

  test('passages use the product name of the installation', async () => {
    const { results } = await searchProductDocs(docs, ctx, { query: 'keeps everything in one folder', limit: 1 }, 'a');
    expect(results[0]?.excerpt).toContain('Pulpit keeps everything');
  });

  test('an empty query is refused, and a search without results is not an error', async () => {
    const search = (query: string) => searchProductDocs(docs, ctx, { query, limit: 8 }, '192.0.2.2');
    await expect(search('  ')).rejects.toMatchObject({ code: 'query-empty' });
    expect((await search('zzzqqq')).results).toEqual([]);
    const tooLong = productDocsEndpoints.searchProductDocs.input.safeParse({
      query: 'x'.repeat(docsQueryCharactersMax + 1),
    });
    expect(tooLong.success).toBe(false);
  });

  test('an address that sends too many queries must wait; without built documentation nothing is found', async () => {
    const nothing = productDocsFrom(async () => undefined, 'Lectern');
    const search = (address: string) => searchProductDocs(nothing, ctx, { query: 'restore', limit: 8 }, address);
    for (let count = 0; count < 120; count += 1) expect((await search('192.0.2.3')).results).toEqual([]);
    await expect(search('192.0.2.3')).rejects.toMatchObject({ code: 'rate-limited' });
    expect((await search('192.0.2.4')).results).toEqual([]);
  });
});
