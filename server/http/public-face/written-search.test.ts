import { parseFragment } from 'parse5';
import { expect, test } from 'vitest';
import { searchPlaceholders } from '#contract/public-page.ts';
import type { Showcase } from '#contract/try-search.ts';
import { withSearch } from './written-search.ts';

const { query, suggestions, answer, meter } = searchPlaceholders;
const page = `<input value="${query}"><div>${suggestions}</div><div>${answer}</div><div>${meter}</div>`;

function showcaseOf(text: string, asked: string): Showcase {
  const counts = { moduleCount: 1, pageCount: 1, snippetCount: 1_234 };
  const example = {
    ...{ query: asked, results: [], text, tokens: 412, baselineTokens: 10_000, savedTokens: 9_588 },
    ...{ searchedSnippets: 1_234, tookMs: 3.4 },
  };
  return { ...counts, modules: [], suggestions: [asked], example };
}

const names = (nodes: readonly unknown[]): string[] =>
  (nodes as { nodeName: string; childNodes?: unknown[] }[]).flatMap(({ nodeName, childNodes = [] }) => [
    nodeName,
    ...names(childNodes),
  ]);

test('documentation and titles cannot inject markup into the page', () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)> $& ${meter} '`;
  const made = withSearch(
    page,
    showcaseOf(`§ https://docs.example.org/"><b>\n${hostile}\n\n§ #a\n${hostile}`, hostile),
  );
  const elements = new Set(names(parseFragment(made).childNodes));
  const own = [
    '#text',
    'input',
    'div',
    'ul',
    'li',
    'button',
    'p',
    'pre',
    'span',
    'a',
    'svg',
    'defs',
    'pattern',
    'rect',
    'g',
  ];
  expect([...elements].filter((name) => !own.includes(name))).toEqual([]);
  // Placeholder names in documentation stay text.
  expect(made.split(meter).length - 1).toBe(4);
  expect(made.match(/94|96% below/g)).toHaveLength(1);
});

test('without results the page has only a noscript hint and no placeholders', () => {
  for (const showcase of [undefined, { ...showcaseOf('', ''), moduleCount: 0, example: null }]) {
    const made = withSearch(page, showcase);
    expect(made).toMatch(
      /^<input value=""><div><\/div><div><noscript><p [^>]*>[^<]+<\/p><\/noscript><\/div><div><\/div>$/,
    );
  }
  expect(withSearch('<p>Another page</p>', undefined)).toBe('<p>Another page</p>');
});
