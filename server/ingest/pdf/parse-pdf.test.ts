import { describe, expect, test } from 'vitest';
import { makePdf, type PdfParts, type PdfPiece, textLines } from '#test/services/make-pdf.ts';
import { detectLanguage } from './language.ts';
import { layOut } from './layout.ts';
import { parsePdf } from './parse-pdf.ts';
import { readPdf } from './read-pdf.ts';

const options = { url: 'pdf://manuals/guide.pdf', fileName: 'guide.pdf', pagesMax: 100 };
const bytesOf = (parts: PdfParts) => new Uint8Array(makePdf(parts));
const parse = (parts: PdfParts) => parsePdf(bytesOf(parts), options, () => undefined);

async function blocksOf(parts: PdfParts) {
  const { pages, outline } = await readPdf(bytesOf(parts), { pagesMax: 100, onPage: () => undefined });
  return layOut(pages, outline).map(({ type, markdown, anchor, depth }) => ({ type, markdown, anchor, depth }));
}
const shown = async (parts: PdfParts) => (await blocksOf(parts)).map(({ type, markdown }) => [type, markdown]);

const filler = (from: number) =>
  textLines(['This is a line of ordinary text that fills most of the width of the page here', 'and it ends so.'], {
    y: from,
  });

describe('the blocks of a PDF', () => {
  test('a footnote mark set by a browser stays in its line, which continues the line above', async () => {
    const page = [
      {
        text: 'An entry that does not fit is dropped as soon as the queue of bounded size is',
        x: 72,
        y: 700,
        size: 10,
      },
      { text: 'full', x: 72, y: 684, size: 10 },
      { text: '1', x: 84.8, y: 687.8, size: 8.33 },
      { text: '; it goes on for several lines so that the page has the usual distance', x: 89.5, y: 684, size: 10 },
      ...['between its lines, which is that of most of them here', 'and not of the first, and ends.'].map(
        (text, at) => ({
          text,
          x: 72,
          y: 672 - 12 * at,
          size: 10,
        }),
      ),
    ];
    expect(await shown({ pages: [page] })).toEqual([
      ['paragraph', expect.stringMatching(/queue of bounded size is full1; it.*ends\.$/)],
    ]);
  });

  test('headings come from the outline and have the page as address', async () => {
    const blocks = await blocksOf({
      pages: [
        [{ text: '1 Installing the widget', x: 72, y: 720 }, ...filler(690)],
        [{ text: 'Using it', x: 72, y: 720 }, ...filler(690)],
      ],
      outline: [
        { title: 'Installing the widget', page: 1 },
        { title: 'Using it', page: 2 },
      ],
    });
    expect(blocks.filter(({ type }) => type === 'heading')).toEqual([
      { type: 'heading', markdown: '1 Installing the widget', anchor: 'page=1', depth: 1 },
      { type: 'heading', markdown: 'Using it', anchor: 'page=2', depth: 1 },
    ]);
  });

  test('a numbered heading at the start of its text line is separated, with the arguments of its function', async () => {
    const entry = (number: string, name: string, given: string, y: number): PdfPiece[] => [
      { text: `${number} ${name}`, x: 72, y, font: 'bold' },
      { text: given, x: 72 + 4.8 * (number.length + 1 + name.length), y },
      { text: 'and the text goes on below it, in lines that are as long as those of others.', x: 72, y: y - 13 },
    ];
    const page = [
      ...entry('3.4.1', 'abs', '(x, {flag = 0}). The absolute value of x,', 700),
      ...entry('3.4.2', 'next', '. The value that comes behind it,', 640),
      ...entry('3.4.3', 'sum', '(x). The value without its fraction,', 580),
      ...entry('3.4.4', 'is in bold', 'and no heading, for nothing ends it,', 520),
    ];
    const blocks = await blocksOf({ pages: [page] });
    expect(blocks.filter(({ type }) => type === 'heading').map(({ markdown, depth }) => [markdown, depth])).toEqual([
      ['3.4.1 abs(x, {flag = 0})', 3],
      ['3.4.2 next', 3],
      ['3.4.3 sum(x)', 3],
    ]);
    expect(blocks[1]?.markdown).toMatch(/^The absolute value of x, and the text/);
    expect(await shown({ pages: [page.slice(0, 6)] })).not.toContainEqual(['heading', '3.4.1 abs(x, {flag = 0})']);
  });

  test('a list item continues at the margin after a full line without an end', async () => {
    const items = [
      { text: '-', x: 94, y: 600 },
      { text: 'the first thing that everyone must know about all of this, and which needs', x: 104, y: 600 },
      { text: 'two lines', x: 72, y: 587 },
      { text: '-', x: 94, y: 570 },
      { text: 'the second thing.', x: 104, y: 570 },
      { text: 'Text that is no part of it.', x: 72, y: 557 },
    ];
    expect((await shown({ pages: [[...filler(700), ...filler(660), ...items]] })).slice(-2)).toEqual([
      [
        'list',
        '- the first thing that everyone must know about all of this, and which needs two lines\n- the second thing.',
      ],
      ['paragraph', 'Text that is no part of it.'],
    ]);
  });

  test('a heading starts at its own words, not at a bracket above, and is not a bold sentence with a colon', async () => {
    const mono = (text: string, y: number) => ({ text, x: 90, y, font: 'mono' as const });
    const rule = { text: 'Observe all of the following rules:', x: 72, y: 520, font: 'bold' as const };
    const heading = { text: '2 Sets', x: 72, y: 590, size: 16 };
    const page = [...filler(700), mono('Set {', 650), mono('a = 1', 638), mono('}', 626), heading];
    const blocks = await blocksOf({
      pages: [[...page, ...filler(570), rule, ...filler(500)]],
      outline: [{ title: 'Sets', page: 1 }],
    });
    expect(blocks.filter(({ type }) => type === 'heading').map(({ markdown }) => markdown)).toEqual(['2 Sets']);
    expect(blocks).toContainEqual(expect.objectContaining({ markdown: '```\nSet {\na = 1\n}\n```' }));
  });

  const boldFonts = ['Helvetica-Bold', 'NimbusRomNo9L-Medi', 'CMSSBX10', 'SFBX1000'];
  test.each(boldFonts)(
    'without an outline, larger text and separate lines of text in %s are headings',
    async (boldFont) => {
      const blocks = await blocksOf({
        boldFont,
        pages: [
          [
            { text: 'The Manual', x: 72, y: 740, size: 20 },
            ...filler(700),
            { text: 'Options', x: 72, y: 650, font: 'bold' },
            ...filler(630),
          ],
        ],
      });
      const headings = blocks.filter(({ type }) => type === 'heading').map(({ markdown, depth }) => [markdown, depth]);
      expect(headings).toEqual([
        ['The Manual', 1],
        ['Options', 2],
      ]);
    },
  );

  test('code keeps its lines, indentation and blank lines', async () => {
    const code = ['def add(a, b):', '    return a + b', '', 'print(add(1, 2))'];
    const pieces = code.flatMap((text, index) => {
      const indent = text.length - text.trimStart().length;
      return text === '' ? [] : [{ text: text.trim(), x: 90 + indent * 6, y: 600 - index * 12, font: 'mono' as const }];
    });
    expect(await shown({ pages: [[...filler(700), ...pieces, ...filler(500)]] })).toContainEqual([
      'code',
      `\`\`\`\n${code.join('\n')}\n\`\`\``,
    ]);
  });

  test('names in the code font are code within a sentence', async () => {
    const line = [
      { text: 'Call', x: 72, y: 700 },
      { text: 'open()', x: 95, y: 700, font: 'mono' as const },
      { text: 'before you read anything from the file.', x: 134, y: 700 },
    ];
    expect(await shown({ pages: [line] })).toEqual([
      ['paragraph', 'Call `open()` before you read anything from the file.'],
    ]);
  });

  test('a name in the code font that is cut at a line end is joined, even at the end of a paragraph', async () => {
    const mono = (text: string, x: number, y: number) => ({ text, x, y, font: 'mono' as const });
    const pieces = [
      { text: 'This must be done before any call to', x: 72, y: 700 },
      mono('gcry_check_', 250, 700),
      mono('version', 72, 688),
      { text: ').', x: 114, y: 688 },
    ];
    expect(await shown({ pages: [[...pieces, ...filler(500)]] })).toContainEqual([
      'paragraph',
      'This must be done before any call to `gcry_check_version`).',
    ]);
  });

  describe('an entry in a list of options or functions', () => {
    const at = (font: PdfPiece['font'], x: number, y: number, text: string) => ({ text, x, y, font });
    const body = (y: number, text: string) => at('text', 97, y, text);
    const spans = async (parts: PdfParts) => {
      const { pages, outline } = await readPdf(bytesOf(parts), { pagesMax: 100, onPage: () => undefined });
      return layOut(pages, outline).map(({ type, markdown, span, identifiers }) => [
        `${type}${span ?? ''}`,
        markdown,
        ...(identifiers ?? []),
      ]);
    };

    test('has its forms as its name, and the text on its right below', async () => {
      const first = [
        ...filler(740),
        at('mono', 72, 680, 'trim (s)'),
        at('mono', 72, 668, 'trim (s, chars)'),
        body(656, 'Removes the blanks at both ends of a text.'),
        at('mono', 120, 636, 'trim ("a ")'),
        body(616, 'The text itself is not changed.'),
        at('bold', 72, 596, 'Priority'),
        body(584, 'The order in which jobs are started.'),
        at('mono', 72, 560, 'pad (s)'),
        body(548, 'Adds blanks, and goes on to the next page with a paragraph of its own.'),
      ];
      const next = [
        body(740, 'This is still said of the same function.'),
        at('mono', 72, 716, 'size (s)'),
        body(704, 'Counts.'),
        at('bold', 72, 684, 'level'),
        body(672, 'How much is kept.'),
        at('bold', 72, 652, 'owner'),
        body(640, 'Who may read it.'),
        ...filler(616),
      ];
      expect((await spans({ pages: [first, next] })).slice(1, -1)).toEqual([
        ['term3', '`trim (s)`, `trim (s, chars)`', 'trim'],
        ['paragraph', 'Removes the blanks at both ends of a text.'],
        ['code', '```\ntrim ("a ")\n```'],
        ['paragraph', 'The text itself is not changed.'],
        ['term1', 'Priority', 'Priority'],
        ['paragraph', 'The order in which jobs are started.'],
        ['term2', '`pad (s)`', 'pad'],
        ['paragraph', 'Adds blanks, and goes on to the next page with a paragraph of its own.'],
        ['paragraph', 'This is still said of the same function.'],
        ['term1', '`size (s)`', 'size'],
        ['paragraph', 'Counts.'],
        ['term1', 'level', 'level'],
        ['paragraph', 'How much is kept.'],
        ['term1', 'owner', 'owner'],
        ['paragraph', 'Who may read it.'],
      ]);
    });

    test('may continue and end on the line of its name', async () => {
      const entry = (y: number, name: string, text: string, more?: string) => [
        at('bold', 72, y, name),
        at('text', 72 + name.length * 7, y, text),
        ...(more === undefined ? [] : [body(y - 12, more)]),
      ];
      const long = 'Permitted in the update command, to say that all volumes of the pool are meant,';
      const page = [
        ...entry(740, 'pool', long, 'and not one.'),
        ...entry(710, 'days', 'The number of days.'),
        ...entry(692, 'jobid', long, 'for a job.'),
        ...entry(662, 'slots', long, 'for the slots.'),
        ...filler(620),
      ];
      expect((await spans({ pages: [page] })).slice(0, 5)).toEqual([
        ['term1', 'pool', 'pool'],
        ['paragraph', `${long} and not one.`],
        ['term1', 'days', 'days'],
        ['paragraph', 'The number of days.'],
        ['term1', 'jobid', 'jobid'],
      ]);
    });

    test('has a whole signature even across lines', async () => {
      const entry = (y: number, name: string) => [
        at('mono', 72, y, `int ${name} (`),
        at('text', 72 + (name.length + 6) * 6, y, 'node const element, const char * name,'),
        at('text', 480, y, '[Function]'),
        at('text', 118, y - 12, 'int * count)'),
        body(y - 24, 'element: what to look at.'),
      ];
      const page = [...entry(740, 'count_nodes'), ...entry(700, 'count_names'), ...entry(660, 'count_tags')];
      expect((await spans({ pages: [page] })).slice(0, 2)).toEqual([
        ['term1', '`int count_nodes (node const element, const char * name, int * count)`', 'count_nodes'],
        ['paragraph', 'element: what to look at.'],
      ]);
    });

    test('may be farther above its text, as in DocBook manuals and printed web pages', async () => {
      const option = (y: number, name: string, font: PdfPiece['font'] = 'mono') => [
        at(font, 72, y, name),
        body(y - 20, 'What it says of the work.'),
      ];
      const page = [...option(740, '--check=<no|yes>'), ...option(690, '--trace'), ...option(640, '--quiet')];
      const printed = ['pool', 'days', 'level'].flatMap((name, at) =>
        option(540 - at * 50, `${name} (default: 0)`, 'bold'),
      );
      const blocks = await spans({ pages: [[...page, ...filler(590), ...printed, ...filler(390)]] });
      expect(blocks).toContainEqual(['term1', 'pool (default: 0)']);
      expect(blocks.slice(0, 3)).toEqual([
        ['term1', '`--check=<no|yes>`', '--check'],
        ['paragraph', 'What it says of the work.'],
        ['term1', '`--trace`', '--trace'],
      ]);
    });

    test('may take a single line like its neighbors, below the headings of a man page', async () => {
      const option = (y: number, name: string, text: string) => [
        at('bold', 97, y, name),
        at('italic', 110, y, 'file'),
        at('text', 128, y, text),
      ];
      const page = [
        { ...at('bold', 72, 740, 'TESTS'), size: 11 },
        body(728, 'These options test a file. Each of them takes its name as an argument.'),
        ...['-a', '-b', '-c'].flatMap((name, index) => option(710 - index * 12, name, 'True if it exists.')),
        { ...at('bold', 72, 660, 'FILES'), size: 11 },
        body(648, 'The one that is named.'),
        ...['-x', '-y', '-z'].flatMap((name, index) => [
          ...option(620 - index * 24, name, 'True if it may be run'),
          at('text', 133, 608 - index * 24, 'by others.'),
        ]),
      ];
      expect(await spans({ pages: [page] })).toEqual([
        ['heading', 'TESTS'],
        ['paragraph', 'These options test a file. Each of them takes its name as an argument.'],
        ...['-a file', '-b file', '-c file'].flatMap((name) => [
          ['term1', name],
          ['paragraph', 'True if it exists.'],
        ]),
        ['heading', 'FILES'],
        ['paragraph', 'The one that is named.'],
        ...['-x file', '-y file', '-z file'].flatMap((name) => [
          ['term1', name],
          ['paragraph', 'True if it may be run by others.'],
        ]),
      ]);
    });

    test('is not a paragraph that begins in italics or above code, or precedes an indented first line', async () => {
      const example = (y: number) => [
        at('text', 72, y, 'The command that is used here is'),
        at('mono', 97, y - 12, 'pad'),
        at('text', 118, y - 12, ', and no other.'),
      ];
      const shift = (y: number) => [
        at('mono', 72, y, 'trim ("a ")'),
        at('italic', 97, y - 12, 'It'),
        at('text', 106, y - 12, 'has no blanks at its end after this call, and so'),
        at('text', 72, y - 24, 'the text is shorter than it was.'),
      ];
      const page = [...[740, 700, 660].flatMap(example), ...[600, 540, 480].flatMap(shift), ...filler(400)];
      const blocks = await spans({ pages: [page] });
      expect(blocks.filter(([type]) => type?.startsWith('term'))).toEqual([]);
    });

    test('may have its usage below it, as the commands in manuals made with Texinfo', async () => {
      const command = (y: number, name: string) => [
        at('mono', 72, y, name),
        at('mono', 110, y - 14, `${name} [-n count]`),
        body(y - 28, 'What it does.'),
      ];
      const page = [...command(740, 'let'), ...command(680, 'read'), ...command(620, 'trap'), ...filler(500)];
      expect((await spans({ pages: [page] })).slice(0, 4)).toEqual([
        ['term2', '`let`', 'let'],
        ['code', '```\nlet [-n count]\n```'],
        ['paragraph', 'What it does.'],
        ['term2', '`read`', 'read'],
      ]);
    });

    test('is not the call of an example above its result', async () => {
      const example = (y: number) => [at('mono', 72, y, 'trim ("  a ")'), at('text', 97, y - 12, '= "a"')];
      const blocks = await spans({ pages: [[...example(740), ...example(700), ...example(660), ...filler(600)]] });
      expect(blocks.filter(([type]) => type?.startsWith('term'))).toEqual([]);
    });
  });

  test('columns are read one after the other', async () => {
    const column = (x: number, word: string) =>
      textLines(
        Array.from({ length: 12 }, (_, index) => `${word} line ${index} of a column full of words here`),
        { x, size: 9 },
      );
    const [first] = await blocksOf({ pages: [[...column(60, 'left'), ...column(330, 'right')]] });
    const text = first?.markdown ?? '';
    expect(text.indexOf('left line 11')).toBeGreaterThan(0);
    expect(text.indexOf('right line 0')).toBeGreaterThan(text.indexOf('left line 11'));
  });

  test('aligned cells become a table, and a wrapped cell stays one cell', async () => {
    const rows = [
      ['Option', 'Default', 'Meaning'],
      ['depth', '3', 'how far links are followed'],
      ['pages', '200', 'where it ends, whatever'],
      ['', '', 'else is still waiting'],
      ['quiet', 'no', 'says less'],
    ];
    const pieces = rows.flatMap((cells, row) =>
      cells.flatMap((text, column) =>
        text === '' ? [] : [{ text, x: [72, 160, 240][column] ?? 0, y: 600 - row * 12 }],
      ),
    );
    expect(await shown({ pages: [[...filler(700), ...pieces]] })).toContainEqual([
      'table',
      [
        '| Option | Default | Meaning |',
        '| --- | --- | --- |',
        '| depth | 3 | how far links are followed |',
        '| pages | 200 | where it ends, whatever else is still waiting |',
        '| quiet | no | says less |',
      ].join('\n'),
    ]);
  });

  test('a row ends with the line of its first cell even if taller cells begin above it', async () => {
    const lines: [number, (string | undefined)[]][] = [
      [0, ['Option', 'Meaning', 'Default']],
      [18, [undefined, 'how far links']],
      [30, ['depth', 'are followed', '3']],
      [48, [undefined, 'where it ends,']],
      [60, ['pages', 'whatever else']],
      [72, [undefined, 'is still waiting']],
      [90, ['quiet', 'says less', 'no']],
      [120, [undefined, 'A remark below it.']],
    ];
    const pieces = lines.flatMap(([down, cells]) =>
      cells.flatMap((text, column) =>
        text === undefined ? [] : [{ text, x: [72, 160, 300][column] ?? 0, y: 600 - down }],
      ),
    );
    expect(await shown({ pages: [[...filler(700), ...pieces]] })).toContainEqual([
      'table',
      [
        '| Option | Meaning | Default |',
        '| --- | --- | --- |',
        '| depth | how far links are followed | 3 |',
        '| pages | where it ends, whatever else is still waiting |  |',
        '| quiet | says less | no |',
      ].join('\n'),
    ]);
  });

  test('words cut at a line end are joined, and hyphenated words keep their hyphen', async () => {
    const lines = ['The well-known way to configu-', 'ration is documented, and the well-', 'known one is not.'];
    expect(await shown({ pages: [textLines(lines)] })).toEqual([
      ['paragraph', 'The well-known way to configuration is documented, and the well-known one is not.'],
    ]);
  });

  test('running headers and page numbers are left out on every page', async () => {
    const pages = [1, 2, 3, 4].map((number) => [
      { text: `Widget manual, chapter ${number}`, x: 72, y: 760 },
      ...textLines([`Sentence ${'abcd'[number - 1]} stands on this page alone.`], { y: 700 }),
      { text: String(number), x: 300, y: 30 },
    ]);
    expect((await shown({ pages })).map(([, text]) => text)).toEqual(
      ['a', 'b', 'c', 'd'].map((letter) => `Sentence ${letter} stands on this page alone.`),
    );
  });

  test('running headers with page numbers are left out even in a short chapter', async () => {
    const pages = ['Basics', 'Basics', 'Options', 'Errors', 'Index'].map((chapter, at) => [
      { text: `Chapter ${chapter}`, x: 72, y: 760 },
      { text: String(at + 7), x: 500, y: 760 },
      ...textLines([`Sentence ${'abcde'[at]} stands on this page alone.`], { y: 700 }),
    ]);
    expect((await shown({ pages })).map(([, text]) => text)).toEqual(
      ['a', 'b', 'c', 'd', 'e'].map((letter) => `Sentence ${letter} stands on this page alone.`),
    );
  });

  test('code lines at the edge of some pages are not running headers, nor are options and numbers', async () => {
    const pages = Array.from({ length: 30 }, (_, page) => [
      { text: 'A Manual of Widgets', x: 72, y: 760 },
      ...textLines(page % 8 === 0 ? ['int main()', `    first${page}();`] : ['    second();', `    third${page}();`], {
        font: 'mono',
        y: 730,
      }),
      ...textLines(
        Array.from({ length: 30 }, (_, at) => `Line ${at} of page ${page} says what it has to say.`),
        { y: 690 },
      ),
      {
        text: page % 15 === 11 ? '42' : (['}', '}', '-c', 'the end'][page % 4] ?? ''),
        x: 72,
        y: 60,
        ...(page % 4 < 2 && { font: 'mono' as const }),
      },
      { text: `${page + 1}`, x: 300, y: 40 },
    ]);
    const text = (await shown({ pages })).map(([, markdown]) => markdown).join('\n');
    expect(text).not.toMatch(/Manual of Widgets|^(?!42)\d+$/m);
    expect(text.match(/int main\(\)/g)).toHaveLength(4);
    expect(text.match(/^ *\}/gm)).toHaveLength(16);
    expect(text.match(/-c$/gm)).toHaveLength(6);
    expect(text.match(/42$/gm)).toHaveLength(2);
  });

  test('a reference with names, titles and repeated section labels has them as headings', async () => {
    const bold = (text: string, y: number) => ({ text, x: 72, y, font: 'bold' as const });
    const entry = (name: string, y: number) => [
      { text: name, x: 80, y, font: 'mono' as const },
      { text: `Makes a ${name} of all parts`, x: 240, y },
      bold('Description', y - 30),
      { text: 'It takes what it is given and makes one of it, which is then', x: 90, y: y - 48 },
      { text: 'what all the others are asked to use.', x: 90, y: y - 60 },
      bold('Details', y - 84),
      { text: 'Nothing more can be said of it, but that it does not fail.', x: 90, y: y - 102 },
    ];
    const names = ['widget', 'gadget', 'gizmo', 'doodad', 'device', 'sprocket'];
    const pages = [0, 2, 4].map((at) => [
      ...entry(names[at] ?? '', 720 - at * 8),
      ...entry(names[at + 1] ?? '', 500 - at * 8),
    ]);
    const outline = names.map((title, at) => ({ title, page: Math.floor(at / 2) + 1 }));
    const headings = (await blocksOf({ pages, outline })).filter(({ type }) => type !== 'paragraph');
    expect(headings.map(({ type, depth, markdown }) => [type, depth, markdown])).toEqual(
      names.flatMap((name) => [
        ['heading', 1, `\`${name}\` Makes a ${name} of all parts`],
        ['heading', 2, 'Description'],
        ['heading', 2, 'Details'],
      ]),
    );
  });

  test.each([
    ['listing', (text: string) => [{ text: `widget_set_value(first_widget, ${text});`, font: 'mono' as const }]],
    ['list', (text: string) => [{ text: `- Widget ${text} of the list has its value set by the first one.` }]],
    ['table', (text: string) => [{ text: `Widget ${text}` }, { text: 'has its value set by the first one', x: 300 }]],
  ])('each part of a %s across pages has the address of the page on which it begins', async (_, row) => {
    const pages = [1, 2, 3, 4].map((page) => [
      { text: 'The Widgets', x: 72, y: 770 },
      ...Array.from({ length: 50 }, (_, at) =>
        row(`${at}-page${page}`).map((piece) => ({ x: 72, y: 740 - at * 12, ...piece })),
      ).flat(),
    ]);
    const { snippets } = await parse({ pages });
    const begun = snippets.map(({ anchor, text }) => [
      anchor,
      text.replace(/^\|.*\n\| ---.*\n/, '').match(/page\d/)?.[0],
    ]);
    expect(begun).toEqual(begun.map(([, page]) => [page?.replace('page', 'page='), page]));
    expect(new Set(snippets.flatMap(({ anchor, places = [] }) => [anchor, ...places]))).toEqual(
      new Set(['page=1', 'page=2', 'page=3', 'page=4']),
    );
  });

  test('an option cut at its hyphen keeps it, a hyphenated name does not', async () => {
    const mono = (text: string, x: number, y: number) => ({ text, x, y, font: 'mono' as const });
    const page = [
      { text: 'This one takes the product of two, unless it is called with ', x: 72, y: 600 },
      mono('--stop-', 360, 600),
      mono('at', 72, 588),
      { text: ' and so on; the other of them is called by the name of ', x: 90, y: 588 },
      mono('cross_pro-', 360, 588),
      mono('duct', 72, 576),
      { text: ' here.', x: 100, y: 576 },
    ];
    const text = JSON.stringify(await shown({ pages: [[...filler(700), ...page]] }));
    expect(text).toContain('`--stop-at` and');
    expect(text).toContain('`cross_product` here');
  });

  test('a multi-line header on every page is left out with its date', async () => {
    const words = 'alpha beta gamma delta epsilon zeta eta theta iota kappa'.split(' ');
    const pages = Array.from({ length: 10 }, (_, page) => [
      ...textLines(['A Manual of Widgets', '13.09.2022', `Page ${page + 1} of 10`], { y: 770, x: 400 }),
      ...textLines([`What ${words[page]} is for.`, `And what line two says of ${words[page]}.`], { y: 690 }),
    ]);
    const text = (await shown({ pages })).map(([, markdown]) => markdown).join('\n');
    expect(text).not.toMatch(/Manual|2022|of 10/);
    expect(text.match(/line two/g)).toHaveLength(10);
  });

  test('numbered titles in a separate font are headings, even with the number apart', async () => {
    const section = (number: string, y: number) => [
      { text: number, x: 72, y, font: 'italic' as const },
      { text: 'Setting up the widget', x: 110, y, font: 'italic' as const },
      ...filler(y - 24),
    ];
    const blocks = await shown({ pages: [[...filler(740), ...section('2.1', 680), ...section('2.2', 600)]] });
    expect(blocks.filter(([type]) => type === 'heading' || type === 'term')).toEqual([
      ['heading', '2.1 Setting up the widget'],
      ['heading', '2.2 Setting up the widget'],
    ]);
  });

  test('a line in the font of names without a description is not an entry', async () => {
    const italic = (text: string, y: number) => ({ text, x: 72, y, font: 'italic' as const });
    const entries = [680, 630, 580].flatMap((y) => [
      italic(`widget${y}`, y),
      ...textLines(['What it is called by, and why that is', 'so, in two lines.'], { x: 108, y: y - 12 }),
    ]);
    const note = [italic('This note stands alone', 520), ...filler(496)];
    const terms = (await shown({ pages: [[...filler(740), ...entries, ...note]] })).filter(([type]) => type === 'term');
    expect(terms.map(([, markdown]) => markdown)).toEqual(['widget680', 'widget630', 'widget580']);
  });

  test('an unnamed fixed-width font is code, unless the whole page is typewritten', async () => {
    const shownWithoutNames = async (page: PdfPiece[]) => {
      const { pages } = await readPdf(bytesOf({ pages: [page] }), { pagesMax: 1, onPage: () => undefined });
      for (const line of pages.flat()) {
        line.isMono = false;
        for (const run of line.cells.flatMap(({ runs }) => runs)) run.isMono = false;
      }
      return layOut(pages, []);
    };
    const prose = [740, 700, 660, 620, 580, 540].flatMap(filler);
    const code = ['int main(void) {', '    widget_open();', '    while (more)', '        widget_turn();', '}'];
    const words = ['widget_open', 'widget_turn', 'while', 'library', 'million', 'windmill', 'limit', 'minimal'];
    const mono = [
      ...textLines(code, { font: 'mono', y: 480 }),
      ...words.map((text, at) => ({ text, x: 300, y: 380 - at * 30, font: 'mono' as const })),
    ];
    const text = (await shownWithoutNames([...prose, ...mono])).map(({ markdown }) => markdown).join('\n');
    expect(text).toContain(`\`\`\`\n${code.join('\n')}\n`);
    for (const page of [prose, mono])
      expect((await shownWithoutNames(page)).map(({ type }) => type)).not.toContain('code');
  });

  test('pages with the same text and nothing else are kept', async () => {
    const pages = [1, 2, 3, 4].map((number) => [{ text: `Slide ${number}: the widget`, x: 72, y: 700 }]);
    expect(JSON.stringify(await shown({ pages }))).toContain('Slide 4: the widget');
  });

  test('a list item keeps the space before a name in the code font', async () => {
    const pieces = [600, 588].flatMap((y) => [
      { text: '- The function ', x: 80, y },
      { text: 'open', x: 144, y, font: 'mono' as const },
      { text: ' is safe', x: 168, y },
    ]);
    expect(await shown({ pages: [[...filler(700), ...pieces]] })).toContainEqual([
      'list',
      '- The function `open` is safe\n- The function `open` is safe',
    ]);
  });

  test('code that is cut at the line end of a list item continues on the next line', async () => {
    const items = [600, 574].flatMap((y) => [
      { text: '- ', x: 80, y },
      { text: 'upper_bound(Iterator first,', x: 92, y, font: 'mono' as const },
      { text: 'Type const &value)', x: 92, y: y - 12, font: 'mono' as const },
    ]);
    const call = '- `upper_bound(Iterator first, Type const &value)`';
    expect(await shown({ pages: [[...filler(700), ...items]] })).toContainEqual(['list', `${call}\n${call}`]);
  });

  test('items with bullets and numbers are lists', async () => {
    const pieces = ['- first thing', '- second thing', '- third thing'].map((text, index) => ({
      text,
      x: 80,
      y: 600 - index * 12,
    }));
    expect(await shown({ pages: [[...filler(700), ...pieces]] })).toContainEqual([
      'list',
      '- first thing\n- second thing\n- third thing',
    ]);
  });

  describe('a bullet', () => {
    const items = (mark: PdfPiece['font'], text: string, count: number) =>
      Array.from({ length: count }, (_, at) => [
        { text, x: 80, y: 600 - at * 12, ...(mark && { font: mark }) },
        { text: `thing ${at + 1}`, x: 96, y: 600 - at * 12 },
      ]).flat();
    const two = '- thing 1\n- thing 2';
    const three = `${two}\n- thing 3`;

    test('may be a letter of a symbol font that has no other use', async () => {
      const page = (more: PdfPiece[]) => ({ pages: [[...filler(700), ...more]], boldFont: 'Wingdings' });
      expect(await shown(page(items('bold', 'n', 3)))).toContainEqual(['list', three]);
      const used = textLines(['The n', 'of the', 'page'], { font: 'bold', y: 500 });
      expect(JSON.stringify(await shown(page([...items('bold', 'n', 3), ...used])))).not.toContain('- thing');
      expect(JSON.stringify(await shown(page(items('bold', '1', 3))))).not.toContain('- thing');
    });

    test('may be the letter o of a fixed-width font, next to code in that font', async () => {
      const code = textLines(['let a = 1;', 'let b = a;', 'let c = b;', 'return c;'], { font: 'mono', y: 500 });
      const page = (text: string) => ({ pages: [[...filler(700), ...items('mono', text, 3), ...code]] });
      expect(await shown(page('o'))).toContainEqual(['list', three]);
      expect(JSON.stringify(await shown(page('x')))).not.toContain('- thing');
    });

    test('may be a private-use character, as written by office programs', async () => {
      const { pages } = await readPdf(bytesOf({ pages: [[...filler(700), ...items(undefined, '#', 2)]] }), {
        pagesMax: 1,
        onPage: () => undefined,
      });
      for (const run of pages.flat().flatMap(({ cells }) => cells.flatMap(({ runs }) => runs)))
        run.text = run.text.replace('#', '\uf0d8');
      expect(layOut(pages, []).map(({ markdown }) => markdown)).toContain(two);
    });
  });

  test('a sentence continues across widely spaced lines, but not into an example or a list of short lines', async () => {
    const apart = (lines: string[]) => lines.map((text, at) => ({ text, x: 72, y: 480 - at * 16, size: 10 }));
    const text = textLines(
      new Array(20).fill('This is a line of ordinary text that fills most of the width of the page.'),
      {
        y: 740,
      },
    );
    const wrapped = [
      'This line of a note is as long as those of the text and ends where it has to',
      'end, and goes on.',
    ];
    expect(await shown({ pages: [[...text, ...apart(wrapped)]] })).toContainEqual(['paragraph', wrapped.join(' ')]);
    const example = ['For example, the command', 'ls > dirlist', 'writes the list to a file.'];
    expect((await shown({ pages: [[...text, ...apart(example)]] })).slice(1)).toEqual(
      example.map((text) => ['paragraph', text]),
    );
    const words = Array.from({ length: 14 }, (_, at) => `sizes of a widget ${at}`);
    expect((await shown({ pages: [[...text, ...apart(words)]] })).slice(1)).toHaveLength(14);
  });

  test('text that tags name in many cells is read once', async () => {
    const cell = (piece: number) => ({ role: 'TD', kids: [piece] });
    const rows = Array.from({ length: 50 }, () => ({ role: 'TR', kids: [cell(0), cell(1)] }));
    const page = [{ text: 'loom', x: 72, y: 720 }, { text: 'shuttle', x: 172, y: 720 }, ...filler(690)];
    const text = (await shown({ pages: [page], tags: [{ role: 'Table', kids: rows }] })).flat().join(' ');
    expect([text.match(/loom/g), text.match(/shuttle/g)]).toEqual([['loom'], ['shuttle']]);
  });

  test.each([
    [1, ['Terms']],
    [150_000, []],
  ])('after a page with %i tags the next one has as headings %j', async (count, headings) => {
    const page = [{ text: 'Terms', x: 72, y: 720 }, ...filler(690)];
    const tags = [
      { role: 'P', page: 1, kids: Array<number>(count).fill(0) },
      { role: 'H2', page: 2, kids: [0] },
    ];
    const blocks = await shown({ pages: [filler(690), page], tags });
    expect(blocks.filter(([type]) => type === 'heading').map(([, markdown]) => markdown)).toEqual(headings);
  });

  test('what is drawn twice for its shadow is read once, also after other text on its line', async () => {
    const line = [
      { text: 'The cache', x: 124, y: 600 },
      { text: 'The cache', x: 124, y: 600 },
      { text: 'Chapter 8. ', x: 72, y: 600 },
    ];
    expect(await shown({ pages: [[...filler(700), ...line]] })).toContainEqual(['paragraph', 'Chapter 8. The cache']);
  });
});

