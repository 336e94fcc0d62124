import { expect, test } from 'vitest';
import { parsePage } from '../parse/parse-page.ts';
import { plainText } from '../split/plain-inline.ts';
import { extractAsciidoc } from './asciidoc/extract-asciidoc.ts';
import { extractMan } from './man/extract-man.ts';
import { extractMarkdown } from './markdown/extract-markdown.ts';
import { extractOpenApi } from './openapi/extract-openapi.ts';
import { extractOrg } from './org/extract-org.ts';
import { extractPod } from './pod/extract-pod.ts';
import { extractRd } from './rd/extract-rd.ts';
import { extractTexinfo } from './texinfo/extract-texinfo.ts';

const url = 'https://docs.example/page';
const textOf = ({ blocks }: { blocks: { markdown: string }[] }) => blocks.map(({ markdown }) => markdown).join('\n\n');

test('POD: headings, items with their text, formatting codes and verbatim paragraphs', () => {
  const pod = `package My; sub f {}

=head1 NAME

My::Mod - does C<< $a->{b} >> things

=head2 Methods

=over 4

=item B<open>(I<path>)

Opens it. See L<perlop> and L<the site|https://x.example/a_b>.

    my $m = My->open($path);

    $m->close;

=item *

A bullet with 2 E<lt> 3

=back

=begin html

<b>no</b>

=end html

=cut

sub g {}
`;
  const document = parsePage({ url: `${url}.pod`, bytes: Buffer.from(pod), path: 'lib/My.pod' });
  expect(document.format).toBe('pod');
  const { blocks, title } = extractPod(pod, { url });
  expect(title).toBe('My::Mod');
  const text = textOf({ blocks });
  expect(blocks.filter(({ type }) => type === 'heading').map(({ markdown, depth }) => [markdown, depth])).toEqual([
    ['NAME', 1],
    ['Methods', 2],
  ]);
  expect(text).toContain('My::Mod - does `$a->{b}` things');
  expect(text).toContain('**open**(*path*)');
  expect(text).toContain('See perlop and [the site](https://x.example/a_b).');
  expect(text).toMatch(/```perl\n\s*my \$m = My->open\(\$path\);\n\n\s*\$m->close;\n\s*```/);
  expect(text).toContain('A bullet with 2 < 3');
  expect(text).not.toMatch(/<b>no|sub [fg]|=head|=item/);
});

test('POD: named items are terms with their names, even when nested', () => {
  const pod =
    '=head1 F\n\n=over\n\n=item splice ARRAY,OFFSET\nX<splice>\n\n=item splice ARRAY\n\nRemoves.\n\n=over\n\n=item C<--all>\n\nAll.\n\n' +
    '=back\n\n  code;\n\n=item Not a name but a phrase\n\n=over\n\n=item *\n\nA bullet\n\n=back\n\n=back\n\nAfter max_size, _own\n';
  const { blocks } = extractPod(pod, { url });
  expect(
    blocks.map(({ type, markdown, depth, span, identifiers, anchor }) => {
      return type === 'term' ? [markdown, depth, span, identifiers, anchor] : markdown;
    }),
  ).toEqual([
    'F',
    ['splice ARRAY,OFFSET', 1, 0, ['splice'], 'splice-arrayoffset'],
    ['splice ARRAY', 1, 4, ['splice'], 'splice-array'],
    'Removes.',
    ['`--all`', 2, 1, ['--all'], '--all'],
    'All.',
    '```perl\ncode;\n```',
    ['Not a name but a phrase', 1, 1, [], 'not-a-name-but-a-phrase'],
    '- A bullet',
    'After max_size, \\_own',
  ]);
});

