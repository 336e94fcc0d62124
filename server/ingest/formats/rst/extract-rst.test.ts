import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block } from '../../document.ts';
import { extractRst } from './extract-rst.ts';

const url = 'https://docs.example/library/queue.rst';

function blocksOf(...lines: string[]): Block[] {
  return extractRst(lines.join('\n'), { url }).blocks;
}

const anchorsOf = (...lines: string[]): (string | undefined)[] => blocksOf(...lines).map((block) => block.anchor);

const markdownOf = (...lines: string[]): string[] => blocksOf(...lines).map((block) => block.markdown);

it('types of other languages show their kind, as in Sphinx', () => {
  const lines = [
    '.. cpp:enum-class:: Color',
    '',
    '   .. cpp:enumerator:: Red',
    '',
    '.. c:struct:: box',
    '',
    '   A box.',
  ];
  expect(blocksOf(...lines).map(({ markdown, anchor }) => [markdown, anchor])).toEqual([
    ['`enum class Color`', undefined],
    ['`enumerator Red`', undefined],
    ['`struct box`', 'c.box'],
    ['A box.', undefined],
  ]);
});

it('an unresolved include is replaced by the name of its file', () => {
  expect(
    markdownOf(
      '.. include:: <isonum.txt>',
      '',
      '.. literalinclude:: a.py',
      '   :lines: 1-2',
      '   :caption: A',
      '',
      'Text',
    ),
  ).toEqual(['A', 'Included file: `a.py`', 'Text']);
});

it('the separators within a card are left out', () => {
  expect(markdownOf('.. card:: Pot', '', '   Head', '   ^^^', '   Body', '   +++', '   Foot')).toEqual([
    '**Pot**',
    'Head',
    'Body',
    'Foot',
  ]);
});

it('the names of an autosummary are listed', () => {
  expect(
    markdownOf('Plots', '-----', '.. autosummary::', '   :toctree: gen/', '', '   plot.line', '   ~plot.bar', ''),
  ).toEqual(['Plots', '- `plot.line`\n- `plot.bar`']);
});

describe('sections', () => {
  it('have anchors without accents, however many there are', () => {
    expect(anchorsOf('Déjà vu', '========', '', '東京 API', '========')).toEqual(['deja-vu', 'api']);
    expect(anchorsOf(`a${'\u064c\u064b'.repeat(80_000)}b`, '='.repeat(160_002))).toEqual(['ab']);
  });

  it('get their depth from the order of adornments and their anchor from docutils', () => {
    const blocks = blocksOf(
      '=====',
      'Queue',
      '=====',
      '',
      '.. _more-on:',
      '',
      'More & *more*',
      '-------------',
      '',
      'Below',
      '~~~~~',
      '',
      'Next',
      '----',
    );
    expect(blocks.map(({ markdown, depth, anchor }) => [markdown, depth, anchor])).toEqual([
      ['Queue', 1, 'queue'],
      ['More & *more*', 2, 'more-on'],
      ['Below', 3, 'below'],
      ['Next', 2, 'next'],
    ]);
  });
});

describe('name descriptions', () => {
  it('are terms with full name, anchor and nested members', () => {
    const blocks = blocksOf(
      '.. module:: queue',
      '',
      '.. class:: Queue(maxsize=0)',
      '',
      '   A queue.',
      '',
      '   .. method:: put(item)',
      '',
      '      Puts.',
      '',
      'After.',
    );
    expect(blocks).toEqual([
      {
        type: 'term',
        markdown: '`class queue.Queue(maxsize=0)`',
        depth: 1,
        span: 3,
        identifiers: ['queue.Queue'],
        anchor: 'queue.Queue',
      },
      { type: 'paragraph', markdown: 'A queue.' },
      {
        type: 'term',
        markdown: '`Queue.put(item)`',
        depth: 2,
        span: 1,
        identifiers: ['queue.Queue.put'],
        anchor: 'queue.Queue.put',
      },
      { type: 'paragraph', markdown: 'Puts.' },
      { type: 'paragraph', markdown: 'After.' },
    ]);
  });

  it('with several signatures share one body', () => {
    const terms = blocksOf(
      '.. function:: dump(a)',
      '              dumps(b, \\',
      '                    c)',
      '',
      '   Writes.',
    ).filter((block) => block.type === 'term');
    expect(terms.map(({ markdown, span }) => [markdown, span])).toEqual([
      ['`dump(a)`', 0],
      ['`dumps(b, c)`', 1],
    ]);
  });

  it('of options, variables and project-specific kinds have the anchors of Sphinx', () => {
    const lines = [
      '.. program:: tool',
      '.. option:: -v, --verbose',
      '',
      '   Says more.',
      '',
      '.. envvar:: TOOL_HOME',
      '',
      '   Home.',
      '',
      '.. setting:: DEBUG',
      '',
      '   Debugs.',
      '',
      '.. fixer:: idioms',
      '',
      '   Fixes.',
    ];
    expect(
      blocksOf(...lines)
        .filter((block) => block.type === 'term')
        .map(({ anchor, identifiers }) => [anchor, identifiers]),
    ).toEqual([
      ['cmdoption-tool-v', ['-v', '--verbose']],
      ['envvar-TOOL_HOME', ['TOOL_HOME']],
      ['std-setting-DEBUG', ['DEBUG']],
      ['fixer-idioms', ['idioms']],
    ]);
  });
});

