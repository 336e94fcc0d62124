import type { Options as Schema } from 'rehype-sanitize';

/** What text of others may consist of; everything else is left out, most of it with its content kept. */
export const markdownSchema: Schema = {
  tagNames: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'blockquote', 'hr', 'br', 'wbr', 'pre', 'div', 'span', 'section'],
    ...['strong', 'em', 'del', 'b', 'i', 's', 'u', 'ins', 'strike', 'small', 'mark', 'q', 'cite', 'dfn', 'abbr', 'bdi'],
    ...['code', 'kbd', 'samp', 'var', 'tt', 'sub', 'sup', 'time', 'ruby', 'rt', 'rp', 'a', 'img', 'input'],
    ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'details', 'summary', 'figure', 'figcaption'],
    ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ],
  attributes: {
    '*': ['id', 'title', 'dir', 'lang'],
    a: ['href', 'dataFootnoteRef', 'dataFootnoteBackref', 'ariaLabel', 'ariaDescribedBy'],
    code: [['className', /^language-[\w+#.-]{1,40}$/]],
    details: ['open'],
    h2: [['className', 'sr-only']],
    img: ['src', 'alt'],
    input: [['type', 'checkbox'], ['disabled', true], 'checked'],
    li: [['className', 'task-list-item']],
    ol: ['start', 'reversed'],
    section: ['dataFootnotes', ['className', 'footnotes']],
    td: ['align', 'colSpan', 'rowSpan'],
    th: ['align', 'colSpan', 'rowSpan', 'scope'],
    time: ['dateTime'],
    ul: [['className', 'contains-task-list']],
  },
  protocols: { href: ['http', 'https', 'mailto'], src: ['http', 'https'] },
  ancestors: {
    ...Object.fromEntries(['thead', 'tbody', 'tfoot', 'tr', 'td', 'th', 'caption'].map((tag) => [tag, ['table']])),
    ...Object.fromEntries(['li'].map((tag) => [tag, ['ul', 'ol']])),
    ...Object.fromEntries(['dt', 'dd'].map((tag) => [tag, ['dl']])),
  },
  // A box that can be ticked means nothing here, and a field asks for something.
  required: { input: { type: 'checkbox', disabled: true } },
  clobber: ['id', 'ariaDescribedBy', 'ariaLabelledBy', 'name'],
  strip: ['script', 'style', 'template', 'svg', 'math', 'iframe', 'noscript', 'noembed', 'noframes', 'object', 'title'],
};