test('a font that maps only some of its codes to Unicode is read by the names of its glyphs', async () => {
  const glyphs =
    'AQAEAQABAQEFVGlueQABAQEQi4vv7wWwD78Qi/ctEsgRAAAAAAAARwBtAE0ARgBFAIkBCgAHZgxsZWR8CwAIAQELFR8pMz1HUfiIixbvBifvBQ74iIsW7wYn7wUO+IiLFu8GJ+8FDviIixbvBifvBQ74iIsW7wYn7wUO+IiLFu8GJ+8FDviIixbvBifvBQ74iIsW7wYn7wUO';
  const file = Buffer.from(glyphs, 'base64').toString('latin1');
  const cmap =
    'begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <0B> <00660066> endbfchar endcmap';
  const italic = [
    '<< /Type /Font /Subtype /Type1 /BaseFont /AAAAAA+Tiny /FontDescriptor {1} /ToUnicode {3} /FirstChar 0 /LastChar 0 /Widths [500] >>',
    '<< /Type /FontDescriptor /FontName /AAAAAA+Tiny /Flags 4 /FontBBox [0 0 500 500] /ItalicAngle 0 /Ascent 500 /Descent 0 /CapHeight 500 /StemV 80 /MissingWidth 500 /FontFile3 {2} >>',
    `<< /Subtype /Type1C /Length ${file.length} >>\nstream\n${file}\nendstream`,
    `<< /Length ${cmap.length} >>\nstream\n${cmap}\nendstream`,
  ];
  const text = '\x0celd|\x0bed';
  const { pages } = await readPdf(
    new Uint8Array(makePdf({ pages: [[{ text, x: 72, y: 700, font: 'italic' }]], italic })),
    { pagesMax: 1, onPage: () => undefined },
  );
  expect(pages[0]?.[0]?.cells[0]?.runs.map((run) => run.text).join('')).toBe('field—ffed');
});

