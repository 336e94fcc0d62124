import { describe, expect, it } from 'vitest';
import { splitDocument } from '../../split/index.ts';
import { extractAsciidoc } from './extract-asciidoc.ts';

const url = 'https://docs.example/manual/guide.adoc';

const read = (text: string) => extractAsciidoc(text, { url });
const markdown = (text: string): string[] => read(text).blocks.map((block) => block.markdown);

describe('extractAsciidoc', () => {
  it('reads sections with the ids a processor gives them and omits author, revision and attributes', () => {
    const { title, blocks } = read(
      '= The Guide\nA. Writer <a@w.example>\nv1.2\n:description: All of it\n\n== Set up, then Run\n\nText.\n\n[#own]\n=== Own id\n\n== Named [[named]]\n\n== Set up, then Run\n',
    );
    expect(title).toBe('The Guide');
    expect(blocks.map(({ markdown: text, depth, anchor }) => [text, depth, anchor])).toEqual([
      ['The Guide', 1, undefined],
      ['Set up, then Run', 2, '_set_up_then_run'],
      ['Text.', undefined, undefined],
      ['Own id', 3, 'own'],
      ['Named', 2, 'named'],
      ['Set up, then Run', 2, '_set_up_then_run_2'],
    ]);
  });

  it('reads underlined titles and does not mistake a code border for one', () => {
    const blocks = read('tool(1)\n=======\n\nNAME\n----\ntool - a tool\n\n----\ncode\n----\n').blocks;
    expect(blocks.map((block) => [block.type, block.markdown])).toEqual([
      ['heading', 'tool(1)'],
      ['heading', 'NAME'],
      ['paragraph', 'tool - a tool'],
      ['code', '```\ncode\n```'],
    ]);
  });

  it('omits comments from lists, terms and text', () => {
    const text =
      '. One\n// easier by hand\n** Two\n// ** Three\nfour\n\n// aside\n. Five\n\na:: b\n// c\nd\ne::\n// f\ng\n\nText\n// h\ngoes on.';
    expect(markdown(text)).toEqual(['1. One\n   - Two\n     four\n2. Five', 'a', 'b\nd', 'e', 'g', 'Text\ngoes on.']);
  });

  it('keeps code and its language unchanged', () => {
    expect(markdown('[source,ruby]\n----\nputs *a*\n\n{b}\n----')).toEqual(['```ruby\nputs *a*\n\n{b}\n```']);
    expect(markdown(':source-language: go\n\n[source]\n----\nx\n----')).toEqual(['```go\nx\n```']);
    expect(markdown('[,js]\n----\nx\n----\n\n```py\ny\n```\n\n....\nz\n....\n\n  indented\n    more')).toEqual([
      '```js\nx\n```',
      '```py\ny\n```',
      '```\nz\n```',
      '```\nindented\n  more\n```',
    ]);
    expect(markdown("[verse]\n'tool add' [-n]")).toEqual(["'tool add' [-n]"]);
    expect(markdown("== SYNOPSIS\n\n[verse]\n'tool add' [-n]")[1]).toBe('```\ntool add [-n]\n```');
  });

  it('reads terms with all their names, attached blocks and nested terms', () => {
    const { blocks } = read(
      '-n::\n--dry-run::\n\tShow only.\n+\n----\ntool -n\n----\n\n--[no-]color=<when>::\n  When:\n\n  always;;\n    Each time.\n  never;;\n    Not at all.\n\n`cfg.key`:: Value.\n\nAfter.',
    );
    expect(blocks.map(({ type, markdown: text, span, depth }) => [type, text, depth, span])).toEqual([
      ['term', '`-n`, `--dry-run`', 1, 2],
      ['paragraph', 'Show only.', undefined, undefined],
      ['code', '```\ntool -n\n```', undefined, undefined],
      ['term', '`--[no-]color=<when>`', 1, 5],
      ['paragraph', 'When:', undefined, undefined],
      ['term', 'always', 2, 1],
      ['paragraph', 'Each time.', undefined, undefined],
      ['term', 'never', 2, 1],
      ['paragraph', 'Not at all.', undefined, undefined],
      ['term', '`cfg.key`', 1, 1],
      ['paragraph', 'Value.', undefined, undefined],
      ['paragraph', 'After.', undefined, undefined],
    ]);
    expect(blocks.filter((block) => block.identifiers?.length).map((block) => block.identifiers)).toEqual([
      ['-n', '--dry-run'],
      ['--color', '--no-color'],
      ['cfg.key'],
    ]);
  });

  it('reads nested lists with the blocks attached to their items', () => {
    expect(markdown('* One\n** Two\n*** [x] Three\n* Four\n+\n----\ncode\n----\n. Five\n. Six')[0]).toBe(
      '- One\n  - Two\n    - [x] Three\n- Four\n\n  ```\n  code\n  ```\n  1. Five\n  2. Six',
    );
    expect(markdown('. One\n. Two\n\nText')).toEqual(['1. One\n2. Two', 'Text']);
  });

  it('reads both forms of admonitions', () => {
    expect(markdown('NOTE: Mind *this*.\n\n[WARNING]\n.Hot\n====\nFirst.\n\n----\nx\n----\n====')).toEqual([
      '> **Note:** Mind **this**.',
      '> **Warning: Hot:** First.',
      '```\nx\n```',
    ]);
  });

  it('reads tables with headers, spans, copies and multi-line cells', () => {
    expect(markdown('|===\n|Key |Value\n\n|`a` |b\nmore\n2+|both\n2*|c\n|===')).toEqual([
      '| Key | Value |\n| --- | --- |\n| `a` | b more |\n| both |  |\n| c | c |',
    ]);
    expect(markdown('[%header,cols="1,2"]\n|===\n|A\n|B\n|1\n|2 \\| 3\n|===')).toEqual([
      '| A | B |\n| --- | --- |\n| 1 | 2 \\| 3 |',
    ]);
    expect(markdown('[options="header",format=csv]\n|===\nA,B\n1,2\n|===')).toEqual([
      '| A | B |\n| --- | --- |\n| 1 | 2 |',
    ]);
  });

  it('writes inline text as Markdown with absolute links', () => {
    const cases: [string, string][] = [
      [
        '*bold* _slanted_ `+{code}+` #marked# **un**constrained',
        '**bold** *slanted* `{code}` marked **un**constrained',
      ],
      ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
      [
        'link:other.adoc[Other^] https://a.example/x[A]',
        '[Other](https://docs.example/manual/other.adoc) [A](https://a.example/x)',
      ],
      [
        '<<own,Own>> and xref:b.adoc#c[C]',
        '[Own](https://docs.example/manual/guide.adoc#own) and [C](https://docs.example/manual/b.adoc#c)',
      ],
      ['see linkgit:git-add[1]', 'see git-add(1)'],
      ["``quoted''", '"quoted"'],
      [
        'kbd:[Ctrl+C] menu:File[Save > All] image:x.png[A picture] icon:fire[]',
        '`Ctrl+C` File > Save > All A picture ',
      ],
      ['a((term)) (((hidden, term))) {nbsp}{unknown} \\*not\\*', 'aterm   {unknown} \\*not\\*'],
      ['javascript:x[Label]', 'Label'],
      ['A &#8212; B &lt;tag&gt; &amp; AT&T', 'A — B \\<tag> & AT&T'],
      ['_see xref:b.adoc[the `+b+` page]_', '*see [the `b` page](https://docs.example/manual/b.adoc)*'],
      ['<<list, `+List<Item>+`>>', '[`List<Item>`](https://docs.example/manual/guide.adoc#list)'],
      [
        'xref:b.adoc[[.cmd]`b`] xref:b.adoc[the [b]]',
        '[`b`](https://docs.example/manual/b.adoc) [the [b]](https://docs.example/manual/b.adoc)',
      ],
      ['xref:b.adoc[image:b.png[B drawn,220,align=left]]', '[B drawn](https://docs.example/manual/b.adoc)'],
    ];
    for (const [source, wanted] of cases) expect(markdown(source)).toEqual([wanted.trim()]);
    expect(markdown(':v: 3.2\n\nVersion {v}')).toEqual(['Version 3.2']);
  });

  it.each([
    '{array}[0] and {url}[1]',
    '/users/{id}[optional], /users/{page}[optional]',
    '${foo}[bar], ${url}[bar]',
    '{x}[y], {url}:8080[port]',
  ])('keeps text that only looks like a link: %s', (text) => {
    expect(markdown(text)).toEqual([text]);
  });

  it('keeps an escaped attribute', () => {
    expect(markdown('\\{x}[y] \\{url}[y]')).toEqual(['{x}[y] {url}[y]']);
  });

  it('shows the text of links whose address begins with an undefined attribute', () => {
    expect(
      markdown(
        ':is: https://a.example\n\nSee {url-docs}/a.html[the `a` part], {url}/{v}/[B], {url}[], {is}[C], `{x}[d]`.',
      ),
    ).toEqual(['See the `a` part, B, {url}[], [C](https://a.example/), `{x}[d]`.']);
  });

  it('reads the blocks of a cell onto one line', () => {
    const table =
      '[cols="1,a"]\n|===\n|Use | Details\n\n|Merge\n|\n[source, cypher]\n----\nMERGE (a)\n  RETURN a\n----\nNOTE: Mind it.\n|Plain\n| one\ntwo\n|===';
    expect(markdown(table)).toEqual([
      '| Use | Details |\n| --- | --- |\n| Merge | `MERGE (a) RETURN a` **Note:** Mind it. |\n| Plain | one two |',
    ]);
  });

  it('names the file of an unresolved include unless it is a file of attributes', () => {
    const text =
      'include::top.adoc[]\n= T\ninclude::_attributes.adoc[]\n:dir: gen\n\n.Request\ninclude::{dir}/a.adoc[tag=x]\nText\ninclude::b.adoc[]\n\n. One\ninclude::c.adoc[]\n. Two\n\n----\ninclude::d.java[]\n----';
    expect(markdown(text)).toEqual([
      'T',
      '**Request**',
      'Included file: `gen/a.adoc`',
      'Text',
      'Included file: `b.adoc`',
      '1. One\n   Included file: `c.adoc`\n2. Two',
      'Included file: `d.java`',
    ]);
  });

  it('evaluates conditions by the attributes of the file', () => {
    const text =
      ':here: yes\n\nifdef::here[]\nA\nendif::[]\nifndef::here[]\nB\nendif::here[]\nifdef::gone[C]\n////\nD\n////\n// E\nF';
    expect(markdown(text)).toEqual(['A\nF']);
  });

  it('splits a page of options into snippets found by each option', () => {
    const body = 'word '.repeat(90);
    const snippets = splitDocument(read(`= t\n\n== Options\n\n-a::\n--all::\n${body}\n\n--none::\n${body}`), { url });
    expect(snippets.map(({ kind, identifiers }) => [kind, identifiers])).toEqual([
      ['api', ['-a', '--all']],
      ['api', ['--none']],
    ]);
  });

  it('keeps excessive nesting as text', () => {
    const nested = (levels: number): string[] => {
      const borders = Array.from({ length: levels }, (_, at) => '='.repeat(at + 4));
      return markdown([...borders, 'deep', ...borders.toReversed()].join('\n'));
    };
    expect(nested(10)).toEqual(['deep']);
    const [only, ...others] = nested(60);
    expect(only).toMatch(/^=+\n[=\n]+\ndeep\n=+\n/);
    expect(others).toEqual([]);
  });

  it('limits the growth by a repeatedly used attribute', () => {
    const { blocks } = read(`:a: ${'x'.repeat(2_000)}\n:b: short\n\n{b}\n\n${'{a}\n\n'.repeat(6_000)}`);
    expect(blocks[0]?.markdown).toBe('short');
    expect(blocks.reduce((sum, { markdown }) => sum + markdown.length, 0)).toBeLessThan(6_000_000);
    expect(blocks.at(-1)?.markdown).toBe('{a}');
  });

  it('terminates on any input', () => {
    const count = 20_000;
    const inputs = [
      '*'.repeat(count * 5),
      '`a '.repeat(count),
      '_a *b `c #d '.repeat(count),
      'a::\n'.repeat(count),
      '* a\n+\n'.repeat(count),
      '====\n'.repeat(count),
      Array.from({ length: 300 }, (_, at) => `${'='.repeat(at + 4)}\n`).join(''),
      'ifdef::a[]\n'.repeat(count),
      '|===\n' + '9999999*|'.repeat(2000),
      ':a: {b}{b}{b}\n:b: {a}{a}{a}\n'.repeat(1000),
      'link:a['.repeat(count),
      '<<a,'.repeat(count),
      'a:b[[c]'.repeat(count),
      '_*#`'.repeat(count),
      'x'.repeat(3_000_000),
      '[a="'.repeat(count),
    ];
    for (const input of inputs) expect(() => read(input), input.slice(0, 20)).not.toThrow();
  });
});