test('Texinfo: headings, definitions, examples, tables and commands', () => {
  const texinfo = `\\input texinfo
@settitle Widget
@set VERSION 2.1
@ifset NEVER
not this
@end ifset
@node Invoking, Options, Top, Top
@chapter Invoking @command{widget} @value{VERSION}
@cindex invoking
Run it with @option{--fast}, see @ref{Options,,the options}, and mail
me@@x.example.@footnote{Not
fast.}
@deftypefun int widget_open (const char *@var{name}, @
  int @var{flags})
Opens the widget @var{name}.
@end deftypefun
@example
@group
widget --fast @var{file} @{a@}
@end group
@end example
@table @code
@item --slow
@itemx -s
Goes slowly.
@end table
@multitable @columnfractions .5 .5
@headitem Key @tab Value
@item a @tab one
two
@end multitable
@itemize
@item first @strong{thing}
@end itemize
@bye
after
`;
  const document = parsePage({ url: `${url}.texi`, bytes: Buffer.from(texinfo), path: 'doc/widget.texi' });
  expect(document.format).toBe('texinfo');
  const { blocks } = extractTexinfo(texinfo, { url });
  const text = blocks.map(({ markdown }) => markdown).join('\n\n');
  expect(text).toContain('Invoking `widget` 2.1');
  expect(text).toContain('Run it with `--fast`, see the options, and mail\nme@x.example. (Not fast.)');
  expect(text).toContain('`int widget_open (const char *name, int flags)`\n\nOpens the widget *name*.');
  expect(text).toMatch(/```\nwidget --fast file \{a\}\n```/);
  expect(text).toContain('`--slow`, `-s`\n\nGoes slowly.');
  expect(text).toMatch(/\| Key \| Value \|\n\|.*\|\n\| a \| one two \|/);
  expect(text).toContain('first **thing**');
  expect(text).not.toMatch(/@(?!x)|cindex|not this|after|\\input/);
});

test('Texinfo: macros in text are expanded; code keeps verbatim lines and loses comments', () => {
  const { blocks } = extractTexinfo(
    String.raw`@chapter cut
@macro optItem{command,option,param}
@anchor{\command\-option\option\}
@item \option\\param\
@end macro
@macro optItemx{command,option,param}
@anchor{\command\-option\option\}
@itemx \option\\param\
@end macro
@macro ended
End lines with a zero byte.
@end macro
@table @samp
@optItem{cut,-S,@w{ }@var{suffix}}
@optItemx{cut,--suffix,[=@var{a, b}]}
@ended
@end table
@example
cut [file]@c
 [offset]
@verbatim
@ended{} # @c kept
@end verbatim
@end example`,
    { url },
  );
  expect(blocks.slice(1).map(({ markdown }) => markdown)).toEqual([
    '`-S suffix`, `--suffix[=a, b]`',
    'End lines with a zero byte.',
    '```\ncut [file] [offset]\n@ended{} # @c kept\n```',
  ]);
  expect(blocks[1]?.identifiers).toEqual(['-S', '--suffix']);
});

test('Texinfo: macros that call each other endlessly and unclosed calls take little time', () => {
  const calls = `@macro a{x}\n@a{@a{\\x\\}} @a{\\x\\}\n@end macro\n${'@a{b}\n'.repeat(30_000)}`;
  expect(extractTexinfo(calls, { url }).blocks.length).toBeGreaterThan(0);
  expect(extractTexinfo(`@macro a{x}\n\\x\\\n@end macro\n${'@a{ '.repeat(50_000)}`, { url }).title).toBe('page');
});

test('Texinfo: escaped, commented, verbatim and other-output macros are not expanded', () => {
  const { blocks } = extractTexinfo(
    String.raw`@iftex
@macro vec{x}
@math{\vec}
@end macro
@end iftex
@macro note{x}
Note:
\x\
@end macro
@macro foo{x}
[\x\]
@end macro
@ignore
@macro foo{x}
@end macro
@end ignore
The @vec{v} is long: @@foo{a}, @foo{b}, @verb{|@foo{c}|}.
@c @note{old text}
@comment @note{old text}
Next. @c @note{old text}
`,
    { url },
  );
  const text = textOf({ blocks });
  expect(text).toContain('The v is long: @foo{a}, [b], `@foo{c}`.');
  expect(text).toContain('Next.');
  expect(text).not.toMatch(/Note:\s*old|^old text/m);
});

test('Texinfo and Org: macros with too much output are no longer expanded', () => {
  const empty = `@macro a{z}\n${'\\z\\'.repeat(10_000)}\n@end macro\n${'@a{}\n'.repeat(7_500)}End.`;
  expect(textOf(extractTexinfo(empty, { url }))).toContain('End.');
  const large = `@macro a{z}\n${'\\z\\'.repeat(300_000)}\n@end macro\n@a{${'z'.repeat(1_900)}}\n`;
  expect(textOf(extractTexinfo(large, { url })).length).toBeLessThan(2_500_000);
  const arguments_ = `#+MACRO: a ${'$1'.repeat(10_000)}\n${`{{{a(${'x'.repeat(390)})}}}\n\n`.repeat(60)}`;
  const values = `#+MACRO: a ${'y'.repeat(100_000)}\n${'{{{a}}}\n\n'.repeat(12_500)}`;
  for (const text of [arguments_, values]) {
    const written = textOf(extractOrg(text, { url }));
    expect(written.length).toBeLessThan(2_500_000);
    expect(written).toContain('{{{a');
  }
});