describe('a parsed PDF', () => {
  test('has snippets addressed by page, a title and a language', async () => {
    const words = Array.from(
      { length: 40 },
      (_, index) => `Sentence ${index} tells what the option does when it is set.`,
    );
    const pages = ['A', 'B'].map((letter) => [
      { text: `Chapter ${letter}`, x: 72, y: 740, size: 18 },
      ...textLines(words.map((sentence) => `${letter} ${sentence}`)),
    ]);
    const parsed = await parse({ pages, title: 'The Widget', language: 'en-GB' });
    expect(parsed).toMatchObject({ title: 'The Widget', language: 'en-GB', pageCount: 2, indexedPages: 2 });
    const places = new Set(parsed.snippets.map(({ anchor, headingPath }) => `${anchor} ${headingPath.join('/')}`));
    expect([...places]).toEqual(['page=1 Chapter A', 'page=2 Chapter B']);
  });

  test('is named after its first heading, else its file, if it has no title', async () => {
    const heading = { text: 'Widget Reference', x: 72, y: 740, size: 20 };
    expect((await parse({ pages: [[heading, ...filler(700)]], title: 'Microsoft Word - x.doc' })).title).toBe(
      'Widget Reference',
    );
    expect((await parse({ pages: [filler(700)], title: '(anonymous)' })).title).toBe('guide');
    const slogan = { text: 'The Leading Solution', x: 72, y: 750, size: 20 };
    const guide = { text: 'User Guide', x: 72, y: 660, size: 20 };
    expect((await parse({ pages: [[slogan, ...filler(720), guide, ...filler(620)]] })).title).toBe('User Guide');
  });

  test('is read up to the page limit and reports its number of pages', async () => {
    const pages = [1, 2, 3].map((number) => textLines([`Words of page ${number}`]));
    const parsed = await parsePdf(bytesOf({ pages }), { ...options, pagesMax: 2 }, () => undefined);
    expect(parsed).toMatchObject({ pageCount: 3, indexedPages: 2 });
  });

  test('counts scanned pages, but no empty ones, as unread', async () => {
    const parsed = await parse({ pages: [textLines(['Words of a page']), [], []], scans: [2] });
    expect(parsed).toMatchObject({ pageCount: 3, indexedPages: 2 });
    expect(parsed.snippets.at(-1)?.text).toMatch(/Pages without text, such as scans: 2\.$/);
    await expect(parse({ pages: [[], []], scans: [1, 2] })).rejects.toMatchObject({ code: 'pdf-no-text' });
  });

  test('without any text is reported as images', async () => {
    await expect(parse({ pages: [[], []] })).rejects.toMatchObject({
      code: 'pdf-no-text',
      message: expect.stringContaining('OCR') as string,
    });
  });
});

test('languages are detected by their words', () => {
  const texts: Record<string, string> = {
    en: 'The function returns the value of the option that you give, and it is not changed by the other one. ',
    de: 'Die Funktion gibt den Wert der Option zurück, und das Ergebnis wird nicht von der anderen verändert. ',
    fr: 'La fonction renvoie la valeur de l’option que vous donnez, et elle n’est pas changée par les autres. ',
    es: 'La función devuelve el valor de la opción que se da, y no se cambia por las otras que están en el código. ',
  };
  for (const [language, text] of Object.entries(texts))
    expect([language, detectLanguage(text.repeat(5))]).toEqual([language, language]);
  expect(detectLanguage('x = 1; y = 2')).toBeUndefined();
});
