import { describe, expect, test } from 'vitest';
import { ParseError } from '../../parse/parse-error.ts';
import { parsePage } from '../../parse/parse-page.ts';
import { documentationFormatOf, formatOf } from '../format-of.ts';
import { followIncludes } from '../includes.ts';
import { extractDocbook } from './extract-docbook.ts';

const url = 'https://docs.example/kettle.xml';
const bytes = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => extractDocbook(text, { url });
const shown = (text: string) =>
  read(text)
    .blocks.map(({ type, depth, markdown }) =>
      type === 'heading' ? `${'#'.repeat(depth ?? 1)} ${markdown}` : markdown,
    )
    .join('\n\n');
const section = (inner: string) => `<section><title>Tea</title>${inner}</section>`;
const below = (inner: string) => shown(section(inner)).replace(/^# Tea\n\n/, '');

describe('XML that is documentation', () => {
  test.each([
    [
      'DocBook 5',
      '<?xml version="1.0"?><!-- tea --><chapter xmlns="http://docbook.org/ns/docbook"><title>Tea</title></chapter>',
    ],
    [
      'DocBook 4',
      '<!DOCTYPE book PUBLIC "-//OASIS//DTD DocBook XML V4.5//EN" "docbookx.dtd" [<!ENTITY x "]>">]><book/>',
    ],
    ['a prefix', '<d:book xmlns:d="http://docbook.org/ns/docbook"><d:title>Tea</d:title></d:book>'],
    ['DITA', '<!DOCTYPE task PUBLIC "-//OASIS//DTD DITA Task//EN" "task.dtd"><task id="t"/>'],
    ['a part without a vocabulary', '<sect1 xml:id="tea"><title>Tea</title></sect1>'],
    ['a chapter by what is in it', '<chapter><title>Tea</title><para>Boil.</para></chapter>'],
  ])('includes %s', (_name, text) => {
    expect(documentationFormatOf('src/tea.xml', bytes(text))).toBe('docbook');
  });

  test.each([
    ['a build file', '<?xml version="1.0"?><project><title>Tea</title></project>'],
    ['books as data', '<book><title>Tea</title><author>A</author></book>'],
    [
      'an article of another vocabulary',
      '<!DOCTYPE article PUBLIC "JATS"><article><front/><body><p>Tea</p></body></article>',
    ],
    ['a map of topics', '<!DOCTYPE map PUBLIC "-//OASIS//DTD DITA Map//EN" "map.dtd"><map/>'],
    ['no XML', 'docbook http://docbook.org/ns/docbook'],
    ['an open comment', '<!-- <section xmlns="http://docbook.org/ns/docbook">'],
  ])('does not include %s', (_name, text) => {
    expect(documentationFormatOf('src/tea.xml', bytes(text))).toBeUndefined();
    expect(formatOf('src/tea.xml', undefined, bytes(text))).toBe('code');
  });

  test.each(['tea.dbk', 'tea.docbook', 'tea.dita'])('includes %s by its extension', (name) => {
    expect(formatOf(name, undefined, bytes('<topic/>'))).toBe('docbook');
    expect(formatOf('tea', 'application/docbook+xml', bytes('<book/>'))).toBe('docbook');
  });
});

describe('DocBook', () => {
  test('reads sections as headings with their depth and id', () => {
    const { title, blocks } = read(
      `<book xml:id="b"><info><title>Kettles</title><author>Ann</author><abstract><para>All of them.</para></abstract></info>
        <chapter id="boil"><title>Boiling <literal>water</literal></title><titleabbrev>Boil</titleabbrev><para id="p">Hot.</para>
        <sect1><title>Slowly</title><bridgehead>Very</bridgehead><indexterm><primary>slow</primary></indexterm></sect1></chapter></book>`,
    );
    expect(title).toBe('Kettles');
    expect(blocks.map(({ depth, markdown, anchor }) => [depth, markdown, anchor])).toEqual([
      [1, 'Kettles', 'b'],
      [undefined, 'All of them.', undefined],
      [2, 'Boiling `water`', 'boil'],
      [undefined, 'Hot.', 'p'],
      [3, 'Slowly', undefined],
      [4, 'Very', undefined],
    ]);
  });

  test('uses the name of a manual page as its title', () => {
    const { title, blocks } = read(
      `<refentry id="kettle"><refentryinfo><title>kettle.service</title></refentryinfo><refmeta><manvolnum>1</manvolnum></refmeta>
        <refnamediv><refname>kettle</refname><refname>pot</refname><refpurpose>boils water</refpurpose></refnamediv>
        <refsynopsisdiv><cmdsynopsis><command>kettle</command><arg>-q</arg><arg choice="plain" rep="repeat"><replaceable>cup</replaceable></arg>
        <group choice="req"><arg choice="plain">hot</arg><arg choice="plain">cold</arg></group></cmdsynopsis></refsynopsisdiv>
        <refsect1><title>Options</title><variablelist><varlistentry id="q"><term><option>-q</option></term><term><option>--quiet</option></term>
        <listitem><para>No whistle. See <citerefentry><refentrytitle>tea</refentrytitle><manvolnum>7</manvolnum></citerefentry>.</para></listitem></varlistentry></variablelist></refsect1></refentry>`,
    );
    expect(title).toBe('kettle, pot');
    expect(blocks.map(({ markdown }) => markdown)).toEqual([
      '`kettle`, `pot`',
      'boils water',
      '```\nkettle [-q] cup... {hot | cold}\n```',
      'Options',
      '`-q`, `--quiet`',
      'No whistle. See `tea(7)`.',
    ]);
    expect(blocks[4]).toMatchObject({ type: 'term', anchor: 'q', identifiers: ['-q', '--quiet'] });
  });

  test('keeps lines and language of code without surrounding line breaks', () => {
    const code =
      '<programlisting language="php">\n<![CDATA[\n<?php\n  if ($a < 1 && $b) { }\n?>\n]]>\n</programlisting>';
    expect(below(code)).toBe('```php\n<?php\n  if ($a < 1 && $b) { }\n?>\n```');
    expect(below('<screen role="sh">boil <co id="a"/>\npour <co id="b"/></screen>')).toBe(
      '```\nboil (1)\npour (2)\n```',
    );
    expect(below('<calloutlist><callout arearefs="a"><para>Hot.</para></callout></calloutlist>')).toBe('1. Hot.');
  });

  test('reads lists and the titles of blocks that are not sections', () => {
    expect(below('<itemizedlist><title>Kinds</title><listitem><para>Green</para></listitem></itemizedlist>')).toBe(
      '**Kinds**\n\n- Green',
    );
    expect(
      below(
        '<procedure><step><para>Boil.</para><substeps><step><para>Wait.</para></step></substeps></step></procedure>',
      ),
    ).toBe('1. Boil.\n   1. Wait.');
    expect(
      below('<para>Take <simplelist type="inline"><member>a</member><member>b</member></simplelist>.</para>'),
    ).toBe('Take a, b.');
    expect(below('<simplelist><member>a</member></simplelist>')).toBe('- a');
    expect(below('<example><title>Pour</title><para>So.</para></example>')).toBe('**Pour**\n\nSo.');
    expect(below('<formalpara><title>Pour</title><para>So.</para></formalpara>')).toBe('**Pour**\n\nSo.');
  });

  test('reads a table’s title, header and spans', () => {
    const spec = '<colspec colname="a"/><colspec colname="b"/><colspec colname="c"/>';
    const head = '<thead><row><entry>Tea</entry><entry>Heat</entry><entry>Time</entry></row></thead>';
    const rows = `<row><entry morerows="1">Green</entry><entry namest="b" nameend="c">all</entry></row><row><entry>70</entry><entry>2</entry></row><row><entry namest="a" nameend="b">both</entry><entry>3</entry></row>`;
    expect(
      below(`<table><title>Teas</title><tgroup cols="3">${spec}${head}<tbody>${rows}</tbody></tgroup></table>`),
    ).toBe(
      '**Teas**\n\n| Tea | Heat | Time |\n| --- | --- | --- |\n| Green | all |  |\n| Green | 70 | 2 |\n| both |  | 3 |',
    );
    expect(
      below('<informaltable><caption><para>Hot.</para></caption><tr><td>a</td><td>b</td></tr></informaltable>'),
    ).toContain('Hot.');
    for (const info of ['info', 'sidebarinfo'])
      expect(below(`<sidebar><${info}><date>2020</date></${info}><para>x</para></sidebar>`)).toBe('x');
    const list =
      '<segtitle>Tea</segtitle><segtitle>Heat</segtitle><seglistitem><seg>Black</seg><seg>95</seg></seglistitem>';
    expect(below(`<segmentedlist>${list}</segmentedlist>`)).toBe('| Tea | Heat |\n| --- | --- |\n| Black | 95 |');
  });

  test('puts a cell into the column it names, next to cells spanning into its row', () => {
    const spec = '<colspec colname="a"/><colspec colname="b"/><colspec colname="c"/>';
    const rows =
      '<row><entry colname="a" morerows="1">Green</entry><entry colname="c">2</entry></row><row><entry colname="b">70</entry></row>' +
      '<row><entry colname="c">3</entry></row>';
    expect(below(`<informaltable><tgroup cols="3">${spec}<tbody>${rows}</tbody></tgroup></informaltable>`)).toBe(
      '|  |  |  |\n| --- | --- | --- |\n| Green |  | 2 |\n| Green | 70 |  |\n|  |  | 3 |',
    );
  });

  test('reads one-cell tables, inline pictures, glossary references and copyrights', () => {
    const one = '<tgroup cols="1"><tbody><row><entry>Hot</entry></row></tbody></tgroup>';
    expect(below(`<table><title>Teas</title>${one}</table>`)).toBe('**Teas**\n\nHot');
    const picture =
      '<inlinemediaobject><imageobject><imagedata fileref="a.png"/></imageobject><textobject><phrase>the pot</phrase></textobject></inlinemediaobject>';
    expect(below(`<para>See ${picture} here.</para>`)).toBe('See the pot here.');
    expect(
      below('<glosslist><glossentry><glossterm>Cha</glossterm><glosssee>Tea</glosssee></glossentry></glosslist>'),
    ).toBe('Cha\n\nSee Tea');
    const owner = '<copyright><year>2020</year><holder>Ann</holder></copyright>';
    expect(below(`<para>Of ${owner}.</para>`)).toBe('Of 2020 Ann.');
  });

  test('reads notes as admonitions, questions as headings, and footnotes in place', () => {
    expect(below('<warning><title>Hot water</title><para>Wait.</para></warning>')).toBe(
      '> **Warning: Hot water**\n>\n> Wait.',
    );
    expect(below('<caution><simpara>Wait.</simpara></caution>')).toBe('> **Caution**\n>\n> Wait.');
    const asked = '<question><para>Why?</para><screen>e</screen></question><answer><para>So.</para></answer>';
    expect(below(`<qandaset><qandaentry id="w">${asked}</qandaentry></qandaset>`)).toBe(
      '## Why?\n\n```\ne\n```\n\nSo.',
    );
    expect(below('<para>Tea<footnote><para>Or coffee.</para></footnote>.</para>')).toBe('Tea (Or coffee.).');
  });

  test.each([
    ['<keycombo><keycap>Ctrl</keycap><keycap>C</keycap></keycombo>', '`Ctrl`+`C`'],
    ['<menuchoice><guimenu>File</guimenu><guimenuitem>Open</guimenuitem></menuchoice>', '**File** > **Open**'],
    ['<emphasis role="bold">b</emphasis> <emphasis>i</emphasis> <quote>q</quote>', '**b** *i* “q”'],
    ['<filename><replaceable>dir</replaceable>/a</filename> <envar>HOME</envar>', '`dir/a` `HOME`'],
    ['<type class="union"><type>int</type><type>null</type></type>', '`int|null`'],
    ['<code>a<optional>b</optional></code>', '`a[b]`'],
    ['<ulink url="https://tea.example/">tea</ulink>', '[tea](https://tea.example/)'],
    ['<link xlink:href="https://tea.example/"/>', '[https://tea.example/](https://tea.example/)'],
    ['<link linkend="elsewhere">tea</link>, <xref linkend="other.place"/>', 'tea, other.place'],
    [
      '<xref linkend="s"/></para><section xml:id="s"><title>Steep</title></section><para>',
      `[Steep](${url}#s)\n\n## Steep`,
    ],
    [
      '<xref linkend="r"/></para><refentry id="r"><refnamediv><refname>pot</refname></refnamediv></refentry><para>',
      `[pot](${url}#r)\n\n## \`pot\``,
    ],
    [
      '<inlinemediaobject><imageobject><imagedata fileref="a.png"/></imageobject><alt>A cup</alt></inlinemediaobject>',
      'A cup',
    ],
    ['Since <date>2020</date>, <edition>second</edition>, by <author>Ada</author>', 'Since 2020, second, by Ada'],
    ['2<superscript>10</superscript> <unheard>of</unheard>', '2^10 of'],
  ])('reads inline elements: %s', (written, expected) => {
    expect(below(`<para>${written}</para>`)).toBe(expected);
  });

  test('reads declarations as code', () => {
    const parameter =
      '<methodparam choice="opt"><type>int</type><parameter role="reference">heat</parameter><initializer>90</initializer></methodparam>';
    const method = `<methodsynopsis><modifier>static</modifier><type>bool</type><methodname>boil</methodname>${parameter}</methodsynopsis>`;
    expect(below(method)).toBe('```\nstatic bool boil(int &heat = 90)\n```');
    expect(below(`${method}<screen role="php">ok</screen>`)).toContain(
      '```php\nstatic boil(int &$heat = 90): bool\n```',
    );
    const faults = '<exceptionname>Dry</exceptionname><exceptionname>Hot</exceptionname></methodsynopsis>';
    expect(below(method.replace('</methodsynopsis>', faults))).toContain('(int &heat = 90) throws Dry, Hot\n');
    const none = '<methodsynopsis><void/><methodname>stop</methodname><void/></methodsynopsis>';
    expect(below(none)).toBe('```\nvoid stop()\n```');
    const prototype =
      '<funcdef>int <function>pour</function></funcdef><paramdef>cup *<parameter>c</parameter></paramdef><varargs/>';
    expect(
      below(
        `<funcsynopsis><funcsynopsisinfo>#include &lt;tea.h&gt;</funcsynopsisinfo><funcprototype>${prototype}</funcprototype></funcsynopsis>`,
      ),
    ).toBe('```\n#include <tea.h>\nint pour(cup *c, ...);\n```');
    const head =
      '<ooclass><modifier>final</modifier><classname>Pot</classname></ooclass><oointerface><interfacename>A</interfacename></oointerface><oointerface><interfacename>B</interfacename></oointerface>';
    const field =
      '<fieldsynopsis><modifier>const</modifier><type>int</type><varname>MAX</varname><initializer>3</initializer></fieldsynopsis>';
    expect(
      below(
        `<classsynopsis>${head}<classsynopsisinfo role="comment">Parts</classsynopsisinfo>${field}${none}<classsynopsisinfo role="comment">Others</classsynopsisinfo><xi:include xpointer="others"/></classsynopsis>`,
      ),
    ).toBe('```\nfinal class Pot implements A, B {\n    /* Parts */\n    const int MAX = 3;\n    void stop();\n}\n```');
    const item = '<enumitem><enumidentifier>Hot</enumidentifier><enumvalue>1</enumvalue></enumitem>';
    expect(below(`<enumsynopsis><enumname>Heat</enumname>${item}</enumsynopsis>`)).toBe(
      '```\nenum Heat {\n    case Hot = 1;\n}\n```',
    );
  });

  test('does not mistake the type after a name for a name', () => {
    const { blocks } = read(
      section(
        '<variablelist><varlistentry><term><parameter>tea.heat</parameter> <type>string</type></term><listitem><para>x</para></listitem></varlistentry></variablelist>',
      ),
    );
    expect(blocks[1]).toMatchObject({ type: 'term', identifiers: ['tea.heat'] });
  });
});

describe('DITA', () => {
  test('reads a task with its steps, notes and links', () => {
    const page = `<task id="t"><title>Boil</title><titlealts><navtitle>B</navtitle></titlealts><shortdesc>Heat water.</shortdesc>
      <prolog><metadata><keywords><indexterm>heat</indexterm></keywords></metadata></prolog><taskbody><context>In a pot.</context>
      <steps><step id="s"><cmd>Press <uicontrol>On</uicontrol>.</cmd><info>It <term>glows</term>.</info></step>
      <step><cmd>Run <cmdname>boil</cmdname> on <xmlelement>pot</xmlelement>, <xmlatt>heat</xmlatt>.</cmd></step></steps>
      <result><note type="tip"><p>Wait.</p></note></result></taskbody>
      <related-links><link href="pour-tea.dita#pour/cup"/><link href="https://tea.example/"><linktext>Tea</linktext></link></related-links></task>`;
    expect(shown(page)).toBe(
      [
        '# Boil\n\nHeat water.\n\nIn a pot.',
        '1. Press **On**.\n\n   It glows.\n2. Run `boil` on `<pot>`, `@heat`.',
        '> **Tip**\n>\n> Wait.',
        '[pour tea](https://docs.example/pour-tea.dita#cup)\n\n[Tea](https://tea.example/)',
      ].join('\n\n'),
    );
  });

  test('reads its own tables, terms, code and keys', () => {
    const rows =
      '<sthead><stentry>Tea</stentry><stentry>Heat</stentry></sthead><strow><stentry>Green</stentry><stentry>70</stentry></strow>';
    expect(below(`<simpletable>${rows}</simpletable>`)).toBe('| Tea | Heat |\n| --- | --- |\n| Green | 70 |');
    const entry = '<parml><plentry id="q"><pt>-q</pt><pd>Quiet.</pd></plentry></parml>';
    expect(read(section(entry)).blocks[1]).toMatchObject({ type: 'term', anchor: 'q', identifiers: ['-q'], span: 1 });
    expect(below('<p>A <image href="a.png" alt="pot"/>.</p>')).toBe('A pot.');
    expect(below('<codeblock outputclass="language-xml">&lt;tea/&gt;</codeblock>')).toBe('```xml\n<tea/>\n```');
    expect(below('<p>Run <keyword keyref="keys/kettle"/>.</p><p conkeyref="keys/x"/><note conref="y"/>')).toBe(
      'Run kettle.',
    );
    expect(shown('<glossentry id="g"><glossterm>Oolong</glossterm><glossdef>A tea.</glossdef></glossentry>')).toBe(
      '# Oolong\n\nA tea.',
    );
  });
});

describe('entities', () => {
  const declared = (subset: string, inner: string) => `<!DOCTYPE section [${subset}]>${section(inner)}`;

  test('are replaced by the values a file declares, also in attributes', () => {
    const subset = `<!-- <!ENTITY a "no"> --><!ENTITY % p "<!ENTITY a 'no'>"> %p; <!ENTITY a "<literal>&b;</literal>"><!ENTITY b 'te&#97; &lt;'>
      <!ENTITY b "second"><!ENTITY home "https://tea.example"><!ELEMENT x (y)><!ENTITY far SYSTEM "file:///etc/passwd">`;
    expect(shown(declared(subset, '<para>Hot &a;.<ulink url="&home;/&b;">x</ulink>&far;</para>'))).toBe(
      '# Tea\n\nHot `tea <`.[x](https://tea.example/tea%20%3C)',
    );
  });

  test('that are undeclared show their name in text and nothing between elements', () => {
    expect(
      below(
        '<para>Edit &php.ini; &mdash; A &amp; B & C &#x41; < 3.</para>&reference.tea.functions;<itemizedlist>&tea.items;</itemizedlist>',
      ),
    ).toBe('Edit php.ini — A & B & C A < 3.');
  });

  test('are read from the project’s files, as are included elements and code', async () => {
    const files: Record<string, string> = {
      'language-snippets.ent': `<!ENTITY return.hot '<simpara>Returns &yes; if "hot".</simpara>'>`,
      'entities/entities.title.ent': '<entities><entity name="title.values"><title>Values</title></entity></entities>',
      'entities/entities.php.ent':
        '<entities><entity name="true">true</entity><entity name="yes"><constant>yes</constant></entity></entities>',
      'ref/own.ent': '<!ENTITY cup "a cup">',
      'ref/shared.xml':
        "<variablelist>\n<varlistentry id='help'><term>--help</term>\n<listitem><para>Helps.</para></listitem></varlistentry>\n</variablelist>",
      'ref/a.sh': 'boil <pot> ]]> end',
    };
    const text = `<!DOCTYPE refentry [<!ENTITY % own SYSTEM "own.ent"> %own;]><refsect1>&title.values; &return.hot;<para>&cup; &true;</para>
      <variablelist><xi:include href="shared.xml" xpointer="help" /></variablelist><codeblock><coderef href="a.sh"/></codeblock>
      <xi:include href="../../secret.txt" parse="text"/><xi:include href="shared.xml"/></refsect1>`;
    const asked: string[] = [];
    const found = await followIncludes(bytes(text), {
      ...{ path: 'ref/boil.xml', format: 'docbook' },
      read: async (path) => (asked.push(path), files[path]),
    });
    expect(shown(new TextDecoder().decode(found))).toBe(
      '# Values\n\nReturns `yes` if "hot".\n\na cup true\n\n--help\n\nHelps.\n\n```\nboil <pot> ]]> end\n```',
    );
    expect(asked.filter((path) => path.includes('..'))).toEqual([]);
    const plain = bytes(section('<para>No entities.</para>'));
    expect(await followIncludes(plain, { path: 'a.xml', format: 'docbook', read: async () => 'x' })).toBe(plain);
  });
});

test('long chains of entities are cut off, and elements of large files are included only a few times', async () => {
  const chain = Array.from({ length: 200_000 }, (_, at) => `<!ENTITY e${at} "&e${at + 1};">`).join('\n');
  const names = Array.from({ length: 900 }, (_, at) => `&e${at * 200};`).join('');
  const outside = '<!ENTITY % own SYSTEM "own.ent">'.repeat(5_000);
  const large = '<para id="other">Words of another place in this file.</para>\n'.repeat(100_000);
  const files: Record<string, string> = { 'own.ent': chain, 'large.xml': `${large}<para id="p">One.</para>` };
  const asked: string[] = [];
  const follow = async (text: string) => {
    const reading = async (path: string) => (asked.push(path), files[path]);
    const found = await followIncludes(bytes(text), { path: 'a.xml', format: 'docbook', read: reading });
    return new TextDecoder().decode(found);
  };
  const declared = await follow(`<!DOCTYPE section [${outside}]>${section(`<para>${names}</para>`)}`);
  expect(declared.length).toBeLessThan(1_000_000);
  expect(asked.filter((path) => path === 'own.ent').length).toBeLessThan(30);
  const include = '<xi:include href="large.xml" xpointer="p"/>';
  const shownTimes = (await follow(section(include.repeat(200)))).split('One.').length - 1;
  expect(shownTimes).toBeGreaterThan(0);
  expect(shownTimes).toBeLessThan(10);
});

test('hidden and outside files are not included, and includes in code and comments are ignored', async () => {
  const files: Record<string, string> = {
    '.env': '<!ENTITY token "secret">',
    'docs/.env': '<!ENTITY token "secret">',
    'docs/part.txt': 'secret',
    'docs/own.ent': '<!-- <!ENTITY tea "stale"> --><!ENTITY tea "green">',
  };
  const follow = async (text: string, path = 'docs/a.xml') => {
    const found = await followIncludes(bytes(text), { path, format: 'docbook', read: async (name) => files[name] });
    return new TextDecoder().decode(found);
  };
  for (const href of ['.env', './.env', '../.env', '/.env', 'x/../.env', 'file:///.env'])
    for (const path of ['a.xml', 'docs/a.xml']) {
      expect(await follow(section(`<xi:include href="${href}" parse="text"/>`), path)).not.toContain('secret');
      const outside = `<!DOCTYPE section [<!ENTITY % own SYSTEM "${href}">]>${section('<para>&token;</para>')}`;
      expect(await follow(outside, path)).not.toContain('secret');
    }
  const part = '<xi:include href="part.txt" parse="text"/>';
  expect(await follow(section(part))).toContain('secret');
  for (const shown of [`<screen><![CDATA[${part}]]></screen>`, `<!-- ${part} -->`])
    expect(await follow(section(shown))).toBe(section(shown));
  const own = `<!DOCTYPE section [<!ENTITY % own SYSTEM "own.ent">]>${section('<para>&tea;</para>')}`;
  expect(await follow(own)).toContain('<!ENTITY tea "green">');
});

test('long attribute names are read in linear time', () => {
  // Quadratic work would exceed the time limit.
  expect(below(`<para ${'a'.repeat(900_000)}::="b">x</para>`)).toBe('x');
});

describe('damaged and hostile files are refused with a reason', () => {
  const laughs = [
    '<!ENTITY l0 "ha<i/>">',
    ...Array.from({ length: 10 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`),
  ];
  const bomb = `<!DOCTYPE section [${laughs.join('')}]>${section('<para>&l10;</para>')}`;
  const circle = `<!DOCTYPE section [<!ENTITY a "<i/>&b;"><!ENTITY b "<i/>&a;">]>${section('<para>&a;</para>')}`;

  test.each([
    ['laughs', bomb, /expand without bound/],
    [
      'laughs in attributes',
      bomb.replace('<para>&l10;', '<para role="&l10;">').replace('<i/>', ''),
      /expand without bound/,
    ],
    ['a circle', circle, /too deep/],
    ['depth', '<para>'.repeat(100_000), /nests elements deeper than 120/],
    ['an open comment', section('<!-- <para>'), /--> is missing/],
    ['an open section of data', section('<![CDATA[ <para>'), /]]> is missing/],
    ['an open attribute', section('<para role="x>'), /no well-formed XML/],
    ['nothing', 'tea', /no XML element/],
  ])('%s', (_name, text, reason) => {
    expect(() => parsePage({ url, bytes: bytes(text), format: 'docbook' })).toThrow(reason);
  });

  test.each([
    ['opened titles', '<title>x</title>'],
    ['closed elements', '</para>'],
    ['references', '&x; & <'],
    ['links without text', '<xref linkend="s"/>'],
    ['spans', '<row><entry namest="a" nameend="b">x</entry></row>'],
    ['columns', '<row><entry colname="z" morerows="900"/></row>'],
    ['names', '<refname>x</refname>'],
    ['open marks', '<para>'.repeat(200)],
  ])('time is linear in the size of the page: %s', (_name, unit) => {
    const specs = `${'<colspec/>'.repeat(20_000)}<colspec colname="z"/>`;
    const text = `<section id="s"><title>T</title><informaltable><tgroup>${specs}<tbody>${unit.repeat(20_000)}</tbody></tgroup></informaltable></section>`;
    // Quadratic work would exceed the time limit.
    try {
      expect(read(text).title).toBe('T');
    } catch (error) {
      expect(error).toBeInstanceOf(ParseError);
    }
  });
});
