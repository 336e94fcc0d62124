import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block } from '../../document.ts';
import { extractMarkdown } from './extract-markdown.ts';

const url = 'https://docs.example/guide/start.md';

function blocksOf(text: string, isMdx = false): Block[] {
  return extractMarkdown(text, { url, isMdx }).blocks;
}

function markdownOf(text: string, isMdx = false): string[] {
  return blocksOf(text, isMdx).map((block) => block.markdown);
}

describe('headings', () => {
  it('have the anchors of a code host, with repeats numbered', () => {
    const anchors = blocksOf('# The `API` & *you*\n\nSet up\n---\n\n## Set up\n\n## Set up ##\n').map((block) => [
      block.depth,
      block.anchor,
    ]);
    expect(anchors).toEqual([
      [1, 'the-api--you'],
      [2, 'set-up'],
      [2, 'set-up-1'],
      [2, 'set-up-2'],
    ]);
  });

  it('keep an explicit anchor beside or above them', () => {
    const anchors = blocksOf(
      '## A {#first}\n\n<a name="second"></a>\n## B\n\n<h2 id="third">C</h2>\n\n## <a id="fourth"></a>D\n\n## E {/*fifth*/}\n\n## F {/* #sixth */}\n\n## G :id=seventh',
    ).map((block) => block.anchor);
    expect(anchors).toEqual(['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh']);
  });

  it('name the identifiers they define', () => {
    const names = blocksOf(
      '## `fs.readFile(path[, options], callback)`\n\n## Use --no-verify\n\n## E0382 and max_connections\n\n## Getting started',
    );
    expect(names.map((block) => block.identifiers)).toEqual([
      ['fs.readFile'],
      ['--no-verify'],
      ['E0382', 'max_connections'],
      undefined,
    ]);
  });
});

describe('the title of a page', () => {
  it.each([
    ['Breaking-Changes.md', '# Tool 4.9\n\nA\n\n# Tool 4.8\n\nB\n\n# Tool 4.7\n\nC', 'Breaking Changes'],
    ['Breaking-Changes.md', '# Changes\n\nA\n\n# 4.8\n\nB\n\n# 4.7\n\nC', 'Changes'],
    ['README.md', '# Tool\n\nA\n\n# Install\n\nB\n\n# Use\n\nC', 'Tool'],
    ['Changes.md', '---\ntitle: News\n---\n# 4.9\n\nA\n\n# 4.8\n\nB\n\n# 4.7\n\nC', 'News'],
    ['Setup.md', '# Tool\n\nA\n\n# Install\n\nB', 'Tool'],
  ])('in %s is %j: %s', (name, text, title) => {
    expect(extractMarkdown(text, { url: `https://docs.example/${name}` }).title).toBe(title);
  });
});

describe('code', () => {
  it('is kept byte for byte, even if it looks like Markdown', () => {
    const code = '# not a heading\n\n| a | b |\n|---|---|\n[x](y) <div>\t\n> q';
    for (const fence of ['```', '````', '~~~']) {
      const [block] = blocksOf(`${fence}js title="a.js"\n${code}\n${fence}\n`);
      expect(block).toEqual({ type: 'code', language: 'js', markdown: `${fence}js title="a.js"\n${code}\n${fence}` });
    }
  });

  it('loses only the indentation of its fence or its own indentation', () => {
    expect(markdownOf('  ```py\n  if a:\n      b\n  ```\n\n    indented\n\n      more\n')).toEqual([
      '```py\nif a:\n    b\n```',
      '```\nindented\n\n  more\n```',
    ]);
  });

  it('that is never closed continues to the end and is closed there', () => {
    expect(markdownOf('```js\na\n\nb')).toEqual(['```js\na\n\nb\n```']);
  });

  it('is not started by three backticks around words of a line', () => {
    expect(markdownOf('``` a`b ``` is code.\n\nAfter.')).toEqual(['``` a`b ``` is code.', 'After.']);
  });

  it('in a list stays in its item with its fence closed', () => {
    expect(markdownOf('1. Run\n\n   ```sh\n   [a](b)\n   ```\n2. Stop')).toEqual([
      '1. Run\n\n   ```sh\n   [a](b)\n   ```\n2. Stop',
    ]);
    expect(markdownOf('- a\n  ```sh\n  b\n\nText')).toEqual(['- a\n  ```sh\n  b\n  ```', 'Text']);
  });
});

describe('links', () => {
  it('are absolute and reported, by target or by reference', () => {
    const document = extractMarkdown(
      'See [a](../b.md#c "t"), [Two][ref], [ref] and [none].\n\n[REF]: <./d e.md> "x"\n',
      { url },
    );
    expect(document.blocks[0]?.markdown).toBe(
      'See [a](https://docs.example/b.md#c), [Two](https://docs.example/guide/d%20e.md), [ref](https://docs.example/guide/d%20e.md) and [none].',
    );
    expect(document.links.map((link) => [link.url, link.text])).toEqual([
      ['https://docs.example/b.md#c', 'a'],
      ['https://docs.example/guide/d%20e.md', 'Two'],
      ['https://docs.example/guide/d%20e.md', 'ref'],
    ]);
  });

  it('that consist of an address are reported too', () => {
    const { links } = extractMarkdown('See <https://a.example/x>.', { url });
    expect(links.map((link) => link.url)).toEqual(['https://a.example/x']);
  });

  it('to scripts become text, images become their description, badges are removed', () => {
    expect(
      markdownOf(
        '[x](javascript:alert(1)) ![A chart](a.png)\n\n[![ci](https://img.shields.io/b.svg)](https://ci.example)\n',
      ),
    ).toEqual(['x A chart']);
  });

  it('in code spans are code', () => {
    expect(markdownOf('Write `[a](b)` or `` `<b>` ``.')).toEqual(['Write `[a](b)` or `` `<b>` ``.']);
  });
});

describe('HTML', () => {
  it('becomes text or Markdown with the same meaning', () => {
    expect(
      markdownOf(
        '<p align="center">A <b>bold</b>\n<a href="x">link</a> &amp; <code>&lt;T&gt;</code></p>\n\n<!-- gone\n\ngone -->\nText<br>more',
      ),
    ).toEqual(['A **bold**\n[link](https://docs.example/guide/x) & `<T>`', 'Text\nmore']);
  });

  it('has its tables and preformatted text converted', () => {
    const text =
      '<table>\n<tr><th>A</th><th>B</th></tr>\n\n<tr><td>1</td><td><code>x|y</code></td></tr>\n</table>\n\n<pre><code class="language-js">a &lt; b\n</code></pre>\n';
    expect(blocksOf(text)).toEqual([
      { type: 'table', markdown: '| A | B |\n| --- | --- |\n| 1 | `x\\|y` |' },
      { type: 'code', language: 'js', markdown: '```js\na < b\n```' },
    ]);
  });

  it('does not include other angle brackets, which are kept', () => {
    expect(markdownOf('Map<string, Array<number>> and `a` < b, Vec<T>, <name>')).toEqual([
      'Map<string, Array<number>> and `a` < b, Vec<T>, <name>',
    ]);
  });

  it('loses scripts and styles', () => {
    expect(markdownOf('<script>\nalert(1)\n\n</script>\n\nText <style>p{}</style>end')).toEqual(['Text end']);
  });
});

