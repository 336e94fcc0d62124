import { describe, expect, test } from 'vitest';
import { extractHtml } from '../extract/extract-html.ts';
import { type DocumentFormat, documentationFormatOf } from './format-of.ts';
import { readers } from './index.ts';

const url = 'https://docs.example/a';
const spaces = ' '.repeat(200_000);

/** Reads a text; the time limit of the test is the bound: quadratic work on these texts takes minutes. */
function read(format: DocumentFormat, path: string, text: string): void {
  expect(() => (format === 'html' ? extractHtml(text, { url }) : readers[format](text, { url, path }))).not.toThrow();
}

describe('long lines and runs of one character take linear time in', () => {
  test.each<[DocumentFormat, string, string, string]>([
    ['html', 'a.html', 'line breaks in code', `<h1>a</h1><pre>a${'\n'.repeat(200_000)}b</pre>`],
    ['markdown', 'a.md', 'a field', `---\ntitle: a${spaces}b\n---\n# c\n`],
    ['markdown', 'a.md', 'a quoted field', `---\ntitle: "${'"#'.repeat(20_000)}\u2028b\n---\n# c\n`],
    ['markdown', 'a.md', 'a missing include', `<!-- @include: ${'a'.repeat(200_000)}\n`],
    ['rst', 'a.rst', 'an option list', `-a,\t--${'0=<0,\t--'.repeat(1000)},\n`],
    ['rst', 'a.rst', 'cells', `.. csv-table:: a\n\n   a${' '.repeat(20_000)}"b\n`],
    ['rst', 'a.rst', 'an entry of a list of pages', `.. toctree::\n\n   a${spaces}b\n`],
    ['rst', 'a.rst', 'a signature', `.. py:function:: a(${'\t'.repeat(20_000)})\n\n   b\n`],
    ['rst', 'a.rst', 'a tall cell', `+--+\n${'|a |\n'.repeat(100_000)}+--+\n`],
    [
      'rst',
      'a.rst',
      'a wide and long table',
      `.. csv-table::\n\n   ${'a,'.repeat(60_000)}\n${'   b\n'.repeat(60_000)}`,
    ],
    ['rst', 'a.rst', 'a long cell', `.. list-table::\n\n   * - a\n${'       b\n'.repeat(100_000)}`],
    ['texinfo', 'a.texi', 'a long cell', `@multitable\n@item a\n${'b\n'.repeat(200_000)}@end multitable\n`],
    ['pod', 'a.pm', 'codes that nothing closes', `=pod\n\n${'C<< a '.repeat(60_000)}\n`],
    ['texinfo', 'a.texi', 'rows', `@multitable\n${'@item a\n'.repeat(200_000)}@end multitable\n`],
    ['pod', 'a.pm', 'code', `=pod\n\n  a${spaces}b\n`],
    ['asciidoc', 'a.adoc', 'marks that nothing closes', `${'[*g'.repeat(200_000)}[*`],
    ['org', 'a.org', 'a heading', `* a${spaces}b\n`],
    ['org', 'a.org', 'open brackets', '['.repeat(200_000)],
    ['org', 'a.org', 'a term', `- a${spaces}b\n`],
    ['asciidoc', 'a.adoc', 'digits in a table', `|===\n|a ${'0'.repeat(200_000)}\n|===\n`],
    ['asciidoc', 'a.adoc', 'a heading', `= a\n\n== b${spaces}c\n`],
    ['declarations', 'a.ts', 'empty lines', `${'\n'.repeat(200_000)}/** a */\nexport function f() {}\n`],
    ['declarations', 'a.ts', 'a comment', `/** a\n *\n${' *\n'.repeat(200_000)} * b */\nexport function f() {}\n`],
    ['declarations', 'a.ts', 'asterisks', `/** a ${'*'.repeat(200_000)} b */\nexport function f() {}\n`],
    [
      'declarations',
      'a.ts',
      'a link',
      `/** {@link a${'|'.repeat(10_000)}${' '.repeat(10_000)}{ */\nexport function f() {}\n`,
    ],
  ])('%s %s: %s', { timeout: 30_000 }, (format, path, _name, text) => {
    read(format, path, text);
  });

  test('the choice of files that are no templates', { timeout: 30_000 }, () => {
    const page = (fill: string) => new TextEncoder().encode(`<html><meta http-equiv=refresh content="0;">${fill}`);
    for (let at = 0; at < 100; at++) documentationFormatOf(`${at}.html`, page('<'.repeat(16_000)));
    expect(documentationFormatOf('a.html', page('<!--'.repeat(4_000)))).toBeUndefined();
  });
});
