import { describe, expect, test } from 'vitest';
import type { Block } from '../document.ts';
import { extractHtml } from './extract-html.ts';

const codes = (html: string): Block[] =>
  extractHtml(html, { url: 'https://docs.example/a' }).blocks.filter(({ type }) => type === 'code');
const code = (html: string): string =>
  codes(html)
    .map(({ markdown }) => markdown)
    .join('\n\n');
const language = (html: string): string | undefined => codes(html)[0]?.language;

describe('code blocks', () => {
  test('keep their text byte for byte, including trailing white space and entities', () => {
    expect(code('<pre>  if a &lt; b:  \n\tpass\n\n\n    # é *x* _y_\n</pre>')).toBe(
      '```\n  if a < b:  \n\tpass\n\n\n    # é *x* _y_\n```',
    );
  });

  test('keep a symbol that links to its definition on another page', () => {
    expect(code('<pre>x : <a href="Size.html#304">∞</a> A</pre>')).toBe('```\nx : ∞ A\n```');
    expect(code('<pre>x : A<a href="#x">¶</a></pre>')).toBe('```\nx : A\n```');
  });

  test('leave out the invisible spaces at which javadoc lets signatures break', () => {
    expect(code('<pre>Map&lt;K,&#8203;V&gt; put&#8203;(K key)\n"a&#8203;b"</pre>')).toBe(
      '```\nMap<K,V> put(K key)\n"a\u200bb"\n```',
    );
  });

  test('leave out the line numbers of RDoc', () => {
    expect(code('<pre><span class="line-num">12</span> def a\n<span class="line-num">13</span> end</pre>')).toBe(
      '```\n def a\n end\n```',
    );
  });

  test('have a fence longer than any backticks inside', () => {
    expect(code('<pre>```js\nx\n````</pre>')).toBe('`````\n```js\nx\n````\n`````');
  });

  test('in lists, quotes and admonitions start at the beginning of the line', () => {
    expect(code('<ul><li>a<pre>one\n  two</pre></li></ul>')).toBe('```\none\n  two\n```');
    expect(code('<blockquote><p>a</p><pre>b</pre></blockquote>')).toBe('```\nb\n```');
    expect(code('<div class="admonition note"><p>a</p><pre>b</pre></div>')).toBe('```\nb\n```');
  });

  test.each([
    [
      'a table with a column of numbers',
      '<table class="highlighttable"><tr><td class="linenos"><pre>1\n2</pre></td><td class="code"><pre>a\nb\n</pre></td></tr></table>',
    ],
    [
      'a nameless table with a column of numbers',
      '<table><tr><td><pre>1\n2</pre></td><td><pre>a\nb\n</pre></td></tr></table>',
    ],
    ['numbers inside the code', '<pre><span class="linenos">1</span>a\n<span class="linenos">2</span>b\n</pre>'],
    [
      'a row for each line',
      '<pre><code><table class="hljs-ln"><tr><td class="hljs-ln-numbers">1</td><td>a</td></tr><tr><td class="hljs-ln-numbers">2</td><td>b</td></tr></table></code></pre>',
    ],
    ['a div for each line', '<pre><code><div class="line">a</div><div class="line">b</div></code></pre>'],
    [
      'a break for each line',
      '<pre><code><span class="token-line">a<br></span><span class="token-line">b<br></span></code></pre>',
    ],
    [
      'doxygen fragments',
      '<div class="fragment"><div class="line"><span class="lineno"> 1</span>a</div>\n<div class="line"><span class="lineno"> 2</span>b</div>\n</div>',
    ],
    [
      'a div that marks a part of the code',
      '<pre>a\n<div class="viewcode-block"><a class="viewcode-back" href="x.html">[docs]</a>b</div></pre>',
    ],
  ])('contain no line numbers and wrappers: %s', (_name, html) => {
    expect(code(html)).toBe('```\na\nb\n```');
  });

  test.each([
    [
      '<pre>Examples:\n<div class="example-desc">Redirect all.</div><code>redirect scheme https</code></pre>',
      'HAProxy',
    ],
    ['<pre>Examples:\n<div>Redirect all.</div>\n<code>redirect scheme https</code></pre>', 'a break after it'],
    ['<pre>Examples:<div>Redirect all.</div><p>redirect scheme https</p></pre>', 'text before it'],
  ])('put a block element inside code on its own lines: %s', (html) => {
    expect(code(html)).toBe('```\nExamples:\nRedirect all.\nredirect scheme https\n```');
  });

  test.each([
    [
      'a menu',
      '<pre>see "<span class="dropdown"><a href="#">crt</a><ul class="dropdown-menu"><li>This keyword is available in:</li><li><a href="#b">Bind</a></li></ul></span>"\nor a</pre>',
    ],
    [
      'a tooltip of Doxygen',
      '<div class="fragment"><div class="line">see "crt"</div>\n<div class="line">or a</div>\n<div class="ttc" id="a1"><div class="ttname"><a href="x.html">X</a></div><div class="ttdoc">The class.</div><div class="ttdef"><b>Definition:</b> x.h:1</div></div>\n</div>',
    ],
  ])('contain no content that opens on demand: %s', (_name, html) => {
    expect(code(html)).toBe('```\nsee "crt"\nor a\n```');
  });

  test('are built from the lines of a code element with breaks only', () => {
    expect(code('<p><code>Listen 80<br>\n&nbsp;&nbsp;Listen 443</code></p>')).toContain('Listen 80\n');
  });
});

describe('the language of code', () => {
  test.each([
    ['javascript', '<pre><code class="language-JavaScript">a</code></pre>'],
    ['ts', '<div class="language-ts vp-adaptive-theme"><span class="lang">ts</span><pre><code>a</code></pre></div>'],
    ['python3', '<div class="highlight-python3 notranslate"><div class="highlight"><pre>a</pre></div></div>'],
    [
      'python',
      '<div class="highlight-default"><div class="highlight"><pre><span class="kn">import</span> a</pre></div></div>',
    ],
    ['haskell', '<pre class="sourceCode haskell"><code class="sourceCode haskell">a</code></pre>'],
    ['config', '<pre class="prettyprint lang-config">a</pre>'],
    ['js', '<pre class="brush: js; gutter: false">a</pre>'],
    ['sh', '<figure><pre data-language="sh"><code>a</code></pre></figure>'],
    ['rust', '<div class="example-wrap"><pre class="rust rust-example-rendered"><code>a</code></pre></div>'],
    ['elixir', '<pre><code class="makeup elixir">a</code></pre>'],
    ['lua', '<div class="mw-highlight mw-highlight-lang-lua"><pre>a</pre></div>'],
    ['pycon', '<pre>&gt;&gt;&gt; print(1)\n1</pre>'],
    ['yaml', '<div class="highlight-source-yaml"><pre>a</pre></div>'],
  ])('%s', (expected, html) => {
    expect(language(html)).toBe(expected);
  });

  test('is not guessed from furniture names, "none" or failed highlighting', () => {
    expect(language('<div class="code-block-wrapper"><pre>a</pre></div>')).toBeUndefined();
    expect(language('<pre><code class="language-none">a</code></pre>')).toBeUndefined();
    expect(language('<div class="highlight-default"><pre>+ a</pre></div>')).toBeUndefined();
    const call = (name: string) =>
      `<div class="highlight-default"><pre><span class="nb">${name}</span><span class="p">(</span><span class="n">a</span></pre></div>`;
    expect(language(call('input'))).toBeUndefined();
    expect(language(call('print'))).toBe('python');
  });
});