describe('admonitions', () => {
  it.each([
    ['> [!NOTE]\n> Mind **this**.\n> And that.'],
    [':::note\nMind **this**.\nAnd that.\n:::'],
    ['!!! note\n    Mind **this**.\n    And that.\n'],
    ['{% hint style="note" %}\nMind **this**.\nAnd that.\n{% endhint %}'],
    ['```{note}\nMind **this**.\nAnd that.\n```'],
  ])('have a bold label: %j', (text) => {
    expect(blocksOf(`${text}\n\nText`)).toEqual([
      { type: 'admonition', markdown: '> **Note:** Mind **this**.\n> And that.' },
      { type: 'paragraph', markdown: 'Text' },
    ]);
  });

  it('are separate if the second begins right below the first', () => {
    expect(markdownOf('> [!NOTE]\n> One.\n> [!TIP]\n> Two.')).toEqual(['> **Note:** One.', '> **Tip:** Two.']);
  });

  it('keep their title and the code in them', () => {
    expect(markdownOf('!!! warning "Danger zone"\n\n    ```sh\n    rm -r\n    ```\n\nAfter')).toEqual([
      '> **Warning: Danger zone:**',
      '```sh\nrm -r\n```',
      'After',
    ]);
  });

  it('with tabs keep the tab titles above their content', () => {
    expect(markdownOf('=== "npm"\n\n    ```sh\n    npm i\n    ```\n\n=== "pnpm"\n\n    Text\n')).toEqual([
      '**npm**',
      '```sh\nnpm i\n```',
      '**pnpm**',
      'Text',
    ]);
  });
});

describe('generator attributes and comments', () => {
  it.each([
    ['Lead text.\n{: .lead }\n\nMore.', ['Lead text.', 'More.']],
    ['[Buy](https://shop.example/){ .button target=_blank } now', ['[Buy](https://shop.example/) now']],
    ['See [*it* here]{.small when="html"} []{.icon} a[0]{x="1"} b[1]{.c!}', ['See *it* here  a[0]{x="1"} b[1]{.c!}']],
    ['![](a.png){.wide fig-alt="A \'pot\'" width=9} ![B](b.png){alt="C"}', ["A 'pot' B"]],
    ['`--fast`{: #fast } is quick', ['`--fast` is quick']],
    ['Sums $\\sum_{i=1}$, {name} and f(x){y=1}', ['Sums $\\sum_{i=1}$, {name} and f(x){y=1}']],
    ['Before\n{/*\n<!-- lint off -->\n\nhidden\n*/}\nAfter', ['Before', 'After']],
    [
      '{{< code-toggle file=a/b.md fm=true >}}\nx = 1\n{{< /code-toggle >}}\n{{< code-toggle file=hugo >}}\ny = 1\n{{< /code-toggle >}}',
      ['`a/b.md`', '```\nx = 1\n```', '```\ny = 1\n```'],
    ],
    [
      '- [a][]\n- [b c]\n\n  [a]: /a "A"\n      [b c]: <b>\n  [Mind]: this.\n\nText',
      ['- [a](https://docs.example/a)\n- [b c](https://docs.example/guide/b)', 'Text'],
    ],
    ['{{< highlight bash >}}\nls\n{{< / highlight >}}\nAfter', ['```bash\nls\n```', 'After']],
    ['{/* never closed', ['{/* never closed']],
    ['{% embed url="https://a.example/%2Fx" %}\nText', ['Text']],
    ['{{#include gone.md:10:}}\nText', ['Included file: `gone.md`', 'Text']],
    ['<!-- @include: ./gone.md#part{1,2} -->\nText', ['Included file: `./gone.md`', 'Text']],
    ['```{literalinclude} x.py\n:caption: Two\n```', ['Two', 'Included file: `x.py`']],
    ['See Section \\@ref(intro) \\@x.', ['See Section intro \\@x.']],
    ['\\index{a|see {b}}\\indexc{f()}\nWords\\index{x}.', ['Words.']],
    ['::tip\nTry.\n::\n\n::callout{icon="i"}\nMind.\n::', ['> **Tip:** Try.', '> **Note:** Mind.']],
    [
      '::card-group\n  ::card\n  ---\n  icon: i\n  title: "A card"\n  ---\n  In it.\n  ::\n  ::card{title="B" to="/b"}\n  In B.\n  ::\n::',
      ['**A card**', 'In it.', '**B**', 'In B.'],
    ],
    [
      ':read-more{to="/api/fetch"}\n\n::read-more{to="https://a.example/"}\n::',
      ['[api/fetch](https://docs.example/api/fetch)', '<https://a.example/>'],
    ],
    [
      '## Views :badge[v4.5]{color="info"}\n\nPress :kbd{value="meta"}, `:a[b]{c="d"}`, 10:30{a="b"} and :smile:.\n\n- a\n\n  ::note\n  b\n  ::',
      ['Views v4.5', 'Press meta, `:a[b]{c="d"}`, 10:30{a="b"} and :smile:.', '- a\n\n  > **Note:** b'],
    ],
    [
      "{{< code-toggle file=hugo >}}\n[[menu]]\n  name = 'a'\n{{< /code-toggle >}}",
      ["```\n[[menu]]\n  name = 'a'\n```"],
    ],
    ['{{< comment >}}\nhidden\n{{< /comment >}}\nShown{{% comment %}}hidden{{% /comment %}}.', ['Shown.']],
    ['{% comment %}\nhidden\n{% endcomment %}Shown {% comment %}hidden{% endcomment %}.', ['Shown .']],
    ['Press {{% caps %}}Save{{% /caps %}} {{< icon "x" >}}', ['Press Save {{< icon "x" >}}']],
    [
      'A {% if a == "b" %}large{% else %}small{% endif %} pot; `{% if a %}`\n\n{% highlight sh %}\n{% if a %}\n{% endhighlight %}',
      ['A largesmall pot; `{% if a %}`', '```sh\n{% if a %}\n```'],
    ],
    ['{{% notice warning %}} Hot. {{% /notice %}}', ['**Warning:** Hot.']],
    [
      '## {% for %}\n\nClose a {% for %} loop with {% endfor %}; {% if %} tests.\n\n{% if a %} begins one.',
      ['{% for %}', 'Close a {% for %} loop with {% endfor %}; {% if %} tests.', '{% if a %} begins one.'],
    ],
    [
      'Text\n\n    {% comment %}\n    kept\n    {% endcomment %}',
      ['Text', '```\n{% comment %}\nkept\n{% endcomment %}\n```'],
    ],
    ['::before\n\n`::std`\n\n::std', ['::before', '`::std`', '::std']],
    [
      'GET /users/:id[int], /:id{a="b"}/x, Option :name[default], :go[There]{href="/x"}',
      ['GET /users/:id[int], /:id{a="b"}/x, Option :name[default], [There](https://docs.example/x)'],
    ],
    ['::field{name="ssr" type="boolean"}\nRenders.\n::', ['**ssr**', 'Renders.']],
    ['{: .note .info}\nText\n{: .lead}', ['Text']],
    [
      'The {% else %} tag, {% assign %} and {% if comments %}.',
      ['The {% else %} tag, {% assign %} and {% if comments %}.'],
    ],
    ['{% assign a = 1 %}Write {% raw %}{% if b %}c{% endif %}{% endraw %}.', ['Write {% if b %}c{% endif %}.']],
    [
      '---\ntitle: T\n---\nSince {% badge "3.1" %} {% avatar "https://a.example/" %}{% note "b.md" %}Mind.{% endnote %} {% icon "x" %}Words {% tag %}.\n\n{% include image.html\n  alt="A pot"\n  url="pot.png" %}\nText',
      ['Since 3.1 **Note:** Mind. Words {% tag %}.', '**A pot**', 'Text'],
    ],
    ['Write {% badge "3.1" %}.', ['Write {% badge "3.1" %}.']],
    [
      "{% tabs a class=b %}\n{% tab 'Scala 2 and 3' for=a %}\nOne\n{% endtab %}\n{% tab macOS for=a %}\nTwo\n{% endtab %}\n{% endtabs %}",
      ['**Scala 2 and 3**', 'One', '**macOS**', 'Two'],
    ],
    ['C:\\index{x}', ['C:\\index{x}']],
    ['> ```md\n> [!NOTE]\n> Hi\n> ```\n> done', ['> ```md\n> [!NOTE]\n> Hi\n> ```\n> done']],
    ['> [!NOTE] Never `x`. Mind `y`.\n\nText', ['> **Note:** Never `x`. Mind `y`.', 'Text']],
    ['> [!NOTE] No x without y\n\nText', ['> **Note:** No x without y', 'Text']],
    ['> [!NOTE] Two options:\n> - `a`\n\nText', ['> **Note:** Two options:', '- `a`', 'Text']],
    ['Text\n\n> [!HOUSE] Rules are rules.', ['Text', '> **HOUSE:** Rules are rules.']],
    ['Term\n: # of items\n  more\n\n      - deeper', ['Term', '\\# of items\nmore', '- deeper']],
    [
      '1. a\n\n    {{< tabs >}}{{< tab "npm" >}}\n\n    b\n\n    {{< /tab >}}{{< /tabs >}}',
      ['1. a\n\n    **npm**\n\n    b'],
    ],
    ['Text\n\n    {{< tabs >}}{{< tab "npm" >}}', ['Text', '```\n{{< tabs >}}{{< tab "npm" >}}\n```']],
    ['{{< details "More" >}}\nText\n{{< /details >}}', ['**More**', 'Text']],
    ['---\ntitle: T\n---\n{% include note.html content="Mind it." %}\nText', ['**Mind it.**', 'Text']],
    ['See {{< figure src="a.png" caption="The flow" >}}.', ['See The flow.']],
    ['{{< code file="c.toml" lang="toml" >}}\na = 1\n{{< /code >}}', ['`c.toml`', '```toml\na = 1\n```']],
    ['<TabItem value="w" label="Windows">Use it.</TabItem>', ['**Windows**', 'Use it.']],
    ['<Accordion title="Why?">So.</Accordion>\n\n<T>a', ['**Why?**', 'So.', '<T>a']],
    ["::: {.callout-tip title='Hot'}\nText\n:::", ['> **Tip: Hot:** Text']],
    ['!!!warning "Mind "this" now"\n\n    Text', ['> **Warning: Mind "this" now:** Text']],
  ])('in %j are read', (text, expected) => {
    expect(markdownOf(text)).toEqual(expected);
  });

  it('set the anchor', () => {
    expect(blocksOf('[`toc`](#toc){ #toc }\n:   Contents')[0]).toMatchObject({ type: 'term', anchor: 'toc' });
  });
});