test('Texinfo: values that refer to others are not expanded without limit', () => {
  const values = Array.from({ length: 18 }, (_, at) => `@set a${at} ${`@value{a${at + 1}} `.repeat(8)}`);
  const written = textOf(
    extractTexinfo(`${values.join('\n')}\n@set a18 deep\n@value{a16}\n\n@value{a0}\n\nEnd.`, { url }),
  );
  expect(written).toMatch(/^deep[^]*End\.$/);
  expect(written.length).toBeLessThan(2_500_000);
});

test('Texinfo: definitions and table entries are terms with names, anchors and bodies', () => {
  const { blocks } = extractTexinfo(
    `@deffn {Scheme Procedure} string-append str @dots{}
@deffnx {Scheme Procedure} string-append/shared str
Joins strings.
@table @option
@item -d @var{path}
@cindex database
@itemx --database=@var{path}
Where to look.

@itemize
@item A bullet
@table @code
@item inner
stays in the list
@end table
@end itemize
@item plain words here
More.
@end table
@end deffn
@deftypemethod {Widget} {const char *} name (int @var{i})
Its name.
@end deftypemethod
@section Next
Outside.
`,
    { url },
  );
  expect(blocks.map(({ markdown, span, identifiers, anchor }) => [markdown, span, identifiers, anchor])).toEqual([
    ['`string-append str ...`', 0, ['string-append'], 'string-append'],
    ['`string-append/shared str`', 6, ['string-append/shared'], 'string-appendshared'],
    ['Joins strings.', undefined, undefined, undefined],
    ['`-d path`, `--database=path`', 2, ['-d', '--database'], '-d'],
    ['Where to look.', undefined, undefined, undefined],
    ['- A bullet\n\n\n  - **`inner`**\n\n    stays in the list', undefined, undefined, undefined],
    ['`plain words here`', 1, [], 'plain-words-here'],
    ['More.', undefined, undefined, undefined],
    ['`Widget const char * name (int i)`', 1, ['name'], 'name'],
    ['Its name.', undefined, undefined, undefined],
    ['Next', undefined, undefined, 'next'],
    ['Outside.', undefined, undefined, undefined],
  ]);
});

test('Org: title, headings, code, tables, links, drawers and comments', () => {
  const org = `#+TITLE: The guide
#+OPTIONS: toc:nil
# a comment

* TODO Install :tag:
:PROPERTIES:
:CUSTOM_ID: x
:END:
Run =make install= or ~make~, see [[https://x.example/a_b/c][the site]]; *bold* and /italic/.

#+BEGIN_SRC python
  def f():
      return 1
#+END_SRC

| Option | Meaning |
|--------+---------|
| -a     | all     |

- term :: its meaning
+ other

: fixed text
`;
  const document = extractOrg(org, { url });
  expect(document.title).toBe('The guide');
  const text = textOf(document);
  expect(
    document.blocks.filter(({ type }) => type === 'heading').map(({ markdown, depth }) => [markdown, depth]),
  ).toEqual([
    ['The guide', 1],
    ['Install', 2],
  ]);
  expect(text).toContain(
    'Run `make install` or `make`, see [the site](https://x.example/a_b/c); **bold** and *italic*.',
  );
  expect(text).toContain('```python\ndef f():\n    return 1\n```');
  expect(text).toMatch(/\| Option \| Meaning \|\n\| ?-+ ?\| ?-+ ?\|\n\| -a +\| all +\|/);
  expect(text).toContain('**term** its meaning');
  expect(text).toContain('```\nfixed text\n```');
  expect(text).not.toMatch(/PROPERTIES|comment|OPTIONS|BEGIN_SRC/);
});

