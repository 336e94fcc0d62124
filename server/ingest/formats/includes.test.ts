import { describe, expect, test } from 'vitest';
import type { DocumentFormat } from './format-of.ts';
import { followIncludes } from './includes.ts';

type Files = Record<string, string>;
const follow = async (files: Files, path: string, format: DocumentFormat): Promise<string> => {
  const bytes = new TextEncoder().encode(files[path]);
  const followed = await followIncludes(bytes, { path, format, read: async (target) => files[target] });
  return new TextDecoder().decode(followed);
};
const python =
  'import os\n\ndef load(name):\n    return name\n\nclass Box:\n    def open(self):\n        return 1\n\n    size = 2\n';

describe('AsciiDoc', () => {
  const page = (lines: string): Files => ({
    'docs/modules/ROOT/pages/a.adoc': lines,
    'docs/modules/ROOT/partials/note.adoc': '== Note\n\ninclude::partial$deep.adoc[]',
    'docs/modules/ROOT/partials/deep.adoc': 'Deep text.',
    'docs/modules/api/examples/App.java': '// tag::open[]\n  open();\n// end::open[]\nclose();\n',
  });
  const read = (lines: string) => follow(page(lines), 'docs/modules/ROOT/pages/a.adoc', 'asciidoc');

  test('follows Antora families, tags, lines and shifted headings', async () => {
    expect(await read('include::partial$note.adoc[leveloffset=+1]')).toBe('=== Note\n\nDeep text.');
    expect(await read('----\ninclude::api:example$App.java[tag=open,indent=0]\n----')).toBe('----\nopen();\n----');
    expect(await read(':src: ../partials\n\ninclude::{src}/deep.adoc[lines=1..1]')).toContain('Deep text.');
  });

  test('adds the attributes of its component above a page that uses attributes', async () => {
    const antora =
      'name: shop\nasciidoc:\n  attributes:\n    product: Shop@\n    major: 3\n    community: true\n    old: false\n    "a b": no\n';
    const files = (page: string, description = antora): Files => ({
      'docs/antora.yml': description,
      'docs/modules/ROOT/pages/a.adoc': page,
      'docs/readme.adoc': page,
    });
    const at = 'docs/modules/ROOT/pages/a.adoc';
    const above = ':product: Shop\n:major: 3\n:community:\n';
    expect(await follow(files('{product} {major}'), at, 'asciidoc')).toBe(`${above}{product} {major}`);
    expect(await follow(files('ifdef::community[]\nA\nendif::[]'), at, 'asciidoc')).toContain(above);
    expect(await follow(files('No names.'), at, 'asciidoc')).toBe('No names.');
    expect(await follow(files('{product}'), 'docs/readme.adoc', 'asciidoc')).toBe('{product}');
    const large = `${antora}# ${'x'.repeat(100_000)}`;
    for (const broken of ['a: [', 'asciidoc: 1', large, 'a: &a [x]\n' + 'b: &b [*a,*a,*a,*a]\n'.repeat(2_000)])
      expect(await follow(files('{product}', broken), at, 'asciidoc')).toBe('{product}');
  });

  test('keeps includes that are missing, remote or escaped', async () => {
    for (const line of [
      'include::none.adoc[]',
      'include::https://a.example/x.adoc[]',
      '\\include::partial$deep.adoc[]',
    ])
      expect(await read(line)).toBe(line);
  });
});

describe('reStructuredText', () => {
  const read = (lines: string) =>
    follow({ 'doc/a.rst': lines, 'doc/b.rst': 'Shared.', 'src/x.py': python }, 'doc/a.rst', 'rst');

  test('turns literalinclude into a code block, by object, lines or markers', async () => {
    expect(await read('.. literalinclude:: /src/x.py\n   :pyobject: Box.open\n\nAfter.')).toBe(
      '.. code-block:: python\n\n   def open(self):\n       return 1\n\n\nAfter.',
    );
    expect(await read('  .. literalinclude:: ../src/x.py\n     :language: py3\n     :lines: 1,3-4')).toBe(
      '  .. code-block:: py3\n\n     import os\n     def load(name):\n         return name\n',
    );
    expect(await read('.. literalinclude:: /src/x.py\n   :caption:\n   :lines: 1')).toBe(
      '.. code-block:: python\n   :caption: /src/x.py\n\n   import os\n',
    );
    expect(await read('.. literalinclude:: /src/x.py\n   :start-after: import\n   :end-before: class')).toContain(
      '   def load',
    );
  });

  test('replaces include with the text', async () => {
    expect(await read('* item\n\n  .. include:: b.rst\n')).toBe('* item\n\n  Shared.\n');
  });
});