describe('links between notes', () => {
  it.each([
    [
      'See [[Page#Part|shown]], [[Page#Part]], [[#Part]] and [[Other page]].',
      'See shown, Page > Part, Part and Other page.',
    ],
    ['![[Other page#^a1]] ![[a.png|300]]', 'Other page'],
    [
      'a[[1]], [[bin]], [[gnu::const]], [[menus.main]] and [[ -f x ]]',
      'a[[1]], [[bin]], [[gnu::const]], [[menus.main]] and [[ -f x ]]',
    ],
    ['`[[Page]]` and [[Page|shown]](u)', '`[[Page]]` and [[Page|shown]](https://docs.example/guide/u)'],
    ['> [!tip] See **[[The page]]**\n> Text', '> **Tip: See The page:** Text'],
    [
      'The [[Prototype]] of [[1, 0]], [[noreturn, gnu::cold]], [[deprecated("why")]] and [[--opt VALUE]].',
      'The [[Prototype]] of [[1, 0]], [[noreturn, gnu::cold]], [[deprecated("why")]] and [[--opt VALUE]].',
    ],
    ['[[Canvas]], [[My canvas]] and [[note|notes]], a[[b]]', 'Canvas, My canvas and notes, a[[b]]'],
    ['Run `x` or tool [[file|dir]] [[Name]]', 'Run `x` or tool [[file|dir]] [[Name]]'],
    ['[[Read the guide|Guide-2]] and [[Guide 2|it]]', 'Read the guide and it'],
    ['``[[Page|a `b]] c` d``', '``[[Page|a `b]] c` d``'],
    [
      'See [[The paper]] and [[1]].\n\n[the paper]: /p\n[1]: /q',
      'See [[The paper](https://docs.example/p)] and [[1](https://docs.example/q)].',
    ],
    ['%%VERSION%%', '%%VERSION%%'],
    ['%% hidden %%\nText', 'Text'],
  ])('become text: %j', (text, expected) => {
    expect(markdownOf(text)).toEqual([expected]);
  });
});

describe('list items', () => {
  it.each([
    ['```{note}\nRead **this**.\n```'],
    [':::{note}\nRead **this**.\n:::'],
    [':::note\nRead **this**.\n:::'],
    ['!!! note\n\n    Read **this**.'],
    ['> [!NOTE]\n> Read **this**.'],
  ])('keep the text of a container: %j', (container) => {
    const item = container.replace(/^(?=.)/gm, '   ');
    expect(markdownOf(`1. First\n\n${item}\n\n   Then _more_.\n2. Last\n`)).toEqual([
      '1. First\n\n   > **Note:** Read **this**.\n\n   Then _more_.\n\n2. Last',
    ]);
  });

  it('keep tabs with code, and the address of a name', () => {
    const tabs =
      '- Install\n\n    === "Linux"\n\n        ```sh\n        apt install x\n        ```\n\n    === "Mac"\n\n        Use brew.\n';
    expect(markdownOf(tabs)).toEqual([
      '- Install\n\n    **Linux**\n\n    ```sh\n    apt install x\n    ```\n\n    **Mac**\n\n    Use brew.',
    ]);
    const [list] = blocksOf('- A\n  ```{py:function} shop.buy(item)\n  Buys.\n  ```\n');
    expect(list).toMatchObject({ type: 'list', markdown: '- A\n  `shop.buy(item)`\n\n  Buys.', anchor: 'shop.buy' });
  });

  it('with a thousand nested containers are read in linear time', () => {
    const deep = Array.from(
      { length: 1_000 },
      (_, depth) => `${' '.repeat(depth * 2)}- a\n${' '.repeat(depth * 2 + 2)}!!! note\n`,
    );
    const said = JSON.stringify(blocksOf(deep.join('')));
    expect(said.length).toBeLessThan(3 * deep.join('').length);
  });
});