test('Org: macros are expanded, links continue across lines, text for another output is left out', () => {
  const { blocks } = extractOrg(
    "#+TITLE: Guide\n#+MACRO: poem Rose is $1, violet's $2.\n- {{{kbd(C-c\n  C-y)}}} (~org-yank~) ::\n  Insert {{{var(N)}}}, {{{poem(red\\, dark,blue)}}} {{{title}}} {{{none}}} @@html:<b>@@bold@@html:</b>@@.\n  See [[*Refile and\n  Copy]] and [[https://a.example/][the\n  site]].\n#+begin_src\n{{{kbd(x)}}} [[a\n#+end_src\n",
    { url },
  );
  expect(blocks.map(({ markdown }) => markdown)).toEqual([
    '# Guide'.slice(2),
    "- **`C-c C-y` (`org-yank`)**\n  Insert N, Rose is red, dark, violet's blue. Guide {{{none}}} bold.\n  See Refile and Copy and [the site](https://a.example/).",
    '```\n{{{kbd(x)}}} [[a\n```',
  ]);
});

test('Org: lines are joined for a link only within a paragraph, and verbatim text stays', () => {
  const text = (org: string) => textOf(extractOrg(org, { url }));
  expect(text('- Use =[[= for tests\n- Use =test= for =]]=\n')).toBe('- Use `[[` for tests\n- Use `test` for `]]`');
  expect(text('* Using =[[=\nBody ends with =]]=.\n')).toBe('Using `[[`\n\nBody ends with `]]`.');
  expect(text('The =[[= command:\n: [[ -f x ]] && y\n')).toBe('The `[[` command:\n\n```\n[[ -f x ]] && y\n```');
  expect(text('#+TITLE: A\n={{{title}}}= is {{{title}}}, =@@html:<b>@@= is @@html:<b>@@bold\n')).toContain(
    '`{{{title}}}` is A, `@@html:<b>@@` is bold',
  );
  expect(text('Ruby: @@a::b and @@c')).toBe('Ruby: @@a::b and @@c');
});

test('AsciiDoc: a cell spanning two rows keeps the columns below it', () => {
  const text = textOf(
    extractAsciidoc(
      '= T\n\n[cols="3*",options="header"]\n|===\n|A |B |C\n.2+|both |b1 |c1\n|b2 |c2\n|x |y |z\n|===\n',
      { url },
    ),
  );
  expect(text).toContain('| both | b1 | c1 |\n|  | b2 | c2 |\n| x | y | z |');
});

test('MDX: fields show their type, default and whether they are required', () => {
  const text = textOf(
    extractMarkdown(
      '# T\n\n<ParamField path="limit" type="number" required default={20}>\n  How many.\n</ParamField>\n\n<ResponseField name="id" type="string">\n  Its id.\n</ResponseField>\n\n<ParamField query="q" default="all">\n  What.\n</ParamField>\n',
      { url, isMdx: true },
    ),
  );
  expect(text).toContain('**limit (number, required, default 20)**');
  expect(text).toContain('**id (string)**');
  expect(text).toContain('**q (query, default all)**');
});

test('Tcl manual pages: arguments have their names and quoted words their quotes', () => {
  const text = textOf(
    extractMan(
      '.TH Tcl_Eval 3 8.6\n.SH ARGUMENTS\n.AS Tcl_Interp *interp\n.AP Tcl_Interp *interp in\nWhere to evaluate.\n.SH DESCRIPTION\nThe sign\n.QW \\e ,\nor\n.PQ x .\n.CS\nset a 1\n.CE\nDone.\n',
      { url },
    ),
  );
  expect(text).toContain('Tcl_Interp *\\*interp* (in)');
  expect(text).toContain('“\\”, or (“x”.)');
  expect(text).toContain('```\nset a 1\n```');
});

test('interface descriptions: examples of requests and responses are shown', () => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    paths: {
      '/pets': {
        post: {
          requestBody: { content: { 'application/json': { schema: { type: 'object' }, example: { name: 'Rex' } } } },
          responses: {
            200: {
              description: 'Made',
              content: { 'application/json': { schema: { type: 'object' }, examples: { one: { value: { id: 7 } } } } },
            },
            400: { description: 'Bad', content: { 'application/json': { example: { error: 'no-name' } } } },
          },
        },
      },
    },
  };
  const text = textOf(extractOpenApi(JSON.stringify(document), { url }));
  expect(text).toContain('{\n  "name": "Rex"\n}');
  expect(text).toContain('**Example of `200`**');
  expect(text).toContain('{\n  "id": 7\n}');
  expect(text).toContain('"error": "no-name"');
});

