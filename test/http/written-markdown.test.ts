import { expect, test } from 'vitest';
import { searchPlaceholders, statusPlaceholders } from '#contract/public-page.ts';
import { withSearch } from '#server/http/public-face/written-search.ts';
import { withStatus } from '#server/http/public-face/written-status.ts';
import { markdownOfPage } from '#server/ingest/extract/markdown-of-page.ts';

const address = 'https://lectern.example/';
const at = Date.UTC(2026, 10, 22, 12);
const passage =
  'Rotate it:\n\n- stop it\n- move it\n\n```sh\nif full; then\n    rotate --now\nfi\n```\n\nThen start it.';

test('passages on the home page keep their line breaks in its Markdown', () => {
  const page = `<main><h1>Home</h1><div>${searchPlaceholders.answer}</div></main>`;
  const example = {
    ...{
      query: 'rotate',
      results: [],
      text: `§ https://docs.example/a#b\n${passage}`,
      tokens: 41,
      baselineTokens: 10_000,
    },
    ...{ savedTokens: 9_959, searchedSnippets: 9, tookMs: 3 },
  };
  const counts = { moduleCount: 1, pageCount: 1, snippetCount: 9, modules: [], suggestions: ['rotate'] };
  const { markdown } = markdownOfPage(withSearch(page, { ...counts, example }), address);
  expect(markdown).toContain(`\n\`\`\`\`\n${passage}\n\`\`\`\`\n`);
});

test('words of the status page stay separated in its Markdown, and script-only controls are left out', async () => {
  const search = [{ at, calls: 3, errors: 0, p50: 4, p95: 9 }];
  const switches =
    '<div class="flex noscript:hidden"><div role="radiogroup"><span role="radio">Searches</span><span role="radio">Reads</span></div></div>';
  const page = `<main><h1>Status</h1>${switches}<div>${statusPlaceholders.speed}</div></main>`;
  const none = { at, calls: 0, errors: 0, p50: null, p95: null };
  const total = { search: { at, calls: 3, errors: 0, p50: 4, p95: 9 }, read: none };
  const latency = { at, stepMinutes: 15, search, read: [], total };
  const made = await withStatus(page, { at, report: undefined, history: undefined, latency, incidents: undefined });
  const { markdown } = markdownOfPage(made, address);
  expect(markdown).toMatch(/Median 95th percentile/);
  expect(markdown).not.toMatch(/Searches|Reads/);
});