describe('MyST and Docsify', () => {
  it.each([
    ['```{warning}\nMind **this**.\n```'],
    [':::{warning}\nMind **this**.\n:::'],
    ['::::{warning}\n:class: wide\n\nMind **this**.\n::::'],
    ['```{warning}\n---\nclass: wide\n---\nMind **this**.\n```'],
    ['```{admonition} Warning\nMind **this**.\n```'],
    ['```{eval-rst}\n.. warning:: Mind **this**.\n```'],
    ['\n!> Mind **this**.\n'],
  ])('has the directive of %j', (text) => {
    expect(markdownOf(`Before\n${text}\nAfter`)).toEqual(['Before', '> **Warning:** Mind **this**.', 'After']);
  });

  it('keeps the text of single-line components outside of MDX files', () => {
    const lines = [
      '<Card title="Next" href="/next">Go on.</Card>',
      '<ParamField path="id" type="string" required>The thing.</ParamField>',
      '<Key> is a key.',
      '<Icon name="home" /> Home.',
    ];
    const shown = extractMarkdown(lines.join('\n\n'), { url: 'https://docs.example/a.md' }).blocks;
    expect(shown.map(({ markdown }) => markdown)).toEqual([
      '**[Next](https://docs.example/next)**',
      'Go on.',
      '**id (string, required)**',
      'The thing.',
      '<Key> is a key.',
      'Home.',
    ]);
  });

  it('keeps titles, captions and nested directives', () => {
    const text =
      '::::{tab-set}\n:::{tab-item} Linux\n```{code-block} sh\n:linenos:\napt install x\n```\n:::\n:::{tab-item} Windows\nRun it.\n:::\n' +
      '::::\n\n```{figure} a.png\n:name: fig\n\nThe caption.\n```\n';
    expect(markdownOf(text)).toEqual([
      '**Linux**',
      '```sh\napt install x\n```',
      '**Windows**',
      'Run it.',
      'The caption.',
    ]);
  });

  it('has tables and descriptions of names', () => {
    const table = '```{list-table} Prices\n:header-rows: 1\n\n* - Item\n  - Price\n* - {term}`Egg`\n  - `2`\n```\n';
    expect(markdownOf(table)).toEqual(['Prices', '| Item | Price |\n| --- | --- |\n| Egg | `2` |']);
    const names =
      '```{py:module} shop\n```\n\n````{py:class} Cart\nHolds items.\n\n```{py:method} add(item)\nAdds one.\n```\n````\n';
    expect(blocksOf(names)).toEqual([
      expect.objectContaining({ type: 'term', identifiers: ['shop.Cart'], anchor: 'shop.Cart' }),
      { type: 'paragraph', markdown: 'Holds items.' },
      expect.objectContaining({ type: 'term', identifiers: ['shop.Cart.add'], anchor: 'shop.Cart.add' }),
      { type: 'paragraph', markdown: 'Adds one.' },
    ]);
  });

  it('has roles as text or code, and link targets for links without text', () => {
    const text =
      'See {ref}`install-target`, {ref}`set up<set-up>`, {doc}`../guide`, {py:func}`~a.b`, {kbd}`Ctrl+C`, {octicon}`x;1em` and [](#set-up).';
    const link = '[set up](https://docs.example/guide/start.md#set-up)';
    expect(markdownOf(text)).toEqual([`See install target, set up, guide, \`a.b\`, \`Ctrl+C\`,  and ${link}.`]);
  });

  it('loses target labels and cell markers', () => {
    expect(markdownOf('(here)=\n# Title [](#title)\n\n+++ {"tags": []}\n\nText')).toEqual(['Title', 'Text']);
  });

  it('keeps cells of other programs and diagrams as code', () => {
    for (const text of ['```{python}\nx = 1\n```', '```{mermaid}\ngraph TD\n```']) {
      expect(blocksOf(text)).toEqual([expect.objectContaining({ type: 'code', markdown: text.replace(/[{}]/g, '') })]);
    }
  });

  it('becomes code if it is nested too deeply', () => {
    const text = Array.from({ length: 5_000 }, () => '```{note}\n').join('');
    expect(blocksOf(text).length).toBeLessThan(50);
  });
});

describe('lists, quotes, tables and definitions', () => {
  it('keep a list with all its levels as one block', () => {
    expect(markdownOf('* a\n  * b [x](y)\n\n    more\n* c\nlazy\n\nText')).toEqual([
      '* a\n  * b [x](https://docs.example/guide/y)\n\n    more\n* c\nlazy',
      'Text',
    ]);
  });

  it('keep no spaces that align the columns of tables, nor escapes of `_` inside words', () => {
    expect(blocksOf('| Name     | Use  |\n|----------|:-----|\n| max\\_size |      |\n| `a  b` |  x |\n')).toEqual([
      { type: 'table', markdown: '| Name | Use |\n|---|:---|\n| max_size | |\n| `a  b` | x |' },
    ]);
    expect(markdownOf('Set max\\_size, \\_own and `a\\_b`.')).toEqual(['Set max_size, \\_own and `a\\_b`.']);
  });

  it('keep table headers, with or without outer pipes', () => {
    expect(blocksOf('a | b\n--|--\n[1](x) | 2\n\nText')[0]).toEqual({
      type: 'table',
      markdown: 'a | b\n--|--\n[1](https://docs.example/guide/x) | 2',
    });
  });

  it('turn definitions into terms with their bodies', () => {
    expect(blocksOf('`--all`\n: Everything.\n\n    More.\n\nText')).toEqual([
      { type: 'term', markdown: '`--all`', depth: 1, span: 2, identifiers: ['--all'] },
      { type: 'paragraph', markdown: 'Everything.' },
      { type: 'paragraph', markdown: 'More.' },
      { type: 'paragraph', markdown: 'Text' },
    ]);
  });

  it('split the body of a definition into blocks', () => {
    const text =
      'Term\n: First\n  line\n\n  > [!NOTE]\n  > Mind.\n\n  :::{tip}\n  Try.\n  :::\n\n  | a | b |\n  |---|---|\n  | 1 | 2 |\n\n  ```js\n    x\n  ```\n\nAfter';
    const blocks = blocksOf(text);
    expect(blocks.map(({ markdown }) => markdown)).toEqual([
      ...['Term', 'First\nline', '> **Note:** Mind.', '> **Tip:** Try.'],
      ...['| a | b |\n|---|---|\n| 1 | 2 |', '```js\n  x\n```', 'After'],
    ]);
    expect(blocks[0]?.span).toBe(5);
  });

  it('put several terms of one definition side by side', () => {
    expect(
      blocksOf('`-a`\n`--all`\n: Everything.').map(({ markdown, depth, span }) => [markdown, depth, span]),
    ).toEqual([
      ['`-a`', 1, 0],
      ['`--all`', 1, 1],
      ['Everything.', undefined, undefined],
    ]);
  });
});

