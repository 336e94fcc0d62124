import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type HtmlElement, type HtmlNode, HtmlText } from '../html-tree.ts';
import { parseAnyHtml } from '../parse-html.ts';
import { parseCleanHtml } from './parse-clean-html.ts';

/** Returns the tree in a form that compares and prints well; a wrong parent is marked. */
function shapeOf(node: HtmlNode, parent: HtmlElement | null = null): unknown {
  const fault = node.parent === parent ? {} : { fault: 'wrong parent' };
  if (node instanceof HtmlText) return { text: node.value, ...fault };
  const { name, namespace, attributes, children } = node;
  return {
    name,
    namespace,
    attributes: attributes.map((one) => [one.name, one.value]),
    ...fault,
    children: children.map((child) => shapeOf(child, node)),
  };
}

const page = (body: string, head = '<title>t</title>') =>
  `<!DOCTYPE html>\n<html lang="en">\n<head>${head}</head>\n<body class="b">${body}</body>\n</html>\n`;

test.each<[string, string]>([
  ['text and inline elements', '<p>One <b>two <i>three</i></b> <a href="x">four</a> &amp; five</p>'],
  ['ends that are left out', '<p>One<p>Two<ul><li>a<li>b<ul><li>c</ul><li>d</ul><dl><dt>t<dd>d<dt>u<dd>e</dl>'],
  [
    'a table in full',
    '<table class=x><caption>c</caption><colgroup><col><col></colgroup><thead><tr><th>a<th>b</thead><tbody><tr><td>1<td>2</table>',
  ],
  [
    'a table without a body of its own',
    '<table>\n<tr><td>a</td>\n<td><table><tr><td>n</table></td></tr>\n<tr><td>b</table>',
  ],
  ['preformatted text', '<pre>\n\n code</pre><pre>code</pre><textarea>\n&lt;</textarea>'],
  [
    'scripts, styles and what scripts replace',
    '<script>if (a < b) "</p>"; <!-- x --></script><style>a > b {}</style><noscript><p>no</noscript>',
  ],
  ['comments and declarations', 'a<!-- <p> --><?php x ?>b<!---->c'],
  [
    'character references',
    '&lt;&#60;&#x3C;&#x3c &copy; &copy 2023 &nbsp;&eacute;&frac12; a & b &; AT&T&#8211;'.replace('AT&T', 'A & T'),
  ],
  ['addresses with queries', '<a href="?a=1&b=2&amp;c=3&copy=4&lt" title=\'"\' data-x=y/z hidden>x</a>'],
  [
    'drawings',
    '<svg viewBox="0 0 1 1" class="i"><path d="M0"/><g><use href="#a"></use></g><linearGradient/></svg> after',
  ],
  [
    'names of a drawing that are not in lower case',
    '<svg baseProfile="full" zoomandpan=x><g numOctaves="2" PATHLENGTH=1></g></svg>',
  ],
  ['lists to choose from', '<select><option>a<option selected>b<optgroup label=g><option>c</optgroup></select>'],
  ['forms and buttons', '<form action=x><p><label>a<input name=a></label><button>go</button></form><form></form>'],
  ['an end tag of a paragraph alone', '<div>a</p>b</div>'],
  ['signs that begin no tag', '<p>a < b <3 <- c</p>'],
  ['attributes twice, and in capitals', '<P CLASS="A" class="b" ID=x>t</P><BR/><IMG SRC=a ALT=""/>'],
  [
    'headings, rules and unknown elements',
    '<h1 id=a>A</h1><hr><x-note kind="b">n</x-note><main><section><h2>B</h2></section></main>',
  ],
])('%s: is parsed with the same result as by the full parser', (_, body) => {
  const source = page(body);
  const tree = parseCleanHtml(source);
  expect(tree && shapeOf(tree)).toEqual(shapeOf(parseAnyHtml(source)));
});

test.each<[string, string]>([
  ['formatting that ends in another order', page('<p><b>a<i>b</b>c</i></p>')],
  ['formatting that goes on in the next paragraph', page('<p><b>a<p>b</b>')],
  ['text between the rows of a table', page('<table><tr>x<td>a</table>')],
  ['a link in a link', page('<a href=1>a<a href=2>b</a></a>')],
  ['an end tag without its start', page('<div>a</div></div>')],
  ['a second body', page('a<body class=c>')],
  ['an unknown reference', page('&thetasym; x')],
  ['a number that means another character', page('&#150;')],
  ['mathematics', page('<math><mi>x</mi></math>')],
  ['a slash that is part of a value', page('<svg><path d=a/></svg>')],
  ['what is no whole page', '<p>One</p>'],
  ['a zero byte', page('a\0b')],
  ['an end in the middle of a tag', '<html><head></head><body><p class="a'],
  ['a script that holds a script', page('<script><!-- <script></script> --></script>')],
])('%s is left to the full parser', (_, source) => {
  expect(parseCleanHtml(source)).toBeUndefined();
});

const tag = fc.constantFrom(
  ...'p div span b i a em code pre ul ol li dl dt dd h1 h2 table caption colgroup col thead tbody tr td th br hr img input form button select option optgroup section label svg path title script style noscript textarea blockquote'.split(
    ' ',
  ),
);
const attributes = fc.constantFrom(
  '',
  ' class="a b"',
  ' id=x',
  " HREF='?a=1&b=2&copy=3'",
  ' title="&lt;&amp;&copy;"',
  ' hidden',
  ' a=1 a=2',
  ' /',
  ' viewBox="0"',
);
const token = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(tag, attributes).map(([name, rest]) => `<${name}${rest}>`) },
  { weight: 4, arbitrary: tag.map((name) => `</${name}>`) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'text',
      ' ',
      '\n',
      '\r\n',
      'a & b',
      '&amp;',
      '&lt;x',
      '&copy 1',
      '&#8212;',
      '&#x41',
      '<',
      '< 3',
      '&nosuch;',
      '&',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('<!-- c -->', '<!---->', '<!-->', '<?x y?>', '<!x>', '</ >', '<!-- a --!> b -->'),
  },
);

test('randomly broken pages are parsed as by the full parser', () => {
  let read = 0;
  fc.assert(
    fc.property(
      fc.array(token, { maxLength: 24 }),
      fc.constantFrom(page, (body: string) => body),
      (tokens, frame) => {
        const source = frame(tokens.join(''));
        const tree = parseCleanHtml(source);
        if (tree === undefined) return;
        read += 1;
        expect(shapeOf(tree)).toEqual(shapeOf(parseAnyHtml(source)));
      },
    ),
    { numRuns: 3_000 },
  );
  expect(read).toBeGreaterThan(100);
});
