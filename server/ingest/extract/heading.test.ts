import { describe, expect, test } from 'vitest';
import type { Block } from '../document.ts';
import { extractHtml } from './extract-html.ts';

const headings = (html: string): Block[] =>
  extractHtml(html, { url: 'https://docs.example/a' }).blocks.filter(({ type }) => type === 'heading');
const anchor = (html: string): string | undefined => headings(html)[0]?.anchor;
const identifiers = (html: string): string[] | undefined => headings(html)[0]?.identifiers;

describe('headings', () => {
  test('contain no permalink marks, links or emphasis; code stays code', () => {
    const html =
      '<h2 id="x"><a href="y">The</a> <em>new</em> <code>fs.read()</code> call<a class="headerlink" href="#x">¶</a></h2>';
    expect(headings(html)[0]).toMatchObject({ markdown: 'The new `fs.read()` call', depth: 2, anchor: 'x' });
  });

  test('that show only the sign of a permalink are left out', () => {
    expect(headings('<h2>§</h2><p>Text.</p><h2>C#</h2>').map(({ markdown }) => markdown)).toEqual(['C#']);
  });

  test('define the name that JSDoc sets between modifiers and arguments', () => {
    const marked = (text: string) => `<span class="type-signature">${text}</span>`;
    const html = `<h4 class="name" id=".auto">${marked('(static) ')}auto<span class="signature">(tasks)</span>${marked(' → {Promise}')}</h4>`;
    expect(identifiers(html)).toEqual(['auto']);
    expect(identifiers(`<h4 class="name" id="size">${marked('')}size${marked(' :number')}</h4>`)).toEqual(['size']);
  });

  test('do not define the type that a function returns', () => {
    expect(identifiers('<h4>Returns CancellablePromise&lt;T&gt;</h4>')).toBeUndefined();
  });

  test('include elements with the heading role', () => {
    expect(headings('<div role="heading" aria-level="3">Deep</div>')[0]).toMatchObject({ markdown: 'Deep', depth: 3 });
  });

  test('of a function’s parts stay below the heading of their section', () => {
    const described = (name: string) =>
      `<article class="func"><h4 id="${name}-1">${name}(X)</h4><div><h3>Types</h3><p>X = term()</p><h4>Range</h4><p>All.</p></div></article>`;
    const html = `<h3>Exports</h3>${described('first')}${described('next')}<section><h2>Notes</h2><h2>More</h2></section>`;
    expect(headings(html).map(({ markdown, depth }) => `${depth} ${markdown}`)).toEqual([
      '3 Exports',
      ...['4 first(X)', '5 Types', '6 Range'],
      ...['4 next(X)', '5 Types', '6 Range'],
      ...['2 Notes', '2 More'],
    ]);
  });

  test('within a text stay below the heading that introduces it', () => {
    const html = `<main><h1>Gtk.Window</h1><section><div><h4>Description</h4><div><p>A window.</p><h1>Actions</h1><p>It has two.</p><h2>Close</h2>
      <p>It closes.</p></div></div><div><h4>Methods</h4><div><h6>close()</h6><p>Closes.</p></div></div></section></main>`;
    expect(headings(html).map(({ markdown, depth }) => `${depth} ${markdown}`)).toEqual([
      ...['1 Gtk.Window', '4 Description', '5 Actions', '6 Close', '4 Methods', '6 close()'],
    ]);
  });

  test('that state the kind above a title open no section', () => {
    const html =
      '<div><p>Menu</p></div><section><header><h3>Class</h3><h1>Gtk.Window</h1></header><h4>Methods</h4><p>Some text.</p><h6>close()</h6><p>Closes.</p></section>';
    expect(headings(html).map(({ depth }) => depth)).toEqual([3, 1, 4, 6]);
  });

  test('of a page stay top-level below the name and motto of the site', () => {
    const html =
      '<main><h1>Site</h1><h3>Motto</h3><div><h1>Title</h1><p>Text of the page.</p><h2>Part</h2><p>More text.</p></div></main>';
    expect(headings(html).map(({ depth }) => depth)).toEqual([1, 3, 1, 2]);
  });

  test.each([
    ['its own id', '<h2 id="own">T</h2>', 'own'],
    [
      'the target of its permalink',
      '<section id="sec"><h2>T<a class="headerlink" href="#sec">¶</a></h2></section>',
      'sec',
    ],
    ['a named anchor inside', '<h2><a name="old"></a>T</h2>', 'old'],
    ['an empty anchor before', '<p>a</p><a id="before"></a><h2>T</h2>', 'before'],
    [
      'the section that begins with it',
      '<div class="section" id="sec"><span id="alias"></span><h2>T<a class="headerlink" href="#sec">#</a></h2></div>',
      'sec',
    ],
    [
      'an id of a person rather than a generated one',
      '<div id="SQL-VACUUM"><a id="id-1.9.3"></a><h2>T</h2></div>',
      'SQL-VACUUM',
    ],
    ['its own link', '<h2><a href="#self">T</a></h2>', 'self'],
    ['no id of text before it', '<div id="intro"><p>a</p><h2>T</h2></div>', undefined],
    ['no id of a link to source', '<h2>T <a class="icon" href="https://x.example/s.ex#L1"></a></h2>', undefined],
  ])('have the anchor %s', (_name, html, expected) => {
    expect(anchor(html)).toBe(expected);
  });

  test.each([
    ['<h3><code>fs.readFile(path[, options], callback)</code></h3>', 'fs.readFile'],
    ['<h4>Class: <code>FileHandle</code></h4>', 'FileHandle'],
    ['<h2><span id="RewriteRule">RewriteRule</span> Directive</h2>', 'RewriteRule'],
    ['<h1>Error code E0382</h1>', 'E0382'],
    ['<h2>CREATE TABLE AS</h2>', 'CREATE TABLE AS'],
    ['<h2>PYTHONHASHSEED and pg_stat_activity</h2>', 'pg_stat_activity'],
    ['<h3 class="signature">#<strong>take</strong>(a) ⇒ <tt>Pool</tt></h3>', 'take'],
    ['<section><h3 id="take(long)">take</h3></section>', 'take'],
  ])('%s defines %s', (html, expected) => {
    expect(identifiers(html)).toContain(expected);
  });

  test.each([
    ['<dt>read [-ers] [-a aname] [name …]</dt>', ['read']],
    ['<dt>--[no-]track</dt>', ['--track', '--no-track']],
    ['<dt><code>-U <em class="replaceable"><code>username</code></em></code></dt>', ['-U']],
    ['<dt>key_words<span class="classifier">dict</span></dt>', ['key_words']],
    [
      '<dt class="sig" id="pool.Pool.take"><em>method </em><span class="descclassname">pool.Pool.</span><span class="descname">take</span>()</dt>',
      ['take', 'pool.Pool.take'],
    ],
  ])('the term %s defines %j', (html, expected) => {
    const [term] = extractHtml(`<dl>${html}<dd>x</dd></dl>`, { url: 'https://docs.example/a' }).blocks;
    expect(term?.identifiers).toEqual(expected);
  });

  test('of type members are qualified by the page', () => {
    const rust =
      '<h1 class="fqn">Struct <a>std</a>::<a>vec</a>::<a>Vec</a></h1><section id="method.push"><h4 class="code-header">pub fn <a class="fnname">push</a>(&amp;mut self)</h4></section>';
    expect(headings(rust)[1]).toMatchObject({
      markdown: '`pub fn push(&mut self)`',
      anchor: 'method.push',
      identifiers: ['push', 'Vec::push'],
    });
    const java = '<h1>Class Pool&lt;T&gt;</h1><h3 id="take(long)">take</h3>';
    expect(headings(java)[1]?.identifiers).toEqual(['take', 'Pool.take']);
  });

  test('of prose define nothing', () => {
    expect(identifiers('<h2>Running the tests</h2>')).toBeUndefined();
    expect(identifiers('<h2>Coroutines</h2>')).toBeUndefined();
    expect(identifiers('<h2>SEE ALSO</h2>')).toBeUndefined();
  });
});