describe('site generator syntax', () => {
  it.each([
    ['{% highlight Ruby linenos %}\n{% raw %}\nputs 1\n\n  # two\n{% endraw %}\n{% endhighlight %}'],
    ['{% highlight "ruby" %}{% raw %}\nputs 1\n\n  # two\n{% endraw %}{% endhighlight %}'],
    ['{%- set a %}{% raw %}\nputs 1\n\n  # two\n{% endraw %}{%- endset %}\n{{ a | highlight("ruby") | safe }}'],
    ['{{< highlight ruby "linenos=table" >}}\nputs 1\n\n  # two\n{{< /highlight >}}'],
  ])('keeps code between delimiters: %j', (text) => {
    expect(markdownOf(`Before\n\n${text}\nAfter`)).toEqual(['Before', '```ruby\nputs 1\n\n  # two\n```', 'After']);
  });

  it('keeps captured text as code if it is shown as code', () => {
    const text = [
      '{% capture one %}\nGET /a\n  {}\n{% endcapture %}\n{% capture two %}*Text*{% endcapture %}\n',
      '{% include code-block.html\n  rest=one %}\n\n```md\n{% set one %}\n```\n',
    ];
    expect(markdownOf(text.join('\n'))).toEqual(['```\nGET /a\n  {}\n```', '*Text*', '```md\n{% set one %}\n```']);
    const code = 'x\n'.repeat(200_000);
    expect(markdownOf(`{% set a %}\n${code}{% endset %}\n{{ a | highlight("js") }}`)).toEqual([
      `\`\`\`js\n${code}\`\`\``,
    ]);
  });

  it('shows the text of inline shortcodes and the content of paired ones, and keeps code unchanged', () => {
    const text =
      'A {{< tooltip text="Pod" id="pod" >}} of {{< ref "page.md" >}}, [b]({{% relref "/c/d" %}}), {{< hl >}}x{{< /hl >}}, {% raw %}{{ y }}{% endraw %}, `{{< ref "x" >}}`';
    expect(markdownOf(text)).toEqual([
      'A Pod of page.md, [b](https://docs.example/c/d), x, {{ y }}, `{{< ref "x" >}}`',
    ]);
    expect(markdownOf('{{< tab name="macOS" >}}`brew`{{< /tab >}}\n\n{{< note >}}Mind.{{< /note >}}')).toEqual([
      'macOS `brew`',
      '**Note:** Mind.',
    ]);
  });

  it('shows the names of badge shortcodes', () => {
    expect(markdownOf('`NAME`\n: Its name. {{<required>}}\n\n## `A` {{%removed%}}')).toEqual([
      '`NAME`',
      'Its name. required',
      '`A` removed',
    ]);
    expect(markdownOf('{{< deprecated >}}Use b.{{< /deprecated >}}')).toEqual(['**Deprecated:** Use b.']);
  });

  it('handles each shortcode of a line separately and shows tab names', () => {
    const text = [
      '{{< tabpane text=true >}} {{% tab Go %}}\n\n<?code-excerpt "a.go"?>\n```go\nrun()\n```\n',
      '{{% /tab %}} {{% tab "Windows (ARM)" %}}\nText. {{% /part %}}\n\n```md\n{{< a >}} {{< b >}}\n```\n',
      '{{% /tab %}} {{< /panes/of >}}\n\nEnd.',
    ];
    expect(markdownOf(text.join('\n'))).toEqual([
      ...['**Go**', '```go\nrun()\n```', '**Windows (ARM)**', 'Text.', '```md\n{{< a >}} {{< b >}}\n```', 'End.'],
    ]);
  });

  it('includes shortcodes across lines, in lists and within a line', () => {
    const text = [
      '{{< figure src="a.png"\n  caption="A lamp" >}}\n\n{{< panes id="x"\n    tab1="One" >}}\n\nText.\n\n{{< /panes >}}\n\n- a\n\n  {{< note >}}\n  b\n  {{< /note >}}\n\n- c\n  {{</note>}}\n  d\n',
      'Press {{< image file="a.png" alt="Add" >}} for {{<code>}}{"a": "*"}{{</code>}}.\n\n{{< left\n\nopen',
    ];
    expect(markdownOf(text.join('\n'))).toEqual([
      ...[
        '**A lamp**',
        'Text.',
        '- a\n\n  > **Note:** b\n\n- c\n  \n  d',
        'Press Add for `{"a": "*"}`.',
        '{{< left',
        'open',
      ],
    ]);
  });

  it('does not include shortcodes in text or code', () => {
    const texts = [
      '1. ```md\n   {{< tabs >}} {{< tab >}}\n   ```\n2. b',
      '{{</* note */>}}\nTake care.\n{{</* /note */>}}',
      'A `{{< code >}}x{{< /code >}}`\n{{< x >}} {{< y >}}\nClose with: {{< /tab >}}',
    ];
    for (const text of texts) expect(markdownOf(text).join('\n')).toBe(text);
    expect(markdownOf('Press\n{{< kbd "Ctrl" >}} {{< kbd "C" >}}\nto stop.')).toEqual(['Press\n`Ctrl` `C`\nto stop.']);
    expect(markdownOf('{{<note/>}}\nCareful.')).toEqual(['> **Note:** Careful.']);
  });

  it('includes attributes below a block, but no other braces', () => {
    const text =
      '| a |\n| - |\n\n{.wide-50}\n\nLogo\n{style="margin: auto;"}\n\n{name}, {.x} and\n{.y} stay.\n\nJSON:\n{id=3}\n\n{title=foo}';
    expect(markdownOf(text)).toEqual([
      '| a |\n| - |',
      'Logo',
      '{name}, {.x} and\n{.y} stay.',
      'JSON:\n{id=3}',
      '{title=foo}',
    ]);
  });

  it('includes addresses that Jekyll and Eleventy complete', () => {
    const text = `[a]({{ '/b/' | relative_url }}), [c]({{"/d.md" | url}}#e "F"), ![g]({{ '/h.png' | absolute_url }}) and [i]({{ j | k }}).`;
    expect(markdownOf(text)).toEqual([
      '[a](https://docs.example/b/), [c](https://docs.example/d.md#e), g and [i]({{ j | k }}).',
    ]);
  });

  it('omits multi-line module code outside of MDX, but no code after it', () => {
    const long = "import {\n  Lang,\n} from '../files';\nimport Code from 'b';\nexport const props = {\n  a: 'b',\n};";
    expect(markdownOf(`Text.\n\n${long}\n\nMore.`)).toEqual(['Text.', 'More.']);
    expect(markdownOf(`<div>\n\n${long}\n\n</div>`)).toEqual([]);
    expect(markdownOf("import type {\n  A,\n} from 'b';\nimport type * as c from 'd';\n\nMore.", true)).toEqual([
      'More.',
    ]);
    expect(markdownOf("import a from 'b';\n\nexport default {\n  a,\n}")).toEqual(['export default {\na,\n}']);
    expect(markdownOf('import {\n  a\n} and more')).toEqual(['import {\na\n} and more']);
  });

  it('keeps text right below an import', () => {
    const prose = 'import the first thing, then\nexport function of the module (all of it)';
    for (const isMdx of [false, true]) expect(markdownOf(`import a from 'b';\n${prose}`, isMdx)).toEqual([prose]);
    const code =
      "import 'c';\nexport async function* d<T>() {\n}\nexport class E extends F {\n}\nexport let [g] = h;\nexport * from 'i';";
    for (const isMdx of [false, true]) expect(markdownOf(`import a, {b} from 'b';\n${code}`, isMdx)).toEqual([]);
  });

  it('is searched once for the end of module code', () => {
    // A search from each line would exceed the time limit.
    const [text] = markdownOf(`${'export const a = {\n'.repeat(600_000)}\nEnd.`, true);
    expect(text).toBe('End.');
  });

  it('omits MDX comments and icons', () => {
    const text =
      '- Go {/*docs-19*/}\n- **Press <i class="fa fa-edit"></i> Edit** <b> </b>now <i>*</i> `{/*code*/}`, {/* a */} and {/*b*/}.';
    expect(markdownOf(text)).toEqual(['- Go\n- **Press  Edit**  now *** `{/*code*/}`, {/* a */} and {/*b*/}.']);
  });

  it('shows the names in macros', () => {
    const text =
      '{{jsxref("Array.map()", "map()")}} of {{jsxref("Array")}}, {{HTMLElement("div")}}, {{glossary("ES")}}, {{Compat("x")}}';
    expect(markdownOf(text)).toEqual(['`map()` of `Array`, `<div>`, ES, {{Compat("x")}}']);
  });

  it('shows names for mkdocstrings without options', () => {
    expect(markdownOf('::: shop.cart\n    options:\n      show_root: true\n\nText\n\n[](){ #here }\n\n[TOC]')).toEqual([
      '`shop.cart`',
      'Text',
    ]);
  });
});