test('lists nested by the thousand take little memory', () => {
  const texinfo = `\\input texinfo\n${'@itemize\n@item a\n'.repeat(3_000)}`;
  expect(JSON.stringify(extractTexinfo(texinfo, { url }).blocks).length).toBeLessThan(300_000);
  const pod = `=head1 x\n\n${'=over\n\n=item *\n\na\n\n'.repeat(3_000)}`;
  expect(JSON.stringify(extractPod(pod, { url }).blocks).length).toBeLessThan(300_000);
});

const help = String.raw`% made by a tool
\name{paste_all}
\alias{paste_all}
\title{Paste the parts of a text}
\usage{
paste_all(x, sep = "\{", ..., .by = NULL)

\method{print}{pasted}(x)
}
\arguments{
\item{x}{A \code{\link[=character]{character}} vector with 100\% of the parts.
\itemize{
\item one, e.g. \code{"{.col}"}
\item \emph{two}
}}

\item{sep, .by}{\ifelse{html}{\figure{old.svg}}{\strong{[Old]}} What stands \emph{between}.}
}
\description{
Pastes. See \href{https://r.example/a}{the site} or \url{https://r.example/b}.
}
\section{Speed of it}{
\tabular{ll}{
call \tab time \cr
\code{a()} \tab 1 | 2 \cr
}
\if{html}{\out{<div>}}\preformatted{x <- 1 # it's
}\if{html}{\out{</div>}}
}
\examples{
# it's a comment with a quote
paste_all(c("a", "b"), sep = '}')
\dontrun{
paste_all("\\\\n") # 100\%
}
}
\keyword{internal}
`;

