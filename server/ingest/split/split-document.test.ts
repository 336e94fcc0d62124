import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block, ExtractedDocument } from '../document.ts';
import { fragmentsOf } from './fragments.ts';
import { countTokens, splitDocument } from './index.ts';

const url = 'https://docs.example/guide';

function documentOf(blocks: Block[], title = 'Guide'): ExtractedDocument {
  return { title, isNoindex: false, blocks, links: [] };
}

/** Returns text of `count` tokens, with a sentence end after every tenth. */
function words(count: number): string {
  return Array.from({ length: count }, (_, index) => (index % 10 === 9 ? 'end.' : 'some')).join(' ');
}

const heading = (markdown: string, depth: number, anchor?: string): Block => ({
  type: 'heading',
  markdown,
  depth,
  anchor,
});
const paragraph = (markdown: string): Block => ({ type: 'paragraph', markdown });
const code = (body: string, language = 'js'): Block => ({
  type: 'code',
  language,
  markdown: `\`\`\`${language}\n${body}\n\`\`\``,
});
const term = (name: string, span: number): Block => ({
  type: 'term',
  markdown: `\`${name}()\``,
  anchor: name,
  depth: 1,
  span,
  identifiers: [name],
});

describe('whole sections', () => {
  it('stay in one snippet if they fit, with subsections, under their own anchor', () => {
    const snippets = splitDocument(
      documentOf([
        heading('Guide', 1, 'top'),
        paragraph(words(150)),
        heading('Install', 2, 'install'),
        paragraph(words(80)),
        heading('On Linux', 3, 'linux'),
        paragraph(words(80)),
        heading('Use', 2, 'use'),
        paragraph(words(150)),
      ]),
      { url },
    );
    const install = snippets.find((snippet) => snippet.anchor === 'install');
    expect(install?.text).toContain('### On Linux');
    expect(install?.text.startsWith('## Install\n\n')).toBe(true);
    expect(install?.headingPath).toEqual(['Install']);
  });

  it('without text are no snippet of their own, but are found by their anchors', () => {
    const snippets = splitDocument(
      documentOf([
        heading('Guide', 1, 'top'),
        paragraph(words(300)),
        heading('Notes', 2, 'notes'),
        heading('Models', 2, 'models'),
        paragraph(words(350)),
        heading('History', 2, 'history'),
      ]),
      { url },
    );
    expect(snippets.map(({ text }) => text.match(/#+ \w+/g))).toEqual([
      ['# Guide', '## Notes'],
      ['## Models', '## History'],
    ]);
    expect(snippets.map(({ sections }) => sections?.map(({ anchor }) => anchor))).toEqual([
      ['top', 'notes'],
      ['models', 'history'],
    ]);
  });

  it('that share a snippet keep their anchors', () => {
    const snippets = splitDocument(
      documentOf([
        ...[heading('Guide', 1, 'top'), paragraph(words(150))],
        ...[heading('One', 2, 'one'), paragraph(words(40))],
        ...[heading('Two', 2, 'two'), paragraph(words(40)), heading('Inner', 3, 'inner'), paragraph(words(30))],
        ...[heading('Three', 2, 'three'), paragraph(words(300))],
      ]),
      { url },
    );
    expect(snippets.map(({ anchor }) => anchor)).toEqual(['top', 'one', 'three']);
    expect(snippets.map(({ sections }) => sections?.map((section) => [section.anchor, section.headingPath]))).toEqual([
      undefined,
      [
        ['one', ['One']],
        ['two', ['Two']],
        ['inner', ['Two', 'Inner']],
      ],
      undefined,
    ]);
  });

  it('that must stand alone are separated from neighbors, and whole if they fit in a snippet', () => {
    const alone = (name: string, count: number): Block[] => [
      { ...heading(`\`${name}\``, 2, name), identifiers: [name], isAlone: true },
      ...Array.from({ length: count }, () => paragraph(words(50))),
    ];
    const snippets = splitDocument(documentOf([...alone('a.one', 1), ...alone('a.two', 1), ...alone('a.long', 10)]), {
      url,
    });
    expect(snippets.map((snippet) => snippet.identifiers)).toEqual([['a.one'], ['a.two'], ['a.long']]);
    expect(snippets.map((snippet) => snippet.kind)).toEqual(['api', 'api', 'api']);
  });

  it('have no page title in their heading path and keep other top headings', () => {
    const [first] = splitDocument(documentOf([heading('The *Guide*', 1), paragraph('Text.')], 'The Guide'), { url });
    expect(first?.headingPath).toEqual([]);
    const [other] = splitDocument(documentOf([heading('Elsewhere', 1), paragraph('Text.')]), { url });
    expect(other?.headingPath).toEqual(['Elsewhere']);
  });

  it('are joined with a single introductory line of the page', () => {
    const blocks = [
      heading('Guide', 1, 'top'),
      paragraph('Shows the way.'),
      heading('Synopsis', 2, 'synopsis'),
      paragraph(words(120)),
    ];
    const snippets = splitDocument(documentOf(blocks), { url });
    expect(snippets.map(({ anchor, headingPath }) => [anchor, headingPath])).toEqual([['top', []]]);
    const longer = splitDocument(
      documentOf([...blocks, paragraph(words(250)), heading('More', 2), paragraph(words(200))]),
      { url },
    );
    expect(longer[0]?.headingPath).toEqual(['Synopsis']);
    expect(longer[0]?.text.startsWith('# Guide\n\nShows the way.\n\n## Synopsis')).toBe(true);
  });

  it('are preceded by the heading without text that introduces them', () => {
    const snippets = splitDocument(
      documentOf([
        heading('Reference', 2, 'ref'),
        heading('Open', 3, 'open'),
        paragraph(words(250)),
        heading('Close', 3, 'close'),
        paragraph(words(250)),
      ]),
      { url },
    );
    expect(snippets.map((snippet) => snippet.headingPath)).toEqual([
      ['Reference', 'Open'],
      ['Reference', 'Close'],
    ]);
    expect(snippets[0]?.text.startsWith('## Reference\n\n### Open\n\n')).toBe(true);
  });
});

describe('terms', () => {
  it('of sufficient size have their own snippet, addressed and named by the term', () => {
    const snippets = splitDocument(
      documentOf([
        heading('Functions', 2, 'functions'),
        term('read', 1),
        paragraph(words(120)),
        term('write', 1),
        paragraph(words(120)),
      ]),
      { url },
    );
    expect(snippets.map(({ anchor, identifiers, kind }) => ({ anchor, identifiers, kind }))).toEqual([
      { anchor: 'read', identifiers: ['read'], kind: 'api' },
      { anchor: 'write', identifiers: ['write'], kind: 'api' },
    ]);
  });

  it('without an anchor are addressed by their text, and headings by their own anchor', () => {
    const entry = (markdown: string, span: number): Block => ({
      ...term('x', span),
      markdown,
      anchor: undefined,
      identifiers: [],
    });
    const snippets = splitDocument(
      documentOf([
        ...[
          heading('Options', 2, 'options'),
          entry('`-n`, `--dry-run`', 2),
          paragraph(words(300)),
          paragraph(words(250)),
        ],
        ...[entry('`--prune`', 1), paragraph(words(120)), entry('`--prune`', 1), paragraph(words(120))],
        ...[term('named', 1), paragraph(words(120)), paragraph(words(400))],
        ...[heading('Files', 2, 'files'), paragraph(words(120))],
      ]),
      { url },
    );
    expect(snippets.map(({ anchor }) => anchor)).toEqual([
      'options:~:text=%2Dn%2C%20--dry-run',
      'options:~:text=%2Dn%2C%20--dry-run',
      'options:~:text=%2D-prune',
      'options:~:text=%2D-prune',
      'named',
      'options',
      'options',
      'files',
    ]);
    expect(snippets[0]?.sections?.map(({ anchor }) => anchor)).toEqual(['options']);
    expect(snippets[0]?.text).toMatch(/^## Options\n\n[^]*--dry-run/);
  });

  it('that are tiny share a snippet that names them all', () => {
    const blocks = ['a', 'b', 'c'].flatMap((name) => [term(name, 1), paragraph(words(10))]);
    const snippets = splitDocument(documentOf([heading('Options', 2), paragraph(words(500)), ...blocks]), { url });
    expect(snippets.at(-1)?.identifiers).toEqual(['a', 'b', 'c']);
  });

  it('stay with the text that introduces them, if it fits in a snippet', () => {
    const announced = [paragraph(`${words(120)} These values are known:`), term('first', 1), paragraph(words(150))];
    const rest = [term('second', 1), paragraph(words(300))];
    const [lead, second] = splitDocument(documentOf([heading('Values', 2, 'values'), ...announced, ...rest]), { url });
    expect(lead?.text).toMatch(/known:\n\n`first\(\)`\n\n/);
    expect(lead).toMatchObject({ anchor: 'values', identifiers: ['first'] });
    expect(second?.anchor).toBe('second');
  });

  it('are named in the heading path of their later parts', () => {
    const blocks = [heading('Functions', 2), term('spawn', 4), ...[1, 2, 3, 4].map(() => paragraph(words(150)))];
    const snippets = splitDocument(documentOf(blocks), { url });
    expect(snippets.length).toBeGreaterThan(1);
    expect(snippets[0]?.headingPath).toEqual(['Functions']);
    expect(snippets[1]?.headingPath).toEqual(['Functions', 'spawn']);
    expect(snippets[1]?.kind).toBe('api');
  });

  it('are nested in the path by their span, and text after them belongs to the section', () => {
    const blocks = [
      heading('Classes', 2),
      term('Stream', 3),
      paragraph(words(200)),
      term('Stream.read', 1),
      paragraph(words(200)),
      paragraph(words(200)),
    ];
    const snippets = splitDocument(documentOf(blocks), { url });
    expect(snippets.map((snippet) => snippet.headingPath)).toEqual([['Classes'], ['Classes', 'Stream'], ['Classes']]);
  });
});

describe('splitting', () => {
  it('keeps the introduction with its code block and the explanation after it', () => {
    const blocks = [
      heading('Start', 2),
      paragraph(words(180)),
      paragraph(words(180)),
      paragraph('Create a server like this:'),
      code('const server = createServer();'),
      paragraph('The server listens at once.'),
    ];
    const holder = splitDocument(documentOf(blocks), { url }).find((snippet) => snippet.text.includes('createServer'));
    expect(holder?.text).toContain('Create a server like this:');
    expect(holder?.text).toContain('The server listens at once.');
  });

  it('keeps an introduction with the one that follows it', () => {
    const blocks = [
      heading('Start', 2),
      paragraph(words(150)),
      paragraph(words(150)),
      paragraph('An example of two servers:'),
      paragraph('The first:'),
      code(Array(100).fill('run the server').join('\n')),
    ];
    const holder = splitDocument(documentOf(blocks), { url }).find((snippet) => snippet.text.includes('The first:'));
    expect(holder?.text).toMatch(/two servers:[^]*run the server/);
  });

  it.each([
    ['a remark', '> ', '> **Note**\n>\n'],
    ['a quotation', '> ', ''],
    ['a list of long items', '', ''],
  ])('does not separate a term from its body: %s', (_name, mark, label) => {
    const body = Array.from({ length: 3 }, () => `${mark}\n${mark}  ${words(90)}\n`).join('');
    const items = Array.from({ length: 9 }, (_, at) => `${mark}- \`option${at}\`\n${body}`).join('');
    const markdown = (label + items).trimEnd();
    const snippets = splitDocument(documentOf([heading('Long', 1), { type: mark ? 'quote' : 'list', markdown }]), {
      url,
    });
    expect(snippets.length).toBeGreaterThan(3);
    for (const { text } of snippets) expect(text).not.toMatch(/(?:option\d`|\*\*Note\*\*)\s*$/);
  });

  it('keeps an answer with its question, and the code that a quote introduces', () => {
    const quote = (markdown: string): Block => ({ type: 'quote', markdown });
    const blocks = [
      heading('Questions', 2),
      paragraph(words(150)),
      paragraph(words(150)),
      paragraph('**Q: Is it quick?**'),
      quote('> A: Yes. Try:'),
      code(Array(100).fill('run the server').join('\n')),
    ];
    const holder = splitDocument(documentOf(blocks), { url }).find((snippet) => snippet.text.includes('Is it quick?'));
    expect(holder?.text).toMatch(/A: Yes[^]*run the server/);
  });

  it('keeps a title in bold with the text below it', () => {
    const options = ['First', 'Second', 'Third', 'Fourth'].flatMap((name) => [
      paragraph(`**${name} option**`),
      paragraph(words(180)),
    ]);
    const snippets = splitDocument(documentOf([heading('Options', 2), ...options]), { url });
    expect(snippets.length).toBeGreaterThan(1);
    for (const { text } of snippets) expect(text).not.toMatch(/\*\*$/);
  });

  it('does not cut links or code spans in a list without sentences', () => {
    const link = (at: number) => `[method${at}(io : IO) of Reader](https://docs.example/reader#method${at}%28io%29)`;
    const lists = [link, (at: number) => `\`val value${at} : int -> string -> unit\``].map((item) =>
      Array.from({ length: 120 }, (_, at) => item(at)),
    );
    for (const items of lists) {
      const snippets = splitDocument(documentOf([heading('Members', 2), paragraph(items.join(', '))]), { url });
      expect(snippets.length).toBeGreaterThan(2);
      const texts = snippets.map(({ text }) => text.replace(/^## Members\s*/, ''));
      expect(texts.flatMap((text) => text.split(', ').map((item) => item.replace(/,$/, '')))).toEqual(items);
    }
  });

  it('does not cut a sentence that continues after a code block', () => {
    const blocks = [
      heading('Start', 2),
      paragraph(words(150)),
      paragraph('A server that is made by'),
      code(Array(50).fill('run the server').join('\n')),
      paragraph(`listens at once. ${words(150)}`),
    ];
    const holder = splitDocument(documentOf(blocks), { url }).find((snippet) => snippet.text.includes('made by'));
    expect(holder?.text).toContain('listens at once');
  });

  it('does not cut between a code block and its explanation', () => {
    const blocks = [
      heading('Start', 2),
      paragraph(words(190)),
      paragraph('Like this:'),
      code(Array(20).fill('run the server').join('\n')),
      paragraph(`Explained ${words(60)}`),
      paragraph(words(190)),
    ];
    const snippets = splitDocument(documentOf(blocks), { url });
    expect(snippets).toHaveLength(2);
    expect(snippets[0]?.text).toMatch(/Like this:[^]*```\n\nExplained/);
  });

  it('keeps a heading with a code block that fills a snippet alone', () => {
    const [first] = splitDocument(
      documentOf([heading('Listing', 2), code(Array(110).fill('const total = first + second;').join('\n'))]),
      { url },
    );
    expect(first?.text).toMatch(/^## Listing\n\n```js/);
  });

  it('repeats the header of a table that is cut between rows', () => {
    const rows = Array.from({ length: 80 }, (_, index) => `| name${index} | ${words(8)} |`);
    const table: Block = { type: 'table', markdown: ['| Name | Meaning |', '| --- | --- |', ...rows].join('\n') };
    const snippets = splitDocument(documentOf([heading('Names', 2), table]), { url });
    expect(snippets.length).toBeGreaterThan(2);
    for (const snippet of snippets) {
      expect(snippet.text.split('| Name | Meaning |\n| --- | --- |')).toHaveLength(2);
      expect(snippet.kind).toBe('table');
    }
  });

  it('keeps a row of 300 tokens whole and begins each part of a longer one with its first cell', () => {
    const rows = [`| \`first\` | ${words(290)} |`, `| \`second\` | ${words(900)} |`, '| `third` | short |'];
    const table: Block = { type: 'table', markdown: ['| Name | Meaning |', '| --- | --- |', ...rows].join('\n') };
    const texts = splitDocument(documentOf([heading('Names', 2), table]), { url }).map(({ text }) => text);
    expect(texts.filter((text) => text.includes('`first`'))).toEqual([expect.stringContaining(rows[0] as string)]);
    expect(texts.filter((text) => text.includes('| `second` |')).length).toBeGreaterThan(1);
    for (const row of texts.flatMap((text) => text.split('\n')).filter((line) => line.includes('word'))) {
      expect(row).toMatch(/^\| `(?:first|second)` \| .+ \|$/);
    }
  });

  it('keeps a code block of 900 tokens whole and reopens the fence in a longer one', () => {
    const line = 'const total = first + second;';
    const whole = splitDocument(documentOf([code(Array(110).fill(line).join('\n'))]), { url });
    expect(whole).toHaveLength(1);
    const cut = splitDocument(documentOf([code(Array(600).fill(line).join('\n'))]), { url });
    expect(cut.length).toBeGreaterThan(5);
    for (const snippet of cut) expect(snippet.text).toMatch(/^```js\n(const total = first \+ second;\n)+```$/);
  });

  it('cuts a list between items and keeps a fence inside an item whole', () => {
    const items = Array.from(
      { length: 12 },
      (_, index) => `- ${words(40)}\n\n  \`\`\`sh\n  run ${index}\n\n  stop\n  \`\`\``,
    );
    const list: Block = { type: 'list', markdown: items.join('\n') };
    for (const snippet of splitDocument(documentOf([list]), { url })) {
      expect(snippet.text.startsWith('- ')).toBe(true);
      expect((snippet.text.match(/```/g) ?? []).length % 2).toBe(0);
    }
  });
});

describe('links', () => {
  const here = 'https://docs.example/a.html';
  const there = 'https://other.example/b';

  it('within the site become text, while others and lists of links keep their targets', () => {
    const list = `- [One](${here}#one)\n- [Two](${here}#two)`;
    const text = `Call [\`run()\`](${here}#run) or [that \`[x](${here})\`](${there}) as the next chapter tells at some length.`;
    const [snippet] = splitDocument(
      documentOf([paragraph(text), { type: 'list', markdown: list }, code(`[a](${here})`)]),
      { url },
    );
    expect(snippet?.text).toBe(
      `Call \`run()\` or [that \`[x](${here})\`](${there}) as the next chapter tells at some length.\n\n${list}\n\n\`\`\`js\n[a](${here})\n\`\`\``,
    );
  });

  it('of an enumeration to its values become text', () => {
    const list = `- enum [LampMode](${here}#m) : char { [LAMP_ON](${here}#on) = 0 , [LAMP_OFF](${here}#off) = 1 }\n- enum { [LAMPS_AT_MOST](${here}#max) }`;
    const [snippet] = splitDocument(documentOf([{ type: 'list', markdown: list }]), { url });
    expect(snippet?.text).toBe('- enum LampMode : char { LAMP_ON = 0 , LAMP_OFF = 1 }\n- enum { LAMPS_AT_MOST }');
  });

  it('with generic texts keep their targets, since searches cannot find them', () => {
    const text = `Read [this page](${here}#a), or [here](${here}#b) about [ways](${here}#c). Then read this separate page: [Ways on](${here}#d).`;
    const [snippet] = splitDocument(documentOf([paragraph(text)]), { url });
    expect(snippet?.text).toBe(text.replace(`[ways](${here}#c)`, 'ways'));
  });

  it.each([
    ['Dokka', `//[shop](${here})/[Basket](${here}#b)/[add](${here}#a)`, '//shop/Basket/add'],
    ['API Documenter', `[Home](${here}) > [shop](${here}#s) > [add](${here}#a)`, 'Home > shop > add'],
    ['TypeDoc', `[shop](${here}) / [basket](${here}#b) / Line`, 'shop / basket / Line'],
    ['an author, of languages', `[English](${here}) / [Deutsch](${here}#d)`, undefined],
  ])('to the pages above lose their targets: %s', (_, trail, text = trail) => {
    expect(splitDocument(documentOf([paragraph(trail)]), { url })[0]?.text).toBe(text);
    const below = documentOf([{ type: 'heading', depth: 1, markdown: 'Guide' }, paragraph(trail)]);
    expect(splitDocument(below, { url })[0]?.text).toBe(`# Guide\n\n${trail}`);
  });
});

describe('inherited members', () => {
  it('are listed without the targets of their links', () => {
    const list = paragraph(
      '[`close`](https://docs.example/Base.html#close), [`open`](https://other.example/Object.html#open)',
    );
    const titled = (title: string) => splitDocument(documentOf([heading(title, 3), list]), { url })[0]?.text;
    expect(titled('Methods inherited from class Base')).toMatch(/\n`close`, `open`$/);
    expect(titled('Methods that close')).toContain(list.markdown);
    const prose = paragraph(
      'A process has the limits that [the specification](https://other.example/spec) sets for it.',
    );
    const document = documentOf([heading('Limits inherited from the shell', 3), prose]);
    expect(splitDocument(document, { url })[0]?.text).toContain(prose.markdown);
  });

  it.each(['Overrides', 'Referenced by'])('and members after "%s" are named without targets', (word) => {
    const link = '[closeAll](https://docs.example/Pool.html#closeAll)';
    const line = paragraph(`${word} [ConnectionPool](https://docs.example/Pool.html).${link}`);
    expect(splitDocument(documentOf([line]), { url })[0]?.text).toBe(`${word} ConnectionPool.closeAll`);
  });
});

describe('ids', () => {
  it('are the same for the same page and differ for equal texts on it', () => {
    const blocks = [heading('A', 2, 'a'), paragraph(words(300)), paragraph(words(300)), paragraph(words(300))];
    const first = splitDocument(documentOf(blocks), { url }).map((snippet) => snippet.id);
    expect(splitDocument(documentOf(blocks), { url }).map((snippet) => snippet.id)).toEqual(first);
    expect(new Set(first).size).toBe(first.length);
    expect(splitDocument(documentOf(blocks), { url: `${url}2` }).map((snippet) => snippet.id)).not.toEqual(first);
  });
});

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.integer({ min: 1, max: 900 }).map((count) => words(count)),
  fc
    .tuple(fc.constantFrom('中', 'a', '!', '🙂', '\u0301', '<|endoftext|>', 'x.'), fc.integer({ min: 1, max: 3000 }))
    .map(([unit, count]) => unit.repeat(count)),
);
const oneLine = anyText.map((text) => text.replace(/[`~\n\r]/g, ' ').trim() || 'x');
const anyBlock: fc.Arbitrary<Block> = fc.oneof(
  fc.record({
    type: fc.constant('heading' as const),
    markdown: oneLine,
    depth: fc.integer({ min: 1, max: 6 }),
    anchor: fc.option(fc.string(), { nil: undefined }),
  }),
  fc.record({
    type: fc.constant('term' as const),
    markdown: oneLine,
    depth: fc.integer({ min: 1, max: 3 }),
    span: fc.integer({ min: 0, max: 5 }),
    identifiers: fc.array(fc.string({ minLength: 1 }), { maxLength: 2 }),
  }),
  fc.record({ type: fc.constant('paragraph' as const), markdown: oneLine }),
  fc.array(oneLine, { minLength: 1, maxLength: 20 }).map((lines) => code(lines.join('\n'))),
  fc
    .array(oneLine, { minLength: 1, maxLength: 20 })
    .map((items): Block => ({ type: 'list', markdown: items.map((item) => `- ${item}`).join('\n') })),
  fc.array(oneLine, { minLength: 1, maxLength: 20 }).map(
    (items): Block => ({
      type: 'list',
      markdown: items.map((item) => `1. x\n\n   ~~~sh\n   ${item}\n   ${item}\n   ~~~`).join('\n'),
    }),
  ),
  fc.array(oneLine, { minLength: 1, maxLength: 20 }).map(
    (lines): Block => ({
      type: 'admonition',
      markdown: ['> **Note:**', ...lines.map((line) => `> ${line}`)].join('\n>\n'),
    }),
  ),
  fc.array(oneLine, { minLength: 1, maxLength: 20 }).map(
    (cells): Block => ({
      type: 'table',
      markdown: ['| a |', '| --- |', ...cells.map((cell) => `| ${cell.replaceAll('|', '\\|')} |`)].join('\n'),
    }),
  ),
);

/**
 * Returns the text without anything the splitter may add or remove: white space, fences, list, quote and heading
 * markers.
 */
const bare = (text: string): string => text.replace(/```(?:js)?|~~~(?:sh)?|\| a \||\| --- \||[\s>#|]/g, '');

describe('splitting any document', () => {
  const anyDocument = fc.array(anyBlock, { maxLength: 25 }).map((blocks) => documentOf(blocks));

  it('loses nothing and keeps the order', () => {
    fc.assert(
      fc.property(anyDocument, (doc) => {
        const together = splitDocument(doc, { url })
          .map((snippet) => bare(snippet.text))
          .join('');
        expect(together).toBe(doc.blocks.map((block) => bare(block.markdown)).join(''));
      }),
      { numRuns: 60 },
    );
  });

  it('stays below the maximum, counts exactly and leaves no fence open', () => {
    fc.assert(
      fc.property(anyDocument, (doc) => {
        for (const snippet of splitDocument(doc, { url })) {
          const longestCode = Math.max(
            0,
            ...[...snippet.text.matchAll(/```js\n([^`]*)```/g)].map((match) => countTokens(match[0])),
          );
          expect(snippet.tokens).toBeLessThanOrEqual(longestCode > 400 ? 1200 : 600);
          expect(snippet.tokens).toBe(countTokens(snippet.text));
          expect((snippet.text.match(/^[ >]*(```|~~~)/gm) ?? []).length % 2).toBe(0);
          expect(snippet.text.trim()).not.toBe('');
        }
      }),
      { numRuns: 60 },
    );
  });

  it.each<[string, Block]>([
    ['a quote', { type: 'admonition', markdown: `> **Note:**\n>\n> ${'🙂'.repeat(1_385)}` }],
    ['a row', { type: 'table', markdown: `| a | b |\n| --- | --- |\n| 🙂 | ${'🙂'.repeat(1_385)} |` }],
  ])('counts at least the tokens of each part of %s, where its frame changes how emoji are counted', (_, block) => {
    const parts = fragmentsOf(block, 0, countTokens(block.markdown));
    expect(parts.length).toBeGreaterThan(1);
    for (const { open, body, close, tokens } of parts)
      expect(tokens).toBeGreaterThanOrEqual(countTokens(open + body + close));
  });

  it('yields the same snippets again, each with a unique id', () => {
    fc.assert(
      fc.property(anyDocument, (doc) => {
        const snippets = splitDocument(doc, { url });
        expect(splitDocument(structuredClone(doc), { url })).toEqual(snippets);
        expect(new Set(snippets.map((snippet) => snippet.id)).size).toBe(snippets.length);
      }),
    );
  });
});