describe('MDX', () => {
  it('keeps the links and texts of cards', () => {
    const text =
      '<Card title="Start" href="/start">Here.</Card>\n\n<LinkCard title="Go" description="Read on." href="/go" />';
    expect(markdownOf(text, true)).toEqual([
      '**[Start](https://docs.example/start)**',
      'Here.',
      '**[Go](https://docs.example/go)**',
      'Read on.',
    ]);
  });

  it.each([
    ['New <Badge text="2.0" type="tip" /> in <Link to="/a">*A* `b`</Link>, <X>c</X>.', 'New 2.0 in [*A* `b`](/a), c.'],
    ['<Badge text="2.0" />', '**2.0**'],
    ['<Button href="/a">A</Button>\n<Button href="/b" kind="x">B</Button>', '[A](/a)\n[B](/b)'],
    ['<Button\n  href="/a"\n>\n  Read\n  on\n</Button>\nText', '[Read\non](/a)|Text'],
    ['<Card href="/a">\n\n## A\n\n</Card>', 'A'],
    ['<Button href="/a">\n  Open\n\nText', 'Open|Text'],
    ['<RocketIcon name="rocket" />', ''],
    [
      '<Tree>\n  <Tree.Folder name="src" open>\n    <Tree.Folder\n      name="a"\n    ><File name="b.ts" /></Tree.Folder>\n\n    <Tree.File name="c.ts" active />\n  </Tree.Folder>\n  <Tree.File name="d.ts" />\n</Tree>\nText',
      '- `src`\n  - `a`\n    - `b.ts`\n  - `c.ts`\n- `d.ts`|Text',
    ],
  ])('shows component properties and links: %s', (text, shown) => {
    expect(markdownOf(text, true).join('|').replaceAll('https://docs.example', '')).toBe(shown);
  });

  it('has heading anchors that ignore adjacent badges', () => {
    const [heading] = blocksOf('## Use it <Badge text="new" />', true);
    expect(heading).toMatchObject({ markdown: 'Use it new', anchor: 'use-it' });
  });

  const text = [
    "import { Tabs } from '@theme/Tabs';",
    'export const meta = {',
    "  title: 'x',",
    '};',
    '',
    '# Start',
    '',
    '<Tabs>',
    '  <TabItem value="npm" label="npm">',
    '',
    '    ```sh',
    '    npm i',
    '    ```',
    '',
    '  </TabItem>',
    '</Tabs>',
    '',
    '<Note>Mind {/* not this */}this.</Note>',
    '',
    'Version {props.version} of <Badge>{"two"}</Badge>.',
  ].join('\n');

  it('loses its code and components and keeps their text', () => {
    expect(markdownOf(text, true)).toEqual([
      'Start',
      '**npm**',
      '```sh\nnpm i\n```',
      '> **Note:** Mind this.',
      'Version  of two.',
    ]);
  });
});

describe('components in Markdown', () => {
  it('become text if they are closed; other angle brackets stay', () => {
    const text = 'An <Step step={1}>Activity</Step> of List<T> is <Badge/>shown, a Set<T> in <T>this</T>.';
    expect(markdownOf(text)).toEqual(['An Activity of List<T> is shown, a Set<T> in this.']);
  });
});

describe('Documenter pages', () => {
  it('have link texts by name and show code blocks as Julia', () => {
    const text =
      '# [Solving](@id "solve it")\n\nSee [`solve(A)`](@ref), [the guide](@ref Guide-of-it), [](@ref solve(A)) and [home](@/a.md).\n\n' +
      '```@meta\nCurrentModule = A\n```\n\n```@example one; continued = true\nusing A # hide\nsolve(1)\n```\n\n```jldoctest\njulia> 1\n1\n```';
    const { blocks, title } = extractMarkdown(text, { url });
    expect(title).toBe('Solving');
    expect(blocks.map(({ markdown }) => markdown)).toEqual([
      'Solving',
      'See `solve(A)`, the guide, solve(A) and [home](https://docs.example/guide/@/a.md).',
      '```julia\nsolve(1)\n```',
      '```julia\njulia> 1\n1\n```',
    ]);
    expect([blocks[0]?.anchor, blocks[2]?.language]).toEqual(['solve it', 'julia']);
  });
});

