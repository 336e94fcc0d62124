import { describe, expect, test } from 'vitest';
import { parsePage } from '../../parse/parse-page.ts';
import { type DocumentFormat, documentationFormatOf } from '../format-of.ts';
import { followIncludes } from '../includes.ts';
import { extractMarkdown } from '../markdown/extract-markdown.ts';
import { writersideMarkdown } from './to-markdown.ts';

type Files = Record<string, string>;

const project: Files = {
  'project.ihp': '<ihp version="2.0">\n<snippets src="samples"/>\n<vars src="names.list"/>\n</ihp>',
  'names.list': '<vars><var name="product" value="Kettle"/><var name="version" value="2.1"/></vars>',
  'topics/lib.topic': `<?xml version="1.0"?>
<topic id="lib" title="Parts">
  <snippet id="install">
    <p>Add <code>%module%</code> of %product%:</p>
    <tabs>
      <tab title="Gradle">
        <code-block lang="Kotlin">
          implementation("kettle:%module%:%version%")
        </code-block>
      </tab>
      <tab title="Maven">
        <code-block lang="XML"><![CDATA[
          <artifactId>%module%</artifactId>
        ]]></code-block>
      </tab>
    </tabs>
  </snippet>
  <snippet id="steep"><var name="module" value="kettle-steep"/><p>Steep with %module% for %minutes%.</p></snippet>
  <snippet id="again"><include from="lib.topic" element-id="again"/><include from="lib.topic" element-id="again"/></snippet>
</topic>`,
  'samples/tea/Main.kt': 'package tea\n\nfun main() {\n    boil()\n}\n\nval cups = 3\n\nfun boil() =\n    heat(100)\n',
};

async function follow(text: string, path = 'topics/page.md', files: Files = project): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const format: DocumentFormat = path.endsWith('.topic') ? 'topic' : 'markdown';
  const all: Files = { ...files, [path]: text };
  return new TextDecoder().decode(await followIncludes(bytes, { path, format, read: async (file) => all[file] }));
}

const blocksOf = (text: string) =>
  extractMarkdown(text, { url: 'https://docs.example/topics/page' }).blocks.map(({ type, markdown }) => [
    type,
    markdown,
  ]);