describe('code', () => {
  it('is kept unchanged in every form', () => {
    const lines = [
      'Run::',
      '',
      '    a\n',
      '      b',
      '',
      '.. code-block:: sh',
      '   :linenos:',
      '',
      '   $ ls',
      '',
      '>>> 1 + 1',
      '2',
      '',
      '.. highlight:: c',
      '',
      '::',
      '',
      '   int a;',
    ];
    expect(blocksOf(...lines)).toEqual([
      { type: 'paragraph', markdown: 'Run:' },
      { type: 'code', markdown: '```\na\n\n  b\n```' },
      { type: 'code', language: 'sh', markdown: '```sh\n$ ls\n```' },
      { type: 'code', language: 'python', markdown: '```python\n>>> 1 + 1\n2\n```' },
      { type: 'code', language: 'c', markdown: '```c\nint a;\n```' },
    ]);
  });

  it('follows its caption', () => {
    const lines = ['.. code-block:: python', '   :caption: In ``this.py``', '', '   x = 1'];
    expect(markdownOf(...lines)).toEqual(['In `this.py`', '```python\nx = 1\n```']);
  });
});

describe('text', () => {
  it('has roles as code, resolved links and no escapes', () => {
    const lines = [
      'Use :func:`~queue.put`, ``a `b` c``, :ref:`the part <more>`, `site <https://x.example/a>`_, named_ and re\\ ``Struct``\\ s, |ver|.',
      '',
      '.. _named: /up',
      '.. |ver| replace:: 3.1',
    ];
    expect(markdownOf(...lines)).toEqual([
      'Use `queue.put`, `` a `b` c ``, the part, [site](https://x.example/a), [named](https://docs.example/up) and re`Struct`s, 3.1.',
    ]);
  });

  it('has substitutions, even nested ones with roles and targets, but no endless ones', () => {
    const names = [
      '.. |aws| replace:: :abbr:`AWS (Amazon)`',
      '.. |both| replace:: |aws| and ``s3``',
      '.. |own| replace:: <|own|>',
    ];
    expect(markdownOf('On |both|, |own|.', '', ...names)).toEqual(['On AWS (Amazon) and `s3`, <|own|>.']);
    const signs = [
      '.. |copy| unicode:: 0xA9 .. the sign',
      '.. |hi| unicode:: Hi U+2014 exec Fixed 0x00 8212',
      '.. |ci| image:: a.svg',
    ];
    expect(markdownOf('|ci|\\ |copy| 2026 |hi|.', '', ...signs)).toEqual(['© 2026 Hi—exec Fixed 0x00—.']);
    const picture = ['.. |no| image:: no.svg', '   :target: a.html', '   :alt: Not supported', '.. |b| image:: b.svg'];
    expect(markdownOf('|no| by B|b|.', '', ...picture)).toEqual(['Not supported by B.']);
    const chain = Array.from({ length: 4_000 }, (_, at) => `.. |n${at}| replace:: |n${at + 1}|`);
    expect(markdownOf('|n0|', '', ...chain)).toEqual(['|n20|']);
    const grown = Array.from({ length: 40 }, (_, at) => `.. |n${at}| replace:: ${`|n${at + 1}| `.repeat(40)}`);
    expect(markdownOf('|n0|', '', ...grown).join('').length).toBeLessThan(5_000_000);
  });

  it('has admonitions and version notes with bold labels', () => {
    expect(
      markdownOf('.. note:: Mind', '   this.', '', '.. versionadded:: 3.5', '   Faster.', '', '.. deprecated:: 3.6'),
    ).toEqual(['> **Note:** Mind\n> this.', '> **New in version 3.5:** Faster.', '> **Deprecated since version 3.6**']);
  });

  it('has lists with the content of their items, fields and definitions', () => {
    const lines = [
      '* one',
      '',
      '  ::',
      '',
      '     code',
      '',
      '* two',
      '',
      ':param int size: How many.',
      ':returns: Nothing.',
      '',
      'term : kind',
      '   Meaning.',
    ];
    expect(blocksOf(...lines)).toEqual([
      { type: 'list', markdown: '- one\n\n  ```\n  code\n  ```\n\n- two' },
      { type: 'list', markdown: '- `size` (int): How many.\n- **Returns:** Nothing.' },
      { type: 'term', markdown: 'term (kind)', depth: 1, span: 1, identifiers: [] },
      { type: 'paragraph', markdown: 'Meaning.' },
    ]);
  });

  it('loses comments, tables of contents and build settings, and follows the listed pages', () => {
    const document = extractRst(
      '.. a comment\n   goes on\n\n.. toctree::\n   :maxdepth: 2\n\n   intro\n   Guide <guide/index>\n\n.. image:: a.png\n',
      { url },
    );
    expect(document.blocks).toEqual([]);
    expect(document.links.map((link) => link.url)).toEqual([
      'https://docs.example/library/intro.rst',
      'https://docs.example/library/guide/index.rst',
    ]);
  });
});

