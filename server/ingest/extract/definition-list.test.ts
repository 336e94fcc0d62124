import { describe, expect, test } from 'vitest';
import type { Block } from '../document.ts';
import { extractHtml } from './extract-html.ts';

const blocks = (html: string): Block[] => extractHtml(html, { url: 'https://docs.example/a' }).blocks;
const terms = (html: string): Block[] => blocks(html).filter(({ type }) => type === 'term');

describe('terms', () => {
  test('have a span that covers the body, nested terms and their bodies', () => {
    const html = '<dl><dt>a<dd><p>1</p><dl><dt>b<dd><p>2</p><p>3</p></dl><dt>c<dd>4</dl>';
    const found = blocks(html).map(({ type, markdown, depth, span }) => [type, markdown, depth, span]);
    expect(found).toEqual([
      ['term', 'a', 1, 4],
      ['paragraph', '1', undefined, undefined],
      ['term', 'b', 2, 2],
      ['paragraph', '2', undefined, undefined],
      ['paragraph', '3', undefined, undefined],
      ['term', 'c', 1, 1],
      ['paragraph', '4', undefined, undefined],
    ]);
  });

  test('from an unclosed list inside code have the whole declaration', () => {
    const html = '<dl><dt><pre>public class <b>Pool</b><dt>extends Object</dl></pre><p>Lends connections.';
    expect(terms(html).map(({ markdown }) => markdown)).toEqual(['public class Pool extends Object']);
  });

  test('from Sphinx signatures are code spans with their anchor and qualified name', () => {
    const html =
      '<dl class="py method"><dt class="sig sig-object py" id="pool.Pool.take"><em class="property">async </em>' +
      '<span class="sig-name descname"><span class="pre">take</span></span><span class="sig-paren">(</span>' +
      '<em class="sig-param">timeout=None</em><span class="sig-paren">)</span>' +
      '<a class="reference internal" href="_modules/pool.html#Pool.take"><span class="viewcode-link">[source]</span></a>' +
      '<a class="headerlink" href="#pool.Pool.take">¶</a></dt><dd><p>Takes one.</p></dd></dl>';
    expect(terms(html)[0]).toEqual({
      type: 'term',
      markdown: '`async take(timeout=None)`',
      depth: 1,
      span: 1,
      anchor: 'pool.Pool.take',
      identifiers: ['take', 'pool.Pool.take'],
    });
  });

  test('without a name belong to the previous entry', () => {
    const [term, ...others] = terms(
      '<dl><dt>--begin<dd>For example:<dt><dd><pre>--begin=16:00</pre><dt>--chdir<dd>x</dl>',
    );
    expect(term).toMatchObject({ markdown: '--begin', span: 2 });
    expect(others).toMatchObject([{ markdown: '--chdir' }]);
  });

  test('for several names of one option are one term', () => {
    const html =
      '<div class="dlist"><dl><dt class="hdlist1" id="o">-n</dt><dt class="hdlist1">--dry-run</dt><dd><p>x</p></dd></dl></div>';
    expect(terms(html)).toMatchObject([{ markdown: '-n, --dry-run', anchor: 'o', identifiers: ['-n', '--dry-run'] }]);
  });

  test('of DocBook settings have the id of their term', () => {
    const html =
      '<dl class="variablelist"><dt id="GUC-WORK-MEM"><span class="term"><code class="varname">work_mem</code> (<code class="type">integer</code>)</span> <a href="#GUC-WORK-MEM" class="id_link">#</a></dt><dd><p>x</p></dd></dl>';
    expect(terms(html)[0]).toMatchObject({ markdown: '`work_mem` (`integer`)', anchor: 'GUC-WORK-MEM' });
    expect(terms(html)[0]?.identifiers).toContain('work_mem');
  });

  test('of docutils show their classifier after a colon', () => {
    expect(
      terms('<dl><dt><strong>right</strong><span class="classifier">DataFrame</span></dt><dd>x</dl>')[0]?.markdown,
    ).toBe('right : DataFrame');
  });

  test('in plain words define no name', () => {
    expect(terms('<dl><dt>Getting started</dt><dd>x</dl>')[0]?.identifiers).toBeUndefined();
  });

  test('without bodies are a list if they are links, footnotes are paragraphs', () => {
    expect(
      blocks('<dl class="toc"><dt><a href="b">B</a></dt><dd><dl><dt><a href="c">C</a></dt></dl></dd></dl>')[0],
    ).toMatchObject({
      type: 'list',
      markdown: '- [B](https://docs.example/b)\n  - [C](https://docs.example/c)',
    });
    expect(
      blocks('<p>x</p><dl class="footnote brackets"><dt class="label" id="f1">1</dt><dd><p>Note.</p></dd></dl>')[1],
    ).toMatchObject({
      type: 'paragraph',
      markdown: '[1] Note.',
      anchor: 'f1',
    });
  });

  test('end at a heading inside an unclosed list', () => {
    const found = blocks('<dl><dt>a<dd>b<h2 id="n">Next</h2><p>text</p>');
    expect(found.map(({ type }) => type)).toEqual(['term', 'paragraph', 'heading', 'paragraph']);
  });

  test('without a list around them are recognized', () => {
    expect(
      terms('<div><h3>A</h3><dt>one</dt><dd>1</dd><dt>two</dt><dd>2</dd></div>').map(({ markdown }) => markdown),
    ).toEqual(['one', 'two']);
  });

  test('are found in declarations of haddock, RDoc and old doxygen', () => {
    const haddock =
      '<h1>M</h1><div class="top"><p class="src"><a id="v:map" class="def">map</a> :: a <a href="src/M.html#map" class="link">Source</a></p><div class="doc"><p>Maps.</p></div></div>';
    expect(terms(haddock)[0]).toMatchObject({ markdown: '`map :: a`', anchor: 'v:map', identifiers: ['map'], span: 1 });
    const rdoc =
      '<h1>M</h1><div id="method-i-go" class="method-detail"><div class="method-heading"><span class="method-name">go</span><span class="method-args">(a)</span></div><div><p>Goes.</p></div></div>';
    expect(terms(rdoc)[0]).toMatchObject({ markdown: '`go(a)`', anchor: 'method-i-go', identifiers: ['go'] });
    const doxygen =
      '<h1>M</h1><a id="a1"></a><div class="memitem"><div class="memproto"><table class="memname"><tr><td>int run </td><td>(</td><td>int </td><td>n</td><td>)</td></tr></table></div><div class="memdoc"><p>Runs.</p></div></div>';
    expect(terms(doxygen)[0]).toMatchObject({ markdown: '`int run(int n)`', anchor: 'a1' });
  });

  test('for Crystal methods are named after them', () => {
    const method = (id: string, name: string) =>
      `<div class="entry-detail" id="${id}"><div class="signature">def self.<strong>${name}</strong>(path : <a href="s.html">String</a>) <a class="method-permalink" href="#${id}">#</a></div><div class="doc"><p>Does it.</p></div></div>`;
    expect(terms(`<h1>class Client</h1>${method('get-i', 'get')}${method('m-i', '-')}`)).toMatchObject([
      { markdown: '`def self.get(path : String)`', anchor: 'get-i', identifiers: ['get'], span: 1 },
      { markdown: '`def self.-(path : String)`', anchor: 'm-i', span: 1 },
    ]);
  });

  test('for documentation.js methods are named after the line that opens them', () => {
    const line = (name: string) =>
      `<div class="clearfix small pointer toggle-sibling"><div class="py1 contain"><a class="icon pin-right caret-right">▸</a> <span class="code strong">${name}(text)</span></div></div>`;
    const method = `<div class="border-bottom" id="queuepush">${line('push')}<div class="clearfix display-none toggle-target"><p>Adds.</p></div></div>`;
    expect(terms(`<h3 id="queue">Queue</h3>${method}`)).toMatchObject([
      { markdown: '`push(text)`', anchor: 'queuepush', identifiers: ['push'], span: 1 },
    ]);
  });

  test('for ocamldoc declarations have the description after them', () => {
    const info = (text: string) => `<div class="info "><div class="info-desc"><p>${text}</p></div></div>`;
    const value = `<pre><span id="VALsplit"><span class="keyword">val</span> split</span> : <code class="type">string -&gt;<br>       string</code></pre>${info('Splits.')}`;
    const row = (mark: string, field: string, comment = '') =>
      `<tr><td><code>${mark}</code></td><td><code>${field}</code></td>${comment && `<td><code>(*</code></td><td>${info(comment)}</td><td><code>*)</code></td>`}</tr>`;
    const variant = `<pre><span id="TYPEt"><span class="keyword">type</span> t</span> = </pre><table class="typetable">${row('|', '<span id="TYPEELTt.A">A</span>')}${row('|', 'B <span>of</span> <code>int</code>', 'Counted.')}</table>\n\n${info('A letter.')}`;
    const record = `<pre><code><span id="TYPEr"><span class="keyword">type</span> r</span> = {</code></pre><table class="typetable">${row('&nbsp;&nbsp;', '<span id="TYPEELTr.x">x</span>&nbsp;: int;')}</table>\n<code>}</code>\n${info('A box.')}`;
    const html = `<h1>Module M</h1><pre><span id="MODULEM"><span>module</span> M</span>: sig .. end</pre><div class="info module top"><p>Letters.</p></div><hr><h7 id="6_Use">Use</h7>${value}<pre><span id="VAL(+)"><span>val</span> (+)</span> : int</pre><div class="h8" id="7_Types">Types</div>${variant}${record}<p>End.</p>`;
    const found = blocks(html).slice(1);
    expect(found.map(({ markdown }) => markdown)).toEqual([
      '```\nmodule M: sig .. end\n```',
      'Letters.',
      'Use',
      '`val split : string -> string`',
      'Splits.',
      '`val (+) : int`',
      'Types',
      '`type t =`',
      '```ocaml\n| A\n| B of int (* Counted. *)\n```',
      'A letter.',
      '`type r = {`',
      '```ocaml\n  x : int;\n}\n```',
      'A box.',
      'End.',
    ]);
    expect(found.filter(({ type }) => type === 'heading')).toMatchObject([{ depth: 6 }, { depth: 6 }]);
    expect(found.filter(({ type }) => type === 'term')).toMatchObject([
      { anchor: 'VALsplit', identifiers: ['split'], span: 1 },
      { anchor: 'VAL(+)', span: 0 },
      { anchor: 'TYPEt', identifiers: ['t'], span: 2 },
      { anchor: 'TYPEr', identifiers: ['r'], span: 2 },
    ]);
    expect(found.find(({ type, language }) => type === 'code' && language === 'ocaml')?.places).toEqual([
      { id: 'TYPEELTt.A', line: 1 },
    ]);
  });
});