describe('a Markdown page', () => {
  test('has the title of its comment, and sections with the ids next to them', () => {
    const { title, blocks } = extractMarkdown('[//]: # (title: Boiling (fast))\n\n## Add it {id="add_it"}\n\nText.', {
      url: 'https://docs.example/topics/page',
    });
    expect(title).toBe('Boiling (fast)');
    expect(blocks[0]).toMatchObject({ markdown: 'Add it', anchor: 'add_it' });
    expect(extractMarkdown('## A\n\n[//]: # (title: B)', { url: 'https://docs.example/a' }).title).toBe('A');
  });

  test('has variables replaced, even in code, and keeps names without a value', async () => {
    const page =
      '[//]: # (title: Use %product%)\n<var name="module" value="kettle-%version%"/>\n\n`%module%` at 100%, %no%.\n\n';
    const followed = await follow(`${page}\`\`\`\nuse %module%\n\`\`\``);
    expect(followed).toContain('(title: Use Kettle)');
    expect(followed).toContain('`kettle-2.1` at 100%, %no%.');
    expect(followed).toContain('use kettle-2.1');
    expect(await follow('<code-block lang="sh" ignore-vars="true">echo %product%</code-block>')).toContain('%product%');
    expect(await follow('The %product% of another generator.', 'a.md', {})).toBe('The %product% of another generator.');
  });

  test('has no attributes after images and links, and note labels before the whole note', () => {
    const text =
      'See ![](a.svg){width=30}{type="joined"} it.\n\n![Pot](b.png) {width="700"}\n\n> First\nSecond\n>\n{style="note"}\n\n> Third\n>\n> {style="tip"}';
    expect(blocksOf(writersideMarkdown(text)).map(([, markdown]) => markdown)).toEqual([
      'See  it.',
      'Pot',
      '> **Note:** First\n> Second',
      '> **Tip:** Third',
    ]);
  });

  test('includes elements of other files, with its own variables and those of the include', async () => {
    const page =
      '<var name="module" value="kettle-core"/>\n\n<include from="lib.topic" element-id="install"/>\n\n' +
      '<include from="lib.topic" element-id="steep">\n<var name="minutes" value="4 minutes"/>\n</include>\n\nUse %module%.';
    expect(blocksOf(await follow(page))).toEqual([
      ['paragraph', 'Add `kettle-core` of Kettle:'],
      ['paragraph', '**Gradle**'],
      ['code', '```kotlin\nimplementation("kettle:kettle-core:2.1")\n```'],
      ['paragraph', '**Maven**'],
      ['code', '```xml\n<artifactId>kettle-core</artifactId>\n```'],
      ['paragraph', 'Steep with kettle-steep for 4 minutes.'],
      ['paragraph', 'Use kettle-core.'],
    ]);
  });

  test('includes Markdown chapters, blocks and elements, even of itself', async () => {
    const other = {
      ...project,
      'topics/other.md':
        '[//]: # (title: Other)\n<var name="module" value="kettle-other"/>\n\n## One {id="one"}\n\nFirst.\n\n```\n# no heading\n```\n\n## Two\n\n> Hot %module%.\n{id="hot" style="warning"}\n',
    };
    const chapter = await follow('<include from="other.md" element-id="one"/>', 'topics/page.md', other);
    expect(chapter.trim()).toBe('## One {id="one"}\n\nFirst.\n\n```\n# no heading\n```');
    const block = await follow('<include from="other.md" element-id="hot"/>', 'topics/page.md', other);
    expect(blocksOf(block)).toEqual([['admonition', '> **Warning:** Hot kettle-other.']]);
    const own = await follow('<snippet id="a">\n\nMine.\n\n</snippet>\n\n<include element-id="a"/>');
    expect(own.match(/Mine\./g)).toHaveLength(2);
  });

  test('shows the code lines selected by attributes below a fence', async () => {
    const read = async (attributes: string, fence = '```kotlin\n```\n\n') =>
      (await follow(`${fence}${attributes}`)).trim();
    expect(await read('{src="tea/Main.kt" include-lines="3-5,7"}')).toBe(
      '```kotlin\nfun main() {\n    boil()\n}\nval cups = 3\n```',
    );
    expect(await read('{src="tea/Main.kt" collapsed-title="\nMain.kt" include-symbol="boil, cups"}')).toBe(
      '```kotlin\nfun boil() =\n    heat(100)\n\nval cups = 3\n```',
    );
    expect(await read('   {src="tea/Main.kt" include-symbol="main"}', '1. Run:\n   ```\n   label\n   ```\n')).toBe(
      '1. Run:\n   ```kotlin\n   fun main() {\n       boil()\n   }\n   ```',
    );
    expect(await read('{src="none/Main.kt"}')).toBe('```kotlin\n```');
    expect(await read('<code-block lang="kotlin" src="tea/Main.kt"\n    include-lines="7"/>', '')).toBe(
      '```kotlin\nval cups = 3\n```',
    );
  });

  test('shows no attributes and labels the quotes that they style', async () => {
    const page =
      '[//]: # (title: A)\n\n> Mind the steam.\n>\n{style="note"}\n\n![Tea](tea.png){width=300 border-effect="line"}\n\n```\n{style="note"}\n```\n';
    expect(blocksOf(await follow(page))).toEqual([
      ['admonition', '> **Note:** Mind the steam.'],
      ['paragraph', 'Tea'],
      ['code', '```\n{style="note"}\n```'],
    ]);
  });

  test('keeps Markdown within elements', async () => {
    const page =
      '<tabs>\n<tab title="Gas">\n\n1. Light `it`.\n2. Wait.\n\n</tab>\n<tab title="Power">\n    <tip>\n    See [more](more.md).\n    </tip>\n</tab>\n</tabs>\n\nPress <control>On</control>.';
    expect(blocksOf(await follow(page))).toEqual([
      ['paragraph', '**Gas**'],
      ['list', '1. Light `it`.\n2. Wait.'],
      ['paragraph', '**Power**'],
      ['admonition', '> **Tip:** See [more](https://docs.example/topics/more.md).'],
      ['paragraph', 'Press **On**.'],
    ]);
  });
});