describe('asides', () => {
  it('have their title as text and are not admonitions', () => {
    const blocks = blocksOf(
      '.. topic:: Title',
      '',
      '   Text.',
      '',
      '.. sidebar:: Side',
      '',
      '   More.',
      '',
      '.. note:: Mind.',
    );
    expect(blocks.map(({ type, markdown }) => [type, markdown])).toEqual([
      ['paragraph', '**Title**'],
      ['paragraph', 'Text.'],
      ['paragraph', '**Side**'],
      ['paragraph', 'More.'],
      ['admonition', '> **Note:** Mind.'],
    ]);
  });
});

describe('links', () => {
  it('to scripts become text, whether the address is inline or elsewhere', () => {
    const { blocks, links } = extractRst(
      'Press `here <javascript:alert(1)>`_, `there`_ or word_.\n\n.. _there: javascript:alert(2)\n.. _word: data:text/html,x',
      { url },
    );
    expect(blocks.map(({ markdown }) => markdown)).toEqual(['Press here, there or word.']);
    expect(links).toEqual([]);
  });
});

describe('tables', () => {
  it('without a header end at their second border, even if another table follows', () => {
    const table = ['===  ===', 'a    b', '===  ===', ''];
    const blocks = blocksOf(...table, 'Between.', '', ...table);
    expect(blocks.map(({ type }) => type)).toEqual(['table', 'paragraph', 'table']);
    expect(blocks[0]?.markdown).toBe(blocks[2]?.markdown);
    expect(blocks[1]?.markdown).toBe('Between.');
  });

  const expected = '| A | B |\n| --- | --- |\n| 1 | `x` y |\n| 2 | z |';

  it.each([
    [
      [
        '+---+-------+',
        '| A | B     |',
        '+===+=======+',
        '| 1 | ``x`` |',
        '|   | y     |',
        '+---+-------+',
        '| 2 | z     |',
        '+---+-------+',
      ],
    ],
    [['=====  =====', 'A      B', '=====  =====', '1      ``x``', '       y', '2      z', '=====  =====']],
    [['.. csv-table::', '   :header: A, B', '', '   1, "``x`` y"', '   2, z']],
    [['.. list-table::', '', '   * - A', '     - B', '   * - 1', '     - ``x``', '       y', '   * - 2', '     - z']],
  ])('of every kind yield the same rows: %j', (lines) => {
    expect(markdownOf(...lines)).toEqual([expected]);
  });
});

it('any text is read without an exception', () => {
  const fragment = fc.constantFrom(
    '.. ',
    'note::',
    '::',
    '\n',
    '\n\n',
    '   ',
    '* ',
    '1. ',
    '====',
    '----',
    '+--+',
    '| ',
    '`',
    '``',
    ':a:',
    '_',
    '\\',
    '.. class:: A',
    'word',
    '>>> ',
    '|a|',
    '--b  ',
  );
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 60 }), (parts) => {
      for (const block of blocksOf(parts.join(''))) expect(block.markdown.trim()).not.toBe('');
    }),
    { numRuns: 500 },
  );
});