describe('other syntax of Pandoc, MyST, Jekyll and DocC', () => {
  it.each([
    ['::: {.callout-tip title="Hot" appearance="simple"}\nBoil.\n:::', '> **Tip: Hot:** Boil.'],
    ['::: {.panel-tabset group="x"}\n\nBoil.\n\n:::', 'Boil.'],
    [
      'See ![](a.png){.border fig-alt="A {pot}" width=3} and [it](#b){download="x"}.',
      'See A {pot} and [it](https://docs.example/guide/start.md#b).',
    ],
    ['|a|\n|-|\n|b|\n\n: {tbl-colwidths="[30,70]"}\n\nEnd.', '|a|\n|-|\n|b|\n\nEnd.'],
    [':::note\n:rocket: It is fast.\n:::', '> **Note:** :rocket: It is fast.'],
    ['The way.\n:::{proof:lemma} Heat\n:label: heat\nIt is hot.\n:::', 'The way.\n\n**Heat**\n\nIt is hot.'],
    [
      '[a]({{ site.baseurl }}/x.html), [b]({% link _docs/b.md %}), [c]({% post_url 2020-01-01-c %}#d)',
      '[a](https://docs.example/x.html), b, [c](https://docs.example/guide/start.md#d)',
    ],
    ['Press {{< kbd Ctrl-P mac=Cmd-P >}} now.', 'Press `Ctrl-P` now.'],
    ['{::options parse_block_html="true" /}\n\nText.', 'Text.'],
    [
      '@Metadata {\n  @PageColor(green)\n}\n\nText of <doc:TheBasics#Integer-Types>.\n\n@Options {\n\nOpen.',
      'Text of Integer Types.\n\n@Options {\n\nOpen.',
    ],
    ['```swift\n@Options {\n}\n```', '```swift\n@Options {\n}\n```'],
    [
      'The set [A](#a){x=1} and [B](#b){.c x="1"}.',
      'The set [A](https://docs.example/guide/start.md#a){x=1} and [B](https://docs.example/guide/start.md#b).',
    ],
    [
      'Press {{< kbd mac=Cmd-C win=Ctrl-C >}}. Close with {{< /tabs >}}',
      'Press `Cmd-C` (mac), `Ctrl-C` (win). Close with {{< /tabs >}}',
    ],
    ['## Title<Badge>new</Badge>', 'Titlenew'],
  ])('%s', (text, shown) => {
    expect(markdownOf(text).join('\n\n')).toBe(shown);
  });
});

describe('Pandoc tables', () => {
  it('have rows whose cells may have many lines', () => {
    const table = [
      '+------+-------------+',
      '|      |             |',
      '+======+=============+',
      '| # On | Do\\         |',
      '|      | it          |',
      '+:=====+=============+',
      '| *A*  | ``` {.bash} |',
      '|      | go \\        |',
      '|      |   [on]      |',
      '|      | ```         |',
      '+------+-------------+',
      '| B    | - x         |',
      '|      | - [y](b)    |',
      '+------+-------------+',
    ];
    expect(markdownOf([...table, 'Text'].join('\n'))).toEqual([
      '| On | Do it |\n| --- | --- |\n| *A* | `go \\ [on]` |\n| B | - x - [y](https://docs.example/guide/b) |',
      'Text',
    ]);
    expect(markdownOf('+ a\n+ b')).toEqual(['+ a\n+ b']);
  });
});

describe('attributes after a link', () => {
  it.each(['.a', 'a=".a"'])('are read in linear time: %s', (part) => {
    // Superlinear work would exceed the time limit.
    const text = `[a](b){${part.repeat(60)}!} [a](b){a=${part.repeat(60)}!"}\n@Foo${' '.repeat(5_000)}x`;
    expect(markdownOf(text).join('')).toContain('!');
  });
});

describe('syntax in unusual places', () => {
  it.each([
    [':::info See also\nRead:\n\n- a\n- b\n  :::\n\nEnd.', '> **Info: See also:** Read:\n\n- a\n- b\n\nEnd.'],
    ['- a\n\n  ### Types {#types-of-it}\n\n  b', '- a\n\n  ### Types\n\n  b'],
    ['{{< admonition type="note" >}}\nRead it.{{< /admonition >}}', '> **Note:** Read it.'],
  ])('%s', (text, shown) => {
    expect(markdownOf(text).join('\n\n')).toBe(shown);
  });
});