describe('unclosed markup', () => {
  test('is shown: tables and lists without end tags, and breaks in cells', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => `<tr><td>a${at}<td>b${at}`).join('\n');
    const page = `<tip>Mind.</tip>\n\n<table>${rows}</table>\n\nAfter.`;
    const text = blocksOf(await follow(page))
      .map(([, markdown]) => markdown)
      .join('\n');
    for (const shown of ['a0', 'b0', 'a29', 'b29', 'After.']) expect(text).toContain(shown);
    const breaks = `<tip>Mind.</tip>\n\n<table><tr><td>x${'<br>y'.repeat(60)}</td></tr></table>\n\nAfter.`;
    expect(JSON.stringify(blocksOf(await follow(breaks)))).toMatch(/x.*y.*After/);
    expect(
      writersideMarkdown('<topic title="T"><p>Before.</p><table><tr><td>In</td></tr><p>Rest.</p></topic>'),
    ).toMatch(/Before\.[^]*In[^]*Rest/);
    expect(writersideMarkdown('<topic title="T"><list><li>One<li>Two<li>Three</list></topic>')).toMatch(
      /^- One\n+- Two\n+- Three$/m,
    );
  });

  test('keeps code in fences after list markers, and the following text', async () => {
    const page = '1. ```sh\n   ls <path> x\n   ```\n2. ```xml\n   <list><path>\n   ```\n\n<tip>Mind.</tip>';
    expect(blocksOf(await follow(page))).toEqual([
      ['list', '1. ```sh\n   ls <path> x\n   ```'],
      ['list', '2. ```xml\n   <list><path>\n   ```'],
      ['admonition', '> **Tip:** Mind.'],
    ]);
  });

  test('does not hide an element with a tag of many lines, or one found only in a further file', async () => {
    const far = `<topic title="T">\n<snippet\n${' filter="x"\n'.repeat(8)} id="far">\n<p>Far.</p>\n</snippet>\n</topic>`;
    expect(
      await follow('<include from="far.topic" element-id="far"/>', 'topics/page.md', {
        ...project,
        'topics/far.topic': far,
      }),
    ).toContain('Far.');
    const near = { 'topics/a/far.topic': '<topic title="N"><snippet id="near"><p>Near.</p></snippet></topic>' };
    const page = await follow('<include from="far.topic" element-id="far"/>', 'topics/a/page.md', {
      ...{ ...project, ...near, 'topics/far.topic': far },
    });
    expect(page).toContain('Far.');
  });
});

