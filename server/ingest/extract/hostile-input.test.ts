import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Pump, textOfPump } from '#test/services/pumps.ts';
import { extractHtml } from './extract-html.ts';

const lists = path.resolve(process.env['LECTERN_SHARED'] ?? '../shared', 'security');
const hasLists = existsSync(path.join(lists, 'html-malformed.jsonl'));
if (!hasLists) console.warn(`left out: no lists of broken HTML in ${lists}`);

const extract = (html: string) => extractHtml(html, { url: 'https://docs.example/a' });
const textOf = (html: string): string =>
  extract(html)
    .blocks.map((block) => block.markdown)
    .join('\n');

const MANY = 100_000;

describe('hostile pages', () => {
  test.each([
    ['div', '<div>'],
    ['b', '<b>'],
    ['blockquote', '<blockquote>x'],
    ['lists', '<ul><li>x'],
    ['definition lists', '<dl><dt>x<dd>'],
    ['tables', '<table><tr><td>'],
    ['admonitions', '<div class="note">x'],
    ['details', '<details><summary>x</summary>'],
    ['spans in a heading', '<h1><span>'],
    ['svg', '<svg><g>'],
  ])('with 100,000 nested elements do not overflow the stack and yield limited text: %s', (_name, tag) => {
    const html = `${tag.repeat(MANY)}end`;
    expect(textOf(html).length).toBeLessThan(3 * html.length);
  });

  test.each([
    [
      'tab rows beside each other',
      '<div role="tablist"><button role="tab">x</button></div><div role="tabpanel">y</div>',
      20_000,
    ],
    ['lists of local links', '<ul><li><a href="#x">x</a></ul>', MANY],
    ['rows of steps', '<div><a href="?a">Next</a><a href="?b">Prev</a></div>', 20_000],
    ['bare steps', '<a href="?a">Next</a>', MANY],
    ['lines above no copyright', '\n', 300_000, '<p>Text.</p><p>a'],
    ['powers', '<sup>2</sup>', MANY],
    ['lines in code', '<div>x</div>\n', MANY, '<pre>'],
    ['spans of columns', '<tr><td colspan=9999 rowspan=9999>x', 3000, '<table>'],
    ['rows of a table', '<tr><td>x', 200_000, '<table>'],
    ['parts of a cell', '<p>x<h2>y</h2>', 100_000, '<h1>a</h1><p>b<table><tr><td>c<td>'],
    ['terms in a division', '<dt>x<dd>y', 200_000, '<dl><div>'],
    ['lists of terms in a note', '<dl><dt id=a>x<dd>y</dl>', 50_000, '<div class=note>'],
    ['rows with one cell that is filled', '<tr id=a><td>x y z<td>', 100_000, '<h1>a</h1><table>'],
    ['attributes', 'a', MANY, '<a '],
  ])('take linear time: %s', (_name, unit, count, before = '') => {
    // The time limit of the test is the bound: quadratic work on these takes minutes.
    const numbered = unit === 'a' ? Array.from({ length: count }, (_, i) => `a${i}=x `).join('') : unit.repeat(count);
    expect(() => extract(before + numbered)).not.toThrow();
  });

  test('yield text if they show any', () => {
    expect(textOf('<nav><a href="a">Only a menu</a></nav>')).toContain('Only a menu');
    expect(textOf('<footer>Copyright of nothing else</footer>')).toContain('Copyright of nothing else');
    expect(textOf('just text')).toBe('just text');
  });

  test.skipIf(!hasLists)('with broken HTML do not throw and show no script or style', () => {
    for (const { id, html } of readCases('html-malformed.jsonl')) {
      const shown = textOf(html!);
      const scripts = [...html!.matchAll(/<(?:script|style)[^>]*>([^<]{4,})<\/(?:script|style)>/gi)];
      for (const [, inside] of scripts)
        expect(shown.includes(inside!) && !html!.replace(inside!, '').includes(inside!), id).toBe(false);
    }
  });

  test.skipIf(!hasLists)('that make parsers quadratic take linear time', () => {
    const pumps = readCases('text-pumps.jsonl').filter((pump) => pump.class === 'html');
    expect(pumps.length).toBeGreaterThan(5);
    for (const pump of pumps) expect(() => extract(pumped(pump, 64_000)), pump.name).not.toThrow();
  });
});

describe('any page', () => {
  const word = fc.stringMatching(/^[a-z]{1,8}$/);
  const tag = fc.constantFrom(
    'div',
    'p',
    'ul',
    'li',
    'dl',
    'dt',
    'dd',
    'table',
    'tr',
    'td',
    'th',
    'pre',
    'code',
    'a',
    'b',
    'h2',
    'blockquote',
    'details',
    'summary',
    'nav',
    'main',
    'span',
    'section',
  );
  const attributes = fc.constantFrom(
    '',
    ' class="note"',
    ' id="x"',
    ' href="y#z"',
    ' class="toc"',
    ' hidden',
    ' role="tabpanel"',
    ' colspan="3"',
    ' class="highlight-python"',
  );
  const piece = fc.oneof(
    word,
    fc.tuple(tag, attributes).map(([name, rest]) => `<${name}${rest}>`),
    tag.map((name) => `</${name}>`),
    fc.constantFrom('<br>', '<!-- c -->', '&amp;', '<', '"', '\n', '<script>s</script>'),
  );
  const page = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(' '));

  test('never throws, keeps spans inside the document and depths within bounds', () => {
    fc.assert(
      fc.property(fc.oneof(page, fc.string({ maxLength: 200 })), (html) => {
        const { blocks } = extract(html);
        blocks.forEach((block, at) => {
          expect(block.markdown).not.toBe('');
          expect(block.markdown.endsWith('\n')).toBe(false);
          if (block.type === 'term') expect(at + 1 + block.span!).toBeLessThanOrEqual(blocks.length);
          if (block.depth !== undefined) expect(block.depth >= 1 && block.depth <= 6).toBe(true);
        });
      }),
      { numRuns: 400 },
    );
  });

  test('keeps code unchanged', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\t', '`', '<', '&', '*', '|', '>', '#', '~', '\\', 'é') }),
        (source) => {
          fc.pre(source.trim() !== '' && !source.startsWith('\n'));
          const escaped = source.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
          const [block] = extract(`<p>x</p><pre>${escaped}</pre>`).blocks.slice(1);
          const lines = block!.markdown.split('\n');
          expect(lines.slice(1, -1).join('\n')).toBe(source.replace(/\n+$/, ''));
          expect(lines.slice(1, -1)).not.toContain(lines.at(-1));
        },
      ),
      { numRuns: 400 },
    );
  });

  test('has only absolute web links', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), (href) => {
        const { links } = extract(`<a href="${href.replaceAll('"', '&quot;')}">x</a>`);
        for (const { url } of links) expect(url).toMatch(/^https?:\/\//);
      }),
      { numRuns: 300 },
    );
  });

  test('keeps the words of paragraphs in order', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 30 }), (words) => {
        expect(textOf(`<main><p>${words.join(' ')}</p></main>`)).toBe(words.join(' '));
      }),
    );
  });
});

interface Case {
  id?: string;
  class?: string;
  name?: string;
  html?: string;
  parts?: Pump['parts'];
}

function readCases(name: string): Case[] {
  return readFileSync(path.join(lists, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Case);
}

function pumped({ parts }: Case, n: number): string {
  // The case that the list describes in words: an excessive number of attributes.
  if (parts === undefined) return `<a ${Array.from({ length: n }, (_, i) => `a${i}=x `).join('')}>`;
  return textOfPump({ parts }, n);
}
