import { beforeEach, expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import { countTokens } from '#server/ingest/split/tokens.ts';
import { contextOf } from '#test/mcp/context-of.ts';
import { type ModuleOfTest, memoryShelf } from '#test/mcp/memory-shelf.ts';
import { sampleModules } from '#test/mcp/sample-docs.ts';
import { freshDatabase, onEachDatabase } from '#test/services/database.ts';
import { createSearch } from './search.ts';

/** Readable by every caller of the shelf, so only the verb itself can keep it from a visitor. */
const leaky: ModuleOfTest = {
  moduleId: 'vault',
  displayName: 'Vault notes',
  visibility: 'private',
  pages: [
    {
      url: 'https://vault.example/notes',
      title: 'Our vault notes',
      sections: [{ text: 'create_task is called by the vault with the passphrase swordfish.' }],
    },
  ],
};
const shelf = memoryShelf([...sampleModules, leaky]);
const newAddress = (() => {
  let count = 0;
  return () => `192.0.2.${(count += 1)}`;
})();

onEachDatabase('trying the public search', (kind) => {
  const search = createSearch({ shelf });
  let ctx: Context;
  beforeEach(async () => {
    const { clock, log, requestId } = await contextOf();
    ctx = { actor: { kind: 'anonymous' }, workspace: null, db: await freshDatabase(kind), clock, log, requestId };
  });

  test('a visitor gets the same passages as an agent, within the small budget, and the tokens saved', async () => {
    const answer = await search.tryPublicSearch(ctx, { query: 'create_task' }, newAddress());
    const { text } = await search.searchDocs(
      ctx,
      { query: 'create_task source:public', budget: 600, limit: 4 },
      undefined,
    );
    expect(answer.text).toBe(text);
    expect(answer.text).toContain('§ https://tasklib.example/tasks#create-task\nTasks');
    expect(answer.results[0]).toMatchObject({ moduleId: 'tasklib', title: 'Tasks', headingPath: ['Creating tasks'] });
    expect(answer.tokens).toBe(countTokens(answer.text));
    expect(answer.tokens).toBeLessThanOrEqual(limits.trySearchTokens);
    expect(answer.savedTokens).toBe(limits.baselineTokens - answer.tokens);
    expect(answer.results.length).toBeLessThanOrEqual(limits.trySearchResultsMax);
  });

  test('private modules are never searched, even for their owner or on request', async () => {
    const owner: Context = { ...ctx, actor: { kind: 'user', userId: 'anna' }, workspace: 'user:anna' };
    for (const asking of [ctx, owner]) {
      for (const query of ['swordfish passphrase', 'create_task', 'create_task source:private', 'handbook button']) {
        const answer = await search.tryPublicSearch(asking, { query }, newAddress());
        expect(JSON.stringify(answer.results)).not.toMatch(/vault|swordfish|ours|button/i);
        expect(answer.text).not.toMatch(/vault|swordfish|button/i);
      }
    }
    const showcase = JSON.stringify(await search.showcase(owner));
    expect(showcase).toContain('tasklib');
    expect(showcase).not.toMatch(/vault|swordfish|handbook/i);
  });

  test('an empty or too long query is refused without counting toward the limit', async () => {
    const address = newAddress();
    for (let count = 0; count <= 40; count += 1) {
      await expect(search.tryPublicSearch(ctx, { query: ' ' }, address)).rejects.toMatchObject({ code: 'query-empty' });
    }
    const long = { query: 'x'.repeat(limits.queryCharactersMax + 1) };
    await expect(search.tryPublicSearch(ctx, long, address)).rejects.toMatchObject({ code: 'query-too-long' });
    await expect(search.tryPublicSearch(ctx, { query: 'create_task' }, address)).resolves.toBeDefined();
  });

  test('an address that searches too often must wait, without affecting others', async () => {
    const address = newAddress();
    const attempts = Array.from({ length: 45 }, () => search.tryPublicSearch(ctx, { query: 'zebra' }, address));
    const refused = (await Promise.allSettled(attempts)).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(5);
    expect(refused[0]).toMatchObject({ reason: { code: 'rate-limited', retryAfterSeconds: 600 } });
    await expect(search.tryPublicSearch(ctx, { query: 'zebra' }, newAddress())).resolves.toBeDefined();
    const rows = await ctx.db.query.selectFrom('rateCounts').select(['bucket', 'count']).execute();
    expect(rows.find(({ bucket }) => bucket === 'try-search-all')?.count).toBe(41);
  });

  test('suggestions are titles that find something, and the example is a real response to the first', async () => {
    const { suggestions, example, moduleCount, modules } = await search.showcase(ctx);
    expect(moduleCount).toBe(modules.length);
    expect(suggestions).toContain('The manual in Tasklib');
    expect(example?.query).toBe(suggestions[0]);
    for (const query of suggestions) {
      const { results } = await search.tryPublicSearch(ctx, { query }, newAddress());
      expect(results).not.toEqual([]);
    }
    const none = await createSearch({ shelf: memoryShelf([leaky]) }).showcase(ctx);
    expect(none).toEqual({
      modules: [],
      moduleCount: 0,
      pageCount: 0,
      snippetCount: 0,
      suggestions: [],
      example: null,
    });
  });
});