describe('values of the project settings', () => {
  const files: Files = {
    'docset.yml':
      'subs:\n  es: Elasticsearch\n  serverless-short: Serverless\n  both: "{{es}} {{serverless-short}}"\n  own: "{{own}}"\n',
    'site/mkdocs.yml':
      'site_name: A\nplugins:\n  - search\n  - macros:\n      on_error_fail: true\nextra:\n  version: "3.2"\n  customer:\n    name: Acme\n  list: [a]\n',
    'plain/mkdocs.yml': 'plugins: [search]\nextra:\n  version: "3.2"\n',
    'jekyll/_config.yml': 'latest: 2.1\n',
    'quarto/_quarto.yml': 'project:\n  type: book\nby: Ann\n',
    'quarto/_variables.yml': 'version: 1.2\n',
    'hugo/hugo.toml': 'title = "A"\n[params]\nversion = "v1.30"\n',
    'hugo/config/_default/params.yaml': 'latest: v1.31\n',
    'data/variables/product.yml': "prodname: 'GitHub'\nbranchy: '{% ifversion fpt %}A{% endif %}'\n",
    'data/reusables/repo/limits.md': 'Up to 100 {% data variables.product.prodname %} repositories.',
    'cli/snooty.toml':
      '[constants]\ncli = "Atlas CLI"\nfull = "MongoDB {+cli+}"\n[substitutions]\naws = ":abbr:`AWS (Amazon)`"\n',
    'doc/conf.py': `version = "1.4"
release = "1.4.2"
rst_prolog = """
.. note:: On every page.

   So it is.

.. |min| replace:: 5.3.0
.. |rows| replace:: many
   rows
.. |year| replace:: {year}
.. |release| replace:: v{release}
.. |product| replace:: Shop |min|
"""
rst_epilog = r'''
.. include:: /names.txt
'''
`,
    'doc/names.txt': '.. |brand| replace:: Acme',
    'doc/part.txt': 'Of |brand|.',
    'jekyll/_data/products.yml': 'core: self-hosted\n',
    'myst/conf.py':
      'x = {"role": "x"}\nmyst_substitutions = {\n    "role": "[role](#roles)",\n}\ny = {\n    "none": "y",\n}\n',
    'myst-line/conf.py':
      'myst_substitutions = {"role": "{{one}}", "one": "1", "two": "it\'s"}  # all\ny = {\n    "three": "y",\n}\n',
    'myst-open/conf.py': `myst_substitutions = {${'\n'.repeat(49_000)}"role": "b"${' '.repeat(49_000)}x\n"two": "2"}`,
    'book/_config.yml': 'parse:\n  myst_substitutions:\n    role: part\n',
  };
  const read = (text: string, path: string) =>
    follow({ ...files, [path]: text }, path, /\.(?:rst|txt)$/.test(path) ? 'rst' : 'markdown');

  test.each([
    ['docs/a.md', 'Use {{es}}, {{ serverless-short }}: `{{es}}`', 'Use Elasticsearch, Serverless: `Elasticsearch`'],
    ['docs/a.md', '{{both}}', 'Elasticsearch Serverless'],
    ['site/docs/a.md', '{{ version }}, {{ customer.name }}, {{ config.extra.version }}', '3.2, Acme, 3.2'],
    [
      'jekyll/b.md',
      '{% raw %}{{ site.latest }}{% endraw %} {{ site.latest }}',
      '{% raw %}{{ site.latest }}{% endraw %} 2.1',
    ],
    [
      'quarto/ch/a.md',
      '---\ntool:\n  name: Pot\n---\n{{< meta tool.name >}} {{< meta by >}} {{< var version >}} {{< meta none >}} {{{< meta by >}}}',
      '---\ntool:\n  name: Pot\n---\nPot Ann 1.2 {{< meta none >}} {{{< meta by >}}}',
    ],
    ['jekyll/a.md', 'gem {{ site.latest }} {{site.none}}', 'gem 2.1 {{site.none}}'],
    ['hugo/content/a.md', 'From {{< param "version" >}} to {{% param none %}}', 'From v1.30 to {{% param none %}}'],
    ['hugo/content/a.md', '{{< param latest >}}', 'v1.31'],
    ['content/a.md', 'On {% data variables.product.prodname %}.', 'On GitHub.'],
    ['content/a.md', '{% data reusables.repo.limits %}', 'Up to 100 GitHub repositories.'],
    ['myst-line/a.md', '{{role}} {{one}} {{two}} {{three}}', "1 1 it's {{three}}"],
    ['myst-open/a.md', '{{role}} {{two}}', '{{role}} 2'],
    ['myst/a.md', 'The {{ role }} and {{none}}', 'The [role](#roles) and {{none}}'],
    [
      'myst/a.md',
      '---\nmyst:\n  substitutions:\n    role: mine\n---\n{{role}}',
      '---\nmyst:\n  substitutions:\n    role: mine\n---\nmine',
    ],
    ['book/a.md', '{{ role }}', 'part'],
    [
      'jekyll/docs/a.md',
      'On {{ site.data.products.core }}, {{ site.data.none.core }}',
      'On self-hosted, {{ site.data.none.core }}',
    ],
    ['cli/source/a.rst', 'The {+full+}', 'The MongoDB Atlas CLI'],
  ])('%s: %s', async (path, text, expected) => {
    expect(await read(text, path)).toBe(expected);
  });

  test.each([
    ['docs/a.md', 'A template: {{ message }} {{own}} {{ a b }}'],
    ['site/docs/a.md', '{{ list }} {{ customer }} {{ constructor }} {{ customer.constructor.name }}'],
    ['content/a.md', '{% data variables.product.branchy %} {% data variables.none.x %}'],
    ['elsewhere/a.rst', '{+cli+} |min|'],
    ['plain/a.md', 'MkDocs without a plugin: {{ version }}'],
    ['docs/a.md', 'A workflow: ${{ es }}'],
    ['docs/a.md', `{{ ${'es.'.repeat(5_000)}es }}`],
    ['doc/a.rst', 'a || b'],
  ])('%s: %s is kept', async (path, text) => {
    expect(await read(text, path)).toBe(text);
  });

  test('are added below an RST text for the names it uses, without other text of every page', async () => {
    expect(await read('|min| of |brand|, |version| |year|.', 'doc/guide/a.rst')).toBe(
      '|min| of |brand|, |version| |year|.\n\n' +
        '.. |min| replace:: 5.3.0\n.. |version| replace:: 1.4\n.. |brand| replace:: Acme',
    );
    expect(await read('.. include:: /doc/part.txt', 'doc/a.rst')).toBe('Of |brand|.\n\n.. |brand| replace:: Acme');
    expect(await read('|product| |release|', 'doc/a.rst')).toMatch(
      /\.\. \|product\| replace:: Shop \|min\|\n\.\. \|release\| replace:: 1\.4\.2\n\.\. \|min\| replace:: 5\.3\.0\n/,
    );
    expect(await read('|rows|', 'doc/a.rst')).toContain('.. |rows| replace:: many\n   rows');
    expect(await read('|min|\n\n.. |min| replace:: 8', 'doc/a.rst')).not.toContain('5.3.0');
    expect(await read('|aws|', 'cli/source/a.txt')).toBe('|aws|\n\n.. |aws| replace:: :abbr:`AWS (Amazon)`');
  });

  test('are ignored if the settings are damaged or made to grow', async () => {
    const broken: Files = {
      'mkdocs.yml': `a: &a [x]\n${'b: &b [*a,*a,*a,*a]\n'.repeat(2_000)}`,
      'snooty.toml': '[constants\n',
    };
    expect(await follow({ ...broken, 'a.md': '{{ b }}' }, 'a.md', 'markdown')).toBe('{{ b }}');
    expect(await follow({ ...broken, 'a.rst': '{+b+}' }, 'a.rst', 'rst')).toBe('{+b+}');
    const circle: Files = { 'mkdocs.yml': 'plugins: &a [*a]\nextra:\n  b: c\n', 'a.md': '{{ b }}' };
    expect(await follow(circle, 'a.md', 'markdown')).toBe('{{ b }}');
    const open: Files = { 'docset.yml': 'subs:\n  b: c\n', 'a.md': `{{ b }}${'{%raw%}'.repeat(200_000)}` };
    expect(await follow(open, 'a.md', 'markdown')).toMatch(/^c\{%raw/);
    const huge = `plugins: [macros]\nextra:\n  a: b\n${'# more\n'.repeat(50_000)}`;
    expect(await follow({ 'mkdocs.yml': huge, 'a.md': '{{ a }}' }, 'a.md', 'markdown')).toBe('{{ a }}');
    const long: Files = {
      'mkdocs.yml': `plugins: [macros]\nextra:\n  a: ${'x'.repeat(1_000)}`,
      'a.md': '{{ a }}'.repeat(100_000),
    };
    expect((await follow(long, 'a.md', 'markdown')).length).toBeLessThan(2_000_000);
  });
});

describe('Markdown', () => {
  const read = (lines: string, path = 'docs/guide/a.md', format: DocumentFormat = 'markdown') =>
    follow(
      {
        [path]: lines,
        'docs/guide/b.md': '---\ntitle: B\n---\nShared.',
        'docs/guide/b.qmd': '---\ntitle: B\n---\nShared too.',
        'docs/guide/c.html': '<b>C</b>',
        'docs/_partials/c.mdx': 'Partial.',
        'listings/main.rs': '// ANCHOR: here\nfn main() {}\n// ANCHOR_END: here\nfn other() {}\n',
        'docs/src/x.py': python,
        'docs/examples/pod.yaml': 'kind: Pod',
        'docs/guide/App.cs': 'using A;\n// <Run>\n  Run();\n// </Run>\n#region Stop\nStop();\n#endregion\n',
      },
      path,
      format,
    );

  test.each([
    ['```rust\n{{#rustdoc_include ../../listings/main.rs:here}}\n```', '```rust\nfn main() {}\n```'],
    ['{{#include ../../listings/main.rs:4}}', 'fn other() {}'],
    ['--8<-- "guide/b.md"', 'Shared.'],
    ['{! b.md !}', 'Shared.'],
    ['{* ../src/x.py ln[1:1] hl[1] *}', '```python\nimport os\n```'],
    ['<<< @/../listings/main.rs', '```rust\nfn main() {}\nfn other() {}\n```'],
    ['<!--@include: ./b.md-->', 'Shared.'],
    ['{{% code_sample file="pod.yaml" %}}', '```yaml\nkind: Pod\n```'],
    ['{{< include b.qmd >}}\n{{< include c.html >}}', 'Shared too.\n<b>C</b>'],
    ['```yaml\n{{< include pod.yaml >}}\n```', '```yaml\nkind: Pod\n```'],
    ['```\n{% include b.md %}\n{{{< include b.qmd >}}}\n```', '```\n{% include b.md %}\n{{{< include b.qmd >}}}\n```'],
    ['```{literalinclude} ../src/x.py\n:lines: 1\n```\nAfter.', '```python\nimport os\n```\nAfter.'],
    ['```{include} b.md\n```', 'Shared.'],
    ['[!INCLUDE [shared](b.md)]', 'Shared.'],
    [':::code language="csharp" source="App.cs" id="Run" highlight="1":::', '```csharp\nRun();\n```'],
    [':::code source="~/docs/guide/App.cs" range="6":::', '```csharp\nStop();\n```'],
    ['[!code-csharp[Stop](App.cs#Stop)]', '```csharp\nStop();\n```'],
    ['[!code-csharp[](App.cs?highlight=1&range=1)]', '```csharp\nusing A;\n```'],
    ['[!code-csharp[Run](App.cs#L3-L3)]', '```csharp\nRun();\n```'],
    [
      '- ```\n  {{ a }}\n  ```\n\n<<< @/../listings/main.rs',
      '- ```\n  {{ a }}\n  ```\n\n```rust\nfn main() {}\nfn other() {}\n```',
    ],
  ])('%s', async (line, expected) => {
    expect(await read(line)).toBe(expected);
  });

  test('reads snippets from the folders in the MkDocs settings', async () => {
    const files = {
      'docs/guide/a.md': '--8<-- "part.py:run"',
      'docs/source/src/part.py': '# --8<-- [start:run]\nrun()\n',
    };
    const withSettings = (settings: string) =>
      follow({ ...files, 'mkdocs.yml': settings }, 'docs/guide/a.md', 'markdown');
    for (const folders of ['["x", docs/source/src/]', '\n        - x\n        - docs/source/src', ' docs/source/src'])
      expect(await withSettings(`a: !!python/name:b\nc:\n    base_path: ${folders}\n    d: e`)).toBe('run()');
    for (const folders of [
      ' # where\r\n    - "x" # first\r\n\r\n    - docs/source/src\r\n',
      ' [\n  "x",\n  \'docs/source/src\'\n]',
      ' "docs/source/src" # all',
    ])
      expect(await withSettings(`c:\n  base_path:${folders}\nd: e`)).toBe('run()');
    expect(await withSettings('base_path: [../other]')).toBe(files['docs/guide/a.md']);
    // Quadratic work would exceed the time limit.
    for (const slow of [' '.repeat(500_000), `\n - ${' '.repeat(500_000)}x`, '\n  - x'.repeat(200_000)])
      expect(await withSettings(`base_path:${slow}`)).toBe(files['docs/guide/a.md']);
  });

  test('replaces components that stand for a file with the file', async () => {
    const readMdx = (lines: string) => read(lines, 'docs/guide/a.mdx', 'mdx');
    const begin = "import Part from './b.md';\nimport Code from '!!raw-loader!../src/x.py';\n";
    expect(await readMdx(`${begin}<Part />`)).toBe(`${begin}Shared.`);
    expect(await readMdx(`${begin}<CodeBlock language="py">{Code}</CodeBlock>`)).toContain('```py\nimport os');
    expect(await readMdx('<Include src="_partials/c" />')).toBe('Partial.');
    const missing = "import Part from '@guide/b.md';\nimport Gone from './gone.mdx';\n";
    expect(await readMdx(`${missing}<Part />\n<Gone />`)).toBe(`${missing}Shared.\nIncluded file: \`./gone.mdx\``);
    expect(await readMdx("import Gone from './gone.mdx';\n<Gone />")).toContain('Included file: `./gone.mdx`');
    expect(await readMdx('<Video src="/x/clip.mp4" />')).toBe('<Video src="/x/clip.mp4" />');
  });
});

test('Texinfo and Org include texts and code', async () => {
  const files = {
    'a.texi': '@include b.texi',
    'b.texi': '@node B',
    'a.org': '#+INCLUDE: "x.py" src python',
    'x.py': 'a = 1',
  };
  expect(await follow(files, 'a.texi', 'texinfo')).toBe('@node B');
  expect(await follow(files, 'a.org', 'org')).toBe('#+begin_src python\na = 1\n#+end_src');
});

test('circular includes, paths outside the root and hidden files are not followed', async () => {
  const files = {
    'a/a.md': '{{#include b.md}}',
    'a/b.md': 'B {{x}}\n{{#include a.md}}',
    '../x.md': 'no',
    '.env': 'no',
  };
  expect(await follow(files, 'a/a.md', 'markdown')).toBe('B {{x}}\n{{#include a.md}}');
  for (const target of ['../../x.md', '/../x.md', '../.env', '/.env']) {
    const text = `{{#include ${target}}}`;
    expect(await follow({ ...files, 'a/c.md': text }, 'a/c.md', 'markdown')).toBe(text);
  }
  for (const list of ['.vars', '../vars']) {
    const project = { 'writerside.cfg': `<ihp><vars src="${list}"/></ihp>`, [list]: '<var name="x" value="no"/>' };
    expect(await follow({ ...project, 'a.topic': '<topic>%x%</topic>' }, 'a.topic', 'topic')).toContain('%x%');
  }
});

test('includes that multiply are cut off', async () => {
  const files: Files = { 'a.md': '{{#include b0.md}}\n' };
  for (let at = 0; at < 6; at++) files[`b${at}.md`] = `{{#include b${at + 1}.md}}\n`.repeat(50);
  expect((await follow(files, 'a.md', 'markdown')).length).toBeLessThan(10_000_000);
});

test.each<[string, DocumentFormat, string]>([
  ['a.rst', 'rst', '.. include:: x.txt\n   :lines: RANGES'],
  ['a.adoc', 'asciidoc', 'include::x.txt[lines=RANGES]'],
  ['a.md', 'markdown', '[!code-txt[](x.txt?range=RANGES)]'],
])('lines that %s repeats are included at most twice', async (path, format, text) => {
  const files = { [path]: text.replace('RANGES', '1-,'.repeat(90)), 'x.txt': 'one\ntwo\n' };
  if (format === 'asciidoc') files[path] = text.replace('RANGES', '1..;'.repeat(90));
  expect((await follow(files, path, format)).match(/one/g)).toHaveLength(2);
});

test('only the first ten parts of a long object name are looked up', async () => {
  const names = Array.from({ length: 12 }, (_, depth) => `A${depth}`);
  const nested = names.map((name, depth) => `${' '.repeat(depth)}class ${name}:`).join('\n');
  const files = { 'a.rst': `.. literalinclude:: x.py\n   :pyobject: ${names.join('.')}`, 'x.py': nested };
  expect((await follow(files, 'a.rst', 'rst')).match(/class A/g)).toHaveLength(3);
});

test('malicious texts are read in linear time', async () => {
  const hostile = [
    '```{include} x\n',
    `{! ${'a:'.repeat(5_000)}\n`,
    `<A ${'src="a" '.repeat(5_000)}\n`,
    '{! none !}\n',
    '{{#include .hidden}}\n',
  ];
  const path = `${'a/'.repeat(40)}b.md`;
  for (const line of hostile) {
    let lookUps = 0;
    const bytes = new TextEncoder().encode(line.repeat(Math.ceil(2_000_000 / line.length)));
    const read = async () => void (lookUps += 1);
    expect(await followIncludes(bytes, { path, format: 'markdown', read })).toBe(bytes);
    expect(lookUps).toBeLessThanOrEqual(10_000);
  }
}, 60_000);

test('indentation and shifted headings cannot multiply a file', async () => {
  const [lines, line] = ['x\n'.repeat(200_000), `${' '.repeat(300)}--8<-- "b.md"`];
  expect(await follow({ 'a.md': line, 'b.md': lines }, 'a.md', 'markdown')).toBe(line);
  const shifted = { 'a.adoc': 'include::b.adoc[leveloffset=900000000]', 'b.adoc': '= B' };
  expect(await follow(shifted, 'a.adoc', 'asciidoc')).toBe('====== B');
});

test('empty lines below an included object take linear time', { timeout: 30_000 }, async () => {
  const files = {
    'a.rst': '.. literalinclude:: b.py\n   :pyobject: A\n',
    'b.py': `class A:\n  x\n${'\n'.repeat(400_000)}`,
  };
  expect(await follow(files, 'a.rst', 'rst')).toContain('   class A:\n     x\n\n');
});

test('an include whose path becomes long by attributes is not looked up', async () => {
  const text = `:a: ${'y/'.repeat(150)}\n${'include::{a}{a}b.adoc[]\n'.repeat(100)}`;
  let lookUps = 0;
  const read = async () => void (lookUps += 1);
  await followIncludes(new TextEncoder().encode(text), { path: 'a.adoc', format: 'asciidoc', read });
  expect(lookUps).toBe(0);
});

test('bytes that are not UTF-8 stay unchanged', async () => {
  const bytes = Uint8Array.of(0xe9, ...new TextEncoder().encode('\n{{#include b.md}}'));
  expect(await followIncludes(bytes, { path: 'a.md', format: 'markdown', read: async () => 'x' })).toBe(bytes);
});