describe('a page', () => {
  it('takes its title and robots rules from its front matter', () => {
    const page = extractMarkdown(
      '---\ntitle: "A: \\"b\\""\ndescription: >\n  Two\n  lines\nnoindex: true\n---\n# Other\n',
      { url },
    );
    expect([page.title, page.isNoindex]).toEqual(['A: "b"', true]);
  });

  it.each([
    ['---\ndescription: How *to* call it\n---\n# Calls\n\nCall it.', ['How \\*to\\* call it', 'Calls', 'Call it.']],
    ['---\ntitle: Calls\nintro: >\n  How to\n  call it.\n---\nBy name.', ['How to call it.', 'By name.']],
    ['---\ndescription: "Call it by name."\n---\nCall it by name. Or not.', ['Call it by name. Or not.']],
  ])('shows its front matter description once: %#', (text, shown) => {
    expect(markdownOf(text)).toEqual(shown);
  });

  it.each([
    '---\nlayout: home\nhero:\n  name: Tides\n  text: Bounded queues\n  tagline: Drop what *does not* fit\n  actions:\n    - text: Start\n      link: /a\nfeatures:\n  - title: Small\n    details: Two kilobytes\n---\nMore.\n',
    '---\nheroText: Tides\ntagline: Drop what *does not* fit\nfeatures:\n- title: Small\n  details: Two kilobytes\n---\nMore.\n',
    '---\ntitle: Tides\nhero:\n  title: Tides\n  tagline: Drop what *does not* fit\n---\nMore.\n',
  ])('shows the home page content of its front matter: %#', (text) => {
    const { title, blocks } = extractMarkdown(text, { url: 'https://docs.example/index.md' });
    expect(title).toBe('Tides');
    const shown = blocks.map(({ markdown }) => markdown);
    expect(shown[0]).toMatch(/^Tides(?:: Bounded queues)?$/);
    expect(shown[1]).toBe('Drop what \\*does not\\* fit');
    expect(shown.slice(2).filter((line) => line !== 'Small: Two kilobytes')).toEqual(['More.']);
  });

  it('is named after its first heading, else its file, and a rule is not front matter', () => {
    expect(extractMarkdown('---\n\nText\n\n---\n\n## Only', { url }).title).toBe('Only');
    expect(extractMarkdown('---\nWeight: 1\nTitle: Big\n---\n\n## Only', { url }).title).toBe('Big');
    expect(extractMarkdown('## News\n\n# The guide\n\n# Other', { url }).title).toBe('The guide');
    expect(extractMarkdown('Text', { url }).title).toBe('start');
  });

  it('with any text is read without an exception and keeps its letters', () => {
    const fragment = fc.constantFrom(
      '# ',
      '> ',
      '- ',
      '1. ',
      '    ',
      '```',
      '~~~',
      '|',
      '|--|',
      '[a](b)',
      '[',
      ']',
      '](',
      '<div>',
      '<A b={',
      '</p>',
      '<!--',
      '{',
      ':::',
      '!!! note',
      '\n',
      '\n\n',
      '---',
      '`',
      'word',
      '&amp;',
      '\\',
      ': ',
    );
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 60 }), fc.boolean(), (parts, isMdx) => {
        const text = parts.join('');
        const words = text.match(/word/g)?.length ?? 0;
        const found =
          blocksOf(text, isMdx)
            .map((block) => block.markdown)
            .join('\n')
            .match(/word/g)?.length ?? 0;
        expect(found).toBeLessThanOrEqual(words);
        // The word after a fence is its language and may be omitted with it.
        if (!/[<{:!`~]|---|\]/.test(text)) expect(found).toBe(words);
      }),
      { numRuns: 500 },
    );
  });
});

it('fences after list and quote markers keep their code, and the following text is read', () => {
  const page = [
    '1. ```sh\n   ls <xref:a>\n   ```',
    '# [Linux](#tab/linux)',
    '> ```sh\n> cd <xref:b>\n> ```',
    'Call <xref:c>.',
    '> - ```sh\n>   pwd <xref:d>',
    'Call <xref:e>.',
  ];
  expect(markdownOf(page.join('\n\n'))).toEqual([
    page[0],
    '**Linux**',
    page[2],
    'Call `c`.',
    expect.stringContaining('pwd <xref:d>'),
    'Call `e`.',
  ]);
});

it('docfx syntax is replaced by its content', () => {
  const page = [
    "Call <xref:System.List%601.Add%2A?displayProperty=nameWithType>, :::no-loc text=\"Blob\"::: and `{{ '{' }}a{{ '}' }}`.",
    ':::zone pivot="visual-studio"',
    'In a zone.',
    ':::zone-end',
    ':::image type="content" source="a.png" alt-text="The picture.":::',
    'Has :::image source="b.png" alt-text="one":::.',
    ':::row:::\n   :::column span="2":::\n      In a column.\n   :::column-end:::\n:::row-end:::',
    '# [Bash](#tab/bash)',
    '```bash\n:::zone <xref:A>\n```',
    ':::row:::\n:::column:::\n```python\ndef f():\n    return 1\n```\n:::column-end:::\n:::row-end:::',
    "Says `{{ 'hello' }}` and `<xref:A>`.",
    '::: column-margin\nAside.\n:::',
    '```python\nif x:\n    return 1\n```',
    '> [!div class="checklist"]\n> - One',
  ];
  expect(markdownOf(page.join('\n\n'))).toEqual([
    'Call `System.List.Add`, Blob and `{a}`.',
    '**visual-studio**',
    'In a zone.',
    'The picture.',
    'Has one.',
    'In a column.',
    '**Bash**',
    '```bash\n:::zone <xref:A>\n```',
    '```python\ndef f():\n    return 1\n```',
    "Says `{{ 'hello' }}` and `<xref:A>`.",
    'Aside.',
    '```python\nif x:\n    return 1\n```',
    '>\n> - One',
  ]);
});

const blanks = (count: number) => ' '.repeat(count);

it.each([
  `:::${blanks(980)}}`,
  `!!!${blanks(980)}!`,
  `{%${blanks(490)}${'a'.repeat(490)}`,
  `{{<${blanks(326)}${'a'.repeat(326)}${blanks(326)}x`,
  `{{< ${'a.'.repeat(480)}<`,
  `{{< highlight ${'a'.repeat(200_000)}`,
  `{% ${'a "b" '.repeat(60)}`,
  `::card\n---\ntitle: x${blanks(200_000)}y\n---`,
])('unclosed markup is read: %#', (mark) => {
  expect(markdownOf(`${`${mark}\n\n`.repeat(40)}End.`).at(-1)).toBe('End.');
});

it('a Nuxt component loses its properties but no text', () => {
  expect(markdownOf('::: info\n---\nProse here matters.\n---\nMore\n:::').join('\n')).toContain('Prose here matters.');
  expect(markdownOf('::tip\n---\n\nProse one.\n\n---\n::').join('\n')).toContain('Prose one.');
  expect(markdownOf('::card{title="B"}\n---\nicon: i\nlinks:\n  - to: /b\n    label: c\n---\nIn B.\n::')).toEqual([
    '**B**',
    'In B.',
  ]);
});

it('code is shown without highlighting comments and lines removed by Twoslash', () => {
  const code = (lines: string[], info = 'ts') => markdownOf(`\`\`\`${info}\n${lines.join('\n')}\n\`\`\``)[0];
  const marked = [
    '// highlight-next-line',
    'a() // [!code focus:2]',
    '',
    '<b> <!-- [!code highlight] -->',
    '# highlight-end',
  ];
  expect(code(marked)).toBe('```ts\na()\n\n<b>\n```');
  expect(code(marked, 'md')).toBe(`\`\`\`md\n${marked.join('\n')}\n\`\`\``);
  expect(code(['import b', '// ---cut---', 'b()'], 'ts twoslash')).toBe('```ts twoslash\nb()\n```');
  const kept = ['a() // [!code --]', '// highlight-nothing', ' '.repeat(200_000)];
  expect(code([...kept, 'b()'])).toBe(`\`\`\`ts\n${kept.join('\n')}\nb()\n\`\`\``);
});

it('pages of Mintlify and GitBook name their operations and parameters', () => {
  const page = (operation: string) => markdownOf(`---\ntitle: Pay\n${operation}\n---\nText.`, true);
  expect(page('openapi: "POST /v1/payments"')).toEqual(['`POST /v1/payments`', 'Text.']);
  expect(page('openapi: /fr/openapi.json GET /v1/payments')).toEqual(['`GET /v1/payments`', 'Text.']);
  expect(page('api: https://api.example')).toEqual(['Text.']);
  expect(
    markdownOf(
      '{% swagger method="get" path="/pets" baseUrl="https://api.example" summary="Lists pets" %}\n{% swagger-parameter in="query" name="limit" type="Int" required="true" %}\nHow many.\n{% endswagger-parameter %}\n{% swagger-response status="200: OK" %}\n{% endswagger-response %}\n{% endswagger %}',
    ),
  ).toEqual(['**`GET /pets`: Lists pets**', '**limit (query, Int, required)**', 'How many.', '**200: OK**']);
  expect(markdownOf('<ResponseField name="id" type="string" deprecated>\nOld.\n</ResponseField>', true)).toEqual([
    '**id (string, deprecated)**',
    'Old.',
  ]);
});

it('component titles are on lines of their own below other text', () => {
  const card = '<Card title="Refunds" href="refunds">Return money.</Card>';
  const shown = ['**[Refunds](https://docs.example/guide/refunds)**', 'Return money.'];
  expect(markdownOf(`Text.\n${card}`, true)).toEqual(['Text.', ...shown]);
  expect(markdownOf(`<div>\nText.\n${card}\n</div>`, true)).toEqual(['Text.', ...shown]);
  expect(markdownOf('Press\n<Kbd>Ctrl</Kbd>\nonce.', true)).toEqual(['Press\n`Ctrl`\nonce.']);
});
