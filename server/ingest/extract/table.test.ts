import { describe, expect, test } from 'vitest';
import { extractHtml } from './extract-html.ts';

const markdown = (html: string): string =>
  extractHtml(html, { url: 'https://docs.example/a' })
    .blocks.map((block) => block.markdown)
    .join('\n\n');

describe('tables', () => {
  test('find the header row in thead, in th cells and in bold cells', () => {
    const expected = '| A | B |\n| --- | --- |\n| 1 | 2 |';
    expect(markdown('<table><thead><tr><td>A<td>B</thead><tr><td>1<td>2</table>')).toBe(expected);
    expect(markdown('<table><tr><th>A<th>B<tr><td>1<td>2</table>')).toBe(expected);
    expect(markdown('<table><tr><td><b>A</b><td><strong>B</strong><tr><td>1<td>2</table>')).toBe(expected);
  });

  test('without a header keep their first row as data', () => {
    expect(markdown('<table><tr><td>1<td>2<tr><td>3<td>4</table>')).toBe(
      '|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |',
    );
  });

  test('with one column and a bold first row show each row as text', () => {
    expect(markdown('<table><tr><td><b>open</b><tr><td>Opens a file.<tr><td><i>Returns</i> a handle.</table>')).toBe(
      '**open**\n\nOpens a file.\n\n*Returns* a handle.',
    );
  });

  test('with a declaration and its kind in one row become a term (GAPDoc)', () => {
    const row = '<tr><td><code>‣ IsInt</code>( <var>obj</var> )</td><td>(&nbsp;category&nbsp;)</td></tr>';
    const { blocks } = extractHtml(`<table>${row}</table><p>Is it an integer?`, { url: 'https://docs.example/a' });
    expect(blocks[0]).toMatchObject({ type: 'term', markdown: '`IsInt( obj )` ( category )', identifiers: ['IsInt'] });
    expect(markdown('<table><tr><td><code>a</code><td>Input</table><p>Text.')).toContain('| `a` | Input |');
  });

  test('escape pipes, even in code', () => {
    expect(markdown('<table><tr><th>A<th>B<tr><td>x|y<td><code>a|b</code></table>')).toContain('| x\\|y | `a\\|b` |');
  });

  test('repeat a value spanning rows in each row and put one spanning columns in the first', () => {
    const html = '<table><tr><th>A<th>B<th>C<tr><td rowspan=2>x<td>1<td>2<tr><td colspan=2>wide</table>';
    expect(markdown(html)).toBe('| A | B | C |\n| --- | --- | --- |\n| x | 1 | 2 |\n| x | wide |  |');
  });

  test('limit absurd spans', () => {
    const html = `<table>${'<tr><td colspan=100000 rowspan=100000>x'.repeat(500)}</table>`;
    expect(markdown(html).length).toBeLessThan(20_000);
  });

  test('keep a short term or quotation of a cell on its line, but not a long one', () => {
    const table = (cell: string) =>
      `<p>${'Schedules. '.repeat(9)}</p><table><tr><th>Example<th>Meaning<tr><td>a<td>b<tr><td><dl><dt><code>every(0,</code><dd><p><code>3)</code></dl><td>${cell}</table>`;
    expect(markdown(table('<blockquote><p>Thrice.</blockquote>'))).toContain(
      '| Example | Meaning |\n| --- | --- |\n| a | b |\n| `every(0,` `3)` | Thrice. |',
    );
    expect(markdown(table(`<blockquote><p>${'Thrice. '.repeat(40)}</blockquote>`))).toContain(
      '**Meaning:**\n\n> Thrice.',
    );
  });

  test('show a full-width cell once, without a column of its own', () => {
    expect(markdown('<table><tr><th colspan=2>Values<tr><td>A<td>first<tr><td>B<td>second</table>')).toBe(
      '| Values |  |\n| --- | --- |\n| A | first |\n| B | second |',
    );
    const options =
      '<table><tr><td colspan=3><b>arguments</b><tr><td><td>PATH<td>where<tr><td colspan=3><b>options</b><tr><td><td>-n<td>dry</table>';
    expect(markdown(options)).toBe(
      '|  |  |\n| --- | --- |\n| **arguments** |  |\n| PATH | where |\n| **options** |  |\n| -n | dry |',
    );
    const continued = '<table><tr><th>A<th>B<tr><td rowspan=2>x<td>1<tr><td>2</table>';
    expect(markdown(continued)).toContain('| x | 1 |\n| x | 2 |');
    const grouped = '<table><thead><tr><th colspan=2>Sizes<tr><th>Name<th>Bytes</thead><tr><td>int<td>4</table>';
    expect(markdown(grouped)).toContain('| Sizes Name | Bytes |');
  });

  test('that lay out a list in columns become that list', () => {
    const html =
      '<p>Index</p><table><tr><td><ul><li><a href="b">open()</a><ul><li><a href="c">(File)</a></ul></ul><td><ul><li>os</ul></table>';
    expect(markdown(html)).toBe(
      'Index\n\n- [open()](https://docs.example/b)\n  - [(File)](https://docs.example/c)\n\n- os',
    );
  });

  test('put paragraphs and lists of a cell on its line', () => {
    const html = '<table><tr><th>A<th>B<tr><td><p>one</p><p>two</p><td><ul><li>x<li>y</ul></table>';
    expect(markdown(html)).toContain('| one two | • x • y |');
  });

  test('that lay out a page are taken apart', () => {
    const html = '<table role="presentation"><tr><td><p>left</p><td><h2>Right</h2><p>text</p></table>';
    expect(markdown(html)).toBe('left\n\nRight\n\ntext');
  });

  test('turn rows with multi-line code into labeled blocks with the code intact', () => {
    const html = '<table><tr><th>Before<th>After<tr><td><pre>a\nb</pre><td><pre>c\n  d</pre></table>';
    expect(markdown(html)).toBe('**Before:**\n\n```\na\nb\n```\n\n**After:**\n\n```\nc\n  d\n```');
  });

  test('turn rows of declarations under headings into a list', () => {
    const html =
      '<table class="memberdecls"><tr><td colspan=2><h2>Functions</h2><tr><td>void&nbsp;<td>run (int n)<tr><td>&nbsp;<td>Runs it.</table>';
    expect(markdown(html)).toBe('Functions\n\n- void run (int n) — Runs it.');
  });

  test('leave out the buttons that javadoc puts into the caption', () => {
    const tabs =
      '<span class="activeTableTab">All Methods</span><span class="tableTab"><a href="javascript:show(2);">Static Methods</a></span>';
    expect(markdown(`<table><caption>${tabs}</caption><tr><th>A<th>B<tr><td>1<td>2</table>`)).toBe(
      '| A | B |\n| --- | --- |\n| 1 | 2 |',
    );
  });

  test('drop empty columns and rows and keep the caption', () => {
    const html = '<table><caption>Sizes</caption><tr><th>A<th><th>B<tr><td>1<td><td>2<tr><td><td><td></table>';
    expect(markdown(html)).toBe('**Sizes**\n\n| A | B |\n| --- | --- |\n| 1 | 2 |');
    expect(markdown('<table><caption>Sizes</caption><tr><td>one</table>')).toBe('**Sizes**\n\none');
    const code = '<table><caption>Run</caption><tr><td class="code"><pre>a\nb</pre></table>';
    expect(markdown(code)).toBe('**Run**\n\n```\na\nb\n```');
  });

  test('merge the rows of a nested table, qualified by the name of their outer row', () => {
    const params = (rows: string, extra = '') =>
      `<table><thead><tr><th>Name<th>Type${extra}<th>Description</thead><tbody>${rows}</tbody></table>`;
    const inner = params('<tr><td><code>size</code><td>number<td>no<td>Its size.', '<th>Required');
    const html = params(`<tr><td><code>options</code><td>Object<td>How. <h6>Properties</h6>${inner}`);
    expect(markdown(html)).toBe(
      '| Name | Type | Description | Required |\n| --- | --- | --- | --- |\n' +
        '| `options` | Object | How. |  |\n| `options.size` | number | Its size. | no |',
    );
  });
});