test('R help files: arguments as entries, usage and examples as code, lists, tables and links', () => {
  const { format } = parsePage({ url: `${url}.Rd`, bytes: Buffer.from(help), path: 'man/paste_all.Rd' });
  expect(format).toBe('rd');
  const { blocks, title } = extractRd(help, { url });
  expect(title).toBe('paste_all: Paste the parts of a text');
  const text = textOf({ blocks });
  expect(blocks.filter(({ type }) => type === 'heading').map(({ markdown }) => markdown)).toEqual([
    ...['Description', 'Usage', 'Arguments', 'Speed of it', 'Examples'],
  ]);
  expect(text).toContain('paste_all(x, sep = "{", ..., .by = NULL)\n\n# method for class \'pasted\'\nprint(x)');
  const terms = blocks.flatMap((block) => (block.type === 'term' ? [[block.markdown, block.identifiers]] : []));
  expect(terms).toEqual([
    ['`x`', ['x']],
    ['`sep`, `.by`', ['sep', '.by']],
  ]);
  expect(text).toContain('A `character` vector with 100% of the parts.');
  expect(text).toContain('- one, e.g. `"{.col}"`\n- *two*');
  expect(text).toContain('**\\[Old\\]** What stands *between*.');
  expect(text).toContain('[the site](https://r.example/a) or <https://r.example/b>');
  expect(text).toContain('| call | time |\n| --- | --- |\n| `a()` | 1 \\| 2 |');
  expect(text).toContain("```\nx <- 1 # it's\n```");
  expect(text).toContain(
    `# it's a comment with a quote\npaste_all(c("a", "b"), sep = '}')\n\npaste_all("\\\\n") # 100%`,
  );
  expect(text).not.toMatch(/made by a tool|internal|\\item|out\{/);
});

test('R and Pod help files: markup characters at the start of a line are text', () => {
  const lines = 'Signs:\n# no title\n> no quote\n=====\n~~~\nThe end.';
  const rd = extractRd(`\\name{a}\\description{\n${lines}\n}`, { url }).blocks;
  const pod = extractPod(`=head1 A\n\n${lines.replace('=====', '-----')}\n`, { url }).blocks;
  for (const blocks of [rd, pod]) {
    expect(blocks.map(({ type }) => type)).toEqual(['heading', 'paragraph']);
    expect(plainText(blocks[1]?.markdown ?? '')).toMatch(
      /^Signs: # no title > no quote (?:=====|-----) ~~~ The end\.$/,
    );
  }
});

test('R help files: macros within code are read', () => {
  const code =
    '\\code{\\linkS4class{track} at \\url{https://r.example}, \\href{https://r.example}{home} or \\strong{so}}';
  expect(textOf(extractRd(`\\name{a}\\description{${code}}`, { url }))).toContain(
    '`track at https://r.example, home or so`',
  );
});

test('R help files: unclosed text and endless braces are read to the end', () => {
  const open = `\\name{a}\n\\title{A}\n\\description{${'\\emph{'.repeat(3_000)}deep`;
  expect(textOf(extractRd(open, { url }))).toContain('deep');
  const quotes = `\\name{a}\n\\examples{${"\\'".repeat(50_000)}`;
  expect(extractRd(quotes, { url }).title).toBe('a');
  const rows = `\\name{a}\n\\description{\\tabular{ll}{${'a \\tab b \\cr '.repeat(150_000)}}}`;
  expect(textOf(extractRd(rows, { url }))).toContain('| a | b |');
  // Quadratic work would exceed the time limit.
  extractRd(`\\name{a}\n\\examples{# ${`"'\``.repeat(450_000)}}`, { url });
  const ruby = parsePage({
    url: `${url}.rd`,
    bytes: Buffer.from('=begin\n= Title\n=end\n'),
    path: 'doc/a.rd',
    contentType: 'text/plain',
  });
  expect(ruby.format).toBe('text');
});

test('Org: drawers and blocks without an end are text, read in linear time', () => {
  const org = `${':a:\n'.repeat(300_000)}${'#+begin_a\n'.repeat(150_000)}Below.\n`;
  expect(textOf(extractOrg(org, { url }))).toContain('Below.');
});

test('R Markdown and Quarto: chunks lose their options, and hidden chunks are left out', () => {
  const chunks = [
    '# Page',
    '```{r setup, include = FALSE}\nlibrary(hidden)\n```',
    '```{r, fig.width=3}\nplot(shown)\n```',
    '```{python}\n#| label: fig\n#| echo: true\nprint(1)\n```',
    '```{r}\n#| echo: false\nhidden()\n```',
    '```{.bash filename="run"}\nls\n```',
    '```{r, fig.cap="with echo=FALSE"}\nplot(captioned)\n```',
    '```{unheard:theorem} Pythagoras\nSquares.\n```',
  ].join('\n\n');
  const document = parsePage({ url: `${url}.qmd`, bytes: Buffer.from(chunks), path: 'a/page.qmd' });
  expect(document.format).toBe('markdown');
  const text = textOf(extractMarkdown(chunks, { url }));
  expect(text).toContain('```r\nplot(shown)\n```\n\n```python\nprint(1)\n```\n\n```{.bash filename="run"}\nls\n```');
  expect(text).not.toContain('hidden');
  expect(text).toContain('plot(captioned)');
  expect(text).toContain('Pythagoras');
});

test('RDoc: headings, code with empty lines, lists, links and names', () => {
  const rdoc =
    '= Tea\n\nMakes +tea+; see {the guide}[https://a.example/b].\n  \n  pot = 1\r\n \n    pot\n\n== More\n\n[cup] One.\n';
  const page = parsePage({ url, path: 'README.rdoc', bytes: new TextEncoder().encode(rdoc) });
  expect(page.format).toBe('rdoc');
  expect(page.title).toBe('Tea');
  expect(page.snippets.map(({ text }) => text).join('\n\n')).toBe(
    '# Tea\n\nMakes `tea`; see [the guide](https://a.example/b).\n\n```\npot = 1\n\n  pot\n```\n\n## More\n\n- **cup**: One.',
  );
});

test.each([
  ['a.md', `- ${'a:: '.repeat(300_000)}`],
  ['a.md', `---\nb: c\n---\n{% set d %}\n${'x\n'.repeat(300_000)}{% endset %}\n{{ d | highlight("js") }}`],
  ['a.pod', `=head1 A\n\n${' x\n'.repeat(300_000)}`],
  ['a.texi', `@node A\n@chapter A\n@example\n${'x\n'.repeat(300_000)}@end example\n`],
  ['a.org', `* A\n#+begin_src c\n${'x\n'.repeat(300_000)}#+end_src\n`],
  ['a.adoc', `= A\n\nText\n\n${' x\n'.repeat(300_000)}`],
])('a block of %s may have very many lines or words', (path, text) => {
  expect(parsePage({ url, path, bytes: new TextEncoder().encode(text) }).snippets.length).toBeGreaterThan(1_000);
});
