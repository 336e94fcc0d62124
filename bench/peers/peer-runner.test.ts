import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/services/temporary-folder.ts';
import { openPeerRunner } from './peer-runner.ts';

const shared = resolve(process.env.LECTERN_SHARED ?? '../shared');
const isThere = existsSync(join(shared, 'bench/run.mjs'));
if (!isThere && process.env.CI)
  throw new Error(`CI must run the peer runner, which is not at ${shared}; set LECTERN_SHARED`);
if (!isThere) console.warn(`left out: there is no peer runner at ${shared} (set LECTERN_SHARED)`);

const page = (title: string, text: string) =>
  `<!doctype html><html><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>`;

test.skipIf(!isThere)(
  'the peer runner indexes, searches, reads and restarts with our server',
  { timeout: 300_000 },
  async () => {
    const folder = temporaryFolder();
    const pages = join(folder, 'pages');
    mkdirSync(pages);
    const links = '<a href="kettle.html">Kettles</a> <a href="teapot.html">Teapots</a>';
    writeFileSync(join(pages, 'index.html'), page('Guide', `All about tea. ${links}`));
    writeFileSync(join(pages, 'kettle.html'), page('Kettles', 'Descale the kettle with citric acid twice a year.'));
    writeFileSync(join(pages, 'teapot.html'), page('Teapots', 'Warm the teapot before the leaves go in.'));
    const queries = join(folder, 'queries.jsonl');
    const asked = [
      { id: 'one', query: 'how do I descale a kettle', gold: ['/tea/kettle.html'], answer_any: ['citric acid'] },
      { id: 'two', query: 'when to warm the teapot', gold: ['/tea/teapot.html'], answer_any: ['before the leaves'] },
    ];
    writeFileSync(queries, asked.map((question) => JSON.stringify(question)).join('\n'));
    const runner = await openPeerRunner(join(folder, 'work'));
    const [ours, inOneSession, named, larger, largest, missing] = await runner.measure({
      ...{ corpora: [{ name: 'tea', dir: pages, prefix: '/tea/' }], queries, phases: 'index,search,cold' },
      peers: ['no-such-peer'],
    });
    expect(ours).toMatchObject({
      peer: 'lectern',
      pages_fetched: 3,
      index_notes: [],
      recall_at_5: 1,
      empty_or_error: 0,
    });
    expect(ours).toMatchObject({ answer_found_with_read: 1, queries: 2 });
    for (const figure of ['pages_per_s', 'peak_rss_mb', 'index_mb', 'p50_ms', 'tools_tokens', 'cold_start_ms'])
      expect(ours?.[figure as 'p50_ms'], figure).toBeGreaterThan(0);
    // The second question in the same session does not return passages already sent.
    expect(inOneSession).toMatchObject({ peer: 'lectern, one session', empty_or_error: 1 });
    for (const [row, way] of [
      [named, 'set named'],
      [larger, 'up to 4,000 tokens'],
      [largest, 'up to 7,000 tokens'],
    ] as const)
      expect(row).toMatchObject({ peer: `lectern, ${way}`, queries: 2, answer_found: 1, empty_or_error: 0 });
    // Installed packages are many files, so they are removed before the tests end.
    await rm(join(folder, 'work'), { recursive: true });
    expect(missing).toMatchObject({ peer: 'no-such-peer', failed: expect.stringContaining('no-such-peer') });
  },
);