describe('a topic', () => {
  const topic = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topic SYSTEM "https://docs.example/entities.dtd">
<topic id="boil" title="Boil &amp; pour">
  <show-structure for="chapter" depth="2"/>
  <chapter title="First steps" id="first">
    <p>Open <path>kettle.conf</path>, see <a href="pour.md" anchor="slow">pouring</a>.</p>
    <procedure title="Boil" id="proc">
      <step><p>Press <control>On</control> &lt;once&gt;.</p>
        <code-block lang="yaml">
          kettle:
            - on
        </code-block>
      </step>
      <step>Wait.</step>
    </procedure>
    <include from="lib.topic" element-id="steep"/>
    <chapter title="Options" id="options">
      <deflist><def title="heat"><p>How hot.</p></def><def><title><code>cups</code></title>How many.</def></deflist>
      <warning><p>It is hot.</p></warning>
      <table><tr><td>Cup</td><td>Size</td></tr><tr><td><code>small</code></td><td>2</td></tr></table>
    </chapter>
  </chapter>
  <code-block src="tea/Main.kt"
              include-lines="7"/>
</topic>`;

  test('is read with its chapters, steps, terms, notes, tables and code', async () => {
    const bytes = new TextEncoder().encode(await follow(topic, 'topics/boil.topic'));
    const page = parsePage({ url: 'https://docs.example/topics/boil.topic', path: 'topics/boil.topic', bytes });
    expect(page).toMatchObject({ format: 'topic', title: 'Boil & pour' });
    expect(blocksOf(writersideMarkdown(new TextDecoder().decode(bytes)))).toEqual([
      ['heading', 'Boil & pour'],
      ['heading', 'First steps'],
      ['paragraph', 'Open `kettle.conf`, see [pouring](https://docs.example/topics/pour.md#slow).'],
      ['paragraph', '**Boil**'],
      ['list', '1. Press **On** \\<once>.\n\n   ```yaml\n   kettle:\n     - on\n   ```\n\n2. Wait.'],
      ['paragraph', 'Steep with kettle-steep for %minutes%.'],
      ['heading', 'Options'],
      ['term', 'heat'],
      ['paragraph', 'How hot.'],
      ['term', '`cups`'],
      ['paragraph', 'How many.'],
      ['admonition', '> **Warning:** It is hot.'],
      ['table', '| Cup | Size |\n| --- | --- |\n| `small` | 2 |'],
      ['code', '```kotlin\nval cups = 3\n```'],
    ]);
  });

  test('that only holds shared snippets is not a page', () => {
    const formatOf = (text: string) => documentationFormatOf('topics/a.topic', new TextEncoder().encode(text));
    expect(formatOf(project['topics/lib.topic'] as string)).toBeUndefined();
    expect(formatOf(topic)).toBe('topic');
    expect(formatOf('<topic title="A"><snippet id="a">A</snippet><p>Text.</p></topic>')).toBe('topic');
  });
});

test('elements that include themselves are cut off', async () => {
  const again = '<include from="lib.topic" element-id="again"/>\n';
  expect((await follow(again.repeat(1_000))).length).toBeLessThan(1_000_000);
  const own = `<snippet id="a">\n${'<include element-id="a"/>\n'.repeat(50)}</snippet>\n`;
  expect((await follow(own)).length).toBeLessThan(10_000_000);
});

test('variables that expand endlessly are cut off', async () => {
  const page = `<var name="a" value="${'%b%'.repeat(300)}"/>\n<var name="b" value="${'x'.repeat(900)}"/>\n${'%a%'.repeat(100_000)}`;
  expect((await follow(page)).length).toBeLessThan(3_000_000);
});

test('variables that expand in each of many elements are cut off', async () => {
  const library = `<snippet id="x">\n<var name="a" value="${'x'.repeat(1_000)}"/>\n${'%a%'.repeat(900)}\n</snippet>`;
  const page = '<include from="big.topic" element-id="x"/>\n'.repeat(100);
  expect((await follow(page, 'topics/page.md', { ...project, 'topics/big.topic': library })).length).toBeLessThan(
    10_000_000,
  );
});

test.each([
  '<tip>\n',
  '<tab title="a">\n- a\n',
  '<li><p>',
  '<li>',
  '<code>x</code> ',
  '<a href="x">',
  '</li>',
  '<code-block>\n',
  '<code-block',
  '<![CDATA[',
  '<!--',
  '<a "',
  '<include ',
  '><include src=',
  '><code-block src="a"/>',
  '<include from="a" element-id="b">\n',
  '{a="\n',
  '{a="b"\n',
  '> a\n{style="note"}\n',
  '> a\n',
  '```\n',
  '`',
  '%a',
  '<var name="a" value="b"',
  '<table><tr><td>',
  '<def title="a">\n\n',
  '<title>',
  '<chapter title="a">',
])('a text full of %j is read in linear time', async (part) => {
  const text = `[//]: # (title: A)\n\n${part.repeat(Math.ceil(300_000 / part.length))}\n{style="note"}\n`;
  const written = await follow(text);
  expect(written.length).toBeLessThan(40_000_000);
  expect(writersideMarkdown(`<topic>${part.repeat(Math.ceil(300_000 / part.length))}</topic>`).length).toBeLessThan(
    40_000_000,
  );
});
