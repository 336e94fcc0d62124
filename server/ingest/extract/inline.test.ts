import { describe, expect, test } from 'vitest';
import { extractHtml } from './extract-html.ts';

const markdown = (html: string, url = 'https://docs.example/a/b.html'): string =>
  extractHtml(`<body>${html}`, { url })
    .blocks.map((block) => block.markdown)
    .join('\n\n');

describe('inline text', () => {
  test.each([
    ['<p>a <strong>b </strong>c <em>d</em></p>', 'a **b** c *d*'],
    ['<p>a<br>b</p>', 'a  \nb'],
    ['<p><kbd>Ctrl</kbd>+<kbd>C</kbd>, H<sub>2</sub>O, 2<sup>32</sup></p>', 'Ctrl+C, H_2O, 2^32'],
    ['<p><code>a`b</code> and <tt>x</tt></p>', '``a`b`` and `x`'],
    ['<p><em><code>x</code></em></p>', '`x`'],
    // Scaladoc: a picture stands between two words, and none between a word and a full stop.
    ['<p>See the<span class="micon ob"></span><a>Pool</a><i class="icon"></i>.</p>', 'See the Pool.'],
    ['<p>po<span class="page"></span>ol, <code>a<i class="icon"></i>b</code></p>', 'pool, `ab`'],
    // Javadoc: a line break opportunity is not part of a name.
    ['<p><code>a&#8203;(b)</code>, <code>a<i>c</i>&#8203;(b)</code></p>', '`a(b)`, `ac(b)`'],
    ['<p>Data Manipulation <img src="l.jpg" alt="[R logo]">', 'Data Manipulation'],
    // Sandcastle: the same name in C#, Visual Basic and C++.
    [
      '<p>System<span class="languageSpecificText"><span>.</span><span>.</span><span>::</span></span>String',
      'System.String',
    ],
    // Texinfo: a single text of code and variables.
    [
      '<p>the flags <tt>s:</tt><var>string</var><tt>:</tt> and <tt>-</tt><tt>T</tt></p>',
      'the flags `s:string:` and `-T`',
    ],
    ['<p><var>n</var><code>!</code>, <code>a </code><var>b</var>, <kbd>x</kbd></p>', 'n`!`, `a b`, x'],
    // Sphinx: each token of a type is emphasized separately.
    ['<p>(<em>Union</em><em>[</em><em>str</em><em>,</em><em> </em><em>int</em><em>]</em>)</p>', '(*Union[str, int]*)'],
    [
      '<p>(<em>Optional</em><em>[</em><a href="#x"><em>str</em></a><em>]</em>)</p>',
      '(Optional[[str](https://docs.example/a/b.html#x)])',
    ],
    // LaTeX2HTML: a whole chapter is bold because a tag was never closed.
    [
      '<p><b>The options take <b>name=value</b> and <i>a <b>b</b></i>.</b></p>',
      '**The options take name=value and *a b*.**',
    ],
    ['<p><strong>a</strong><em>b</em> <em>c</em> <em>d</em></p>', '**a***b* *c* *d*'],
    ['<p>as <tt>malloc\n</tt>or<code> free</code>, <code> x </code> too</p>', 'as `malloc` or `free`, `x` too'],
    [
      '<p>see <img src="i.png" alt="a wide chart"> and <img src="j.png" alt="images/j.png"></p>',
      'see a wide chart and',
    ],
    // Texinfo: an image without a text of its own.
    ['<p>as <img src="./figures/grid2.png" alt="./figures/grid2"> here</p>', 'as here'],
    ['<p>per\u00adform\u200bance</p>', 'performance'],
  ])('%s', (html, expected) => {
    expect(markdown(html)).toBe(expected);
  });

  test.each([
    // rustdoc
    [
      '<h4 class="code-header">fn skip(self) -&gt; Skip&lt;Self&gt;<div class="where">where Self: Sized</div></h4>',
      '`fn skip(self) -> Skip<Self> where Self: Sized`',
    ],
    ['<h2>Options<div>of the command</div>and more</h2>', 'Options of the command and more'],
    [
      '<table><caption>Sizes<div>in bytes</div></caption><tr><td>a</td><td>b</td></tr></table>',
      '**Sizes in bytes**\n\n|  |  |\n| --- | --- |\n| a | b |',
    ],
  ])('separates blocks inside a line: %s', (html, expected) => {
    expect(markdown(html)).toBe(expected);
  });

  test('escapes Markdown characters and keeps underscores of names', () => {
    expect(markdown('<p>use pg_stat_activity, a * b, *args, __init__, &lt;div&gt;, &amp;lt; and [x](y)</p>')).toBe(
      'use pg_stat_activity, a * b, \\*args, \\_\\_init\\_\\_, \\<div>, \\&lt; and [x\\](y)',
    );
    expect(markdown('<p># no heading</p><p>1. no list</p><p>- nor this</p>')).toBe(
      '\\# no heading\n\n1\\. no list\n\n\\- nor this',
    );
  });

  test('has absolute links; links that readers must not follow become text', () => {
    expect(
      markdown(
        '<p><a href="../c.html#x">c</a> <a href="javascript:alert(1)">js</a> <a href="data:text/html,x">d</a></p>',
      ),
    ).toBe('[c](https://docs.example/c.html#x) js d');
    expect(markdown('<p><a href="f(x)">f</a></p>')).toBe('[f](https://docs.example/a/f%28x%29)');
  });

  test('keeps line breaks inside an anchor that was not closed', () => {
    expect(markdown('<p><a name="x"><b>open</b></p><ul>Args: none<br>Returns: ok</ul>')).toBe(
      '**open**\n\n- Args: none  \n  Returns: ok',
    );
  });

  test('links pages of a folder to each other, but no other page into a folder', () => {
    expect(markdown('<p><a href="../c.html#x">c</a></p>', 'folder://docs/a/b.html')).toBe(
      '[c](folder://docs/c.html#x)',
    );
    expect(markdown('<p><a href="folder://docs/c.html">c</a></p>')).toBe('c');
  });

  test('makes a code span with one link a link, with several links code', () => {
    expect(markdown('<p><a href="x"><code>x</code></a> <code><a href="y">y</a>(z)</code></p>')).toBe(
      '[`x`](https://docs.example/a/x) [`y(z)`](https://docs.example/a/y)',
    );
    expect(markdown('<p><code><a href="m">Map</a>&lt;<a href="k">K</a>&gt;</code></p>')).toBe('`Map<K>`');
  });

  test('keeps the source of formulas', () => {
    expect(markdown('<p><span class="math notranslate">\\(a_1 * b_2\\)</span></p>')).toBe('\\(a_1 * b_2\\)');
    expect(
      markdown(
        '<p><span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x_1</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">x1</span></span></p>',
      ),
    ).toBe('$x_1$');
  });
});

describe('lists', () => {
  test('keep nesting depth and numbers', () => {
    expect(markdown('<ol start="3"><li>a<ul><li>b<li>c</ul><li><p>d</p><p>e</p></ol>')).toBe(
      '3. a\n   - b\n   - c\n4. d\n\n   e',
    );
  });

  test('are broken by code and continue their numbers', () => {
    expect(markdown('<ol><li>a<pre>x</pre><li>b</ol>')).toBe('1. a\n\n```\nx\n```\n\n2. b');
  });
});
