import { Component, type ComponentProps, memo, type ReactNode, useId, useMemo } from 'react';
import ReactMarkdown, { type Components, type Options } from 'react-markdown';
import rehypeRaw from 'rehype-raw';
import rehypeSanitize, { type Options as Schema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from './code-block.tsx';
import { finishMarkdown } from './markdown-finish.ts';
import { isTooIntricate, splitMarkdown } from './markdown-parts.ts';

/** What text of others may consist of; everything else is left out, most of it with its content kept. */
const markdownSchema: Schema = {
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
  protocols: { href: ['http', 'https', 'mailto', 'folder', 'pdf'], src: ['http', 'https'] },
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

interface MarkdownProps {
  text: string;
  /** Address of the page the text is from: what its relative links are relative to. */
  baseUrl?: string | undefined;
  /** Where a link leads instead, for links that stay in the product; undefined leaves it as it is. Must not change. */
  linkTo?: ((url: string) => string | undefined) | undefined;
  /** What `#` becomes, 1 to 6; deeper headings follow. */
  headingLevel?: number;
  /** Change the tree when it has been sanitised: what they add must be safe by itself. Must not change. */
  plugins?: NonNullable<Options['rehypePlugins']> | undefined;
  /** Stand for elements that those plugins make. Must not change. */
  parts?: Components | undefined;
}

const noPlugins: NonNullable<Options['rehypePlugins']> = [];

/**
 * Markdown that others wrote (documentation, answers of a model), at any moment of its coming: always sanitised, nothing
 * loaded from elsewhere, links open outside, ids with a prefix of their own. Pure in its properties; text that grows is
 * only read again from its last block on. The one way in which such text gets into a page.
 */
export function Markdown({ text, baseUrl, linkTo, headingLevel = 1, plugins, parts }: MarkdownProps) {
  const blocks = useMemo(() => splitMarkdown(withVisibleControls(text)), [text]);
  return (
    <div className="prose">
      {blocks.map((block, at) => (
        // Blocks are only ever added, and the last one grows: its place is what a block is known by.
        <PlainOnFault key={at} text={block}>
          <MarkdownBlock text={block} {...{ baseUrl, linkTo, headingLevel, plugins, parts }} />
        </PlainOnFault>
      ))}
    </div>
  );
}

const MarkdownBlock = memo(function MarkdownBlock(props: MarkdownProps) {
  const { text, baseUrl, linkTo, headingLevel = 1, plugins = noPlugins, parts } = props;
  const shown = useMemo(() => ({ ...components, ...parts }), [parts]);
  const idPrefix = `text${useId()}-`;
  const rehypePlugins = useMemo<Options['rehypePlugins']>(
    () => [
      rehypeRaw,
      [rehypeSanitize, { ...markdownSchema, clobberPrefix: idPrefix }],
      ...plugins,
      [finishMarkdown, { baseUrl, linkTo, headingLevel, idPrefix }],
    ],
    [baseUrl, linkTo, headingLevel, idPrefix, plugins],
  );
  if (isTooIntricate(text)) return <Plain text={text} />;
  return (
    <ReactMarkdown
      remarkPlugins={remarkPlugins}
      remarkRehypeOptions={remarkRehypeOptions}
      rehypePlugins={rehypePlugins}
      components={shown}
      // The sanitiser has seen to the addresses, and the finish to those it made itself.
      urlTransform={unchanged}
    >
      {text}
    </ReactMarkdown>
  );
});

function Plain({ text }: { text: string }) {
  return <p className="whitespace-pre-wrap">{text}</p>;
}

/** Text that breaks the parser is shown as it is written; text that grows is tried again. */
class PlainOnFault extends Component<{ text: string; children: ReactNode }, { failed?: string }> {
  override state: { failed?: string } = {};

  override componentDidCatch(): void {
    this.setState({ failed: this.props.text });
  }

  override render() {
    return this.state.failed === this.props.text ? <Plain text={this.props.text} /> : this.props.children;
  }
}

const remarkPlugins: Options['remarkPlugins'] = [remarkGfm];
/** The sanitiser puts the prefix in front of all ids, those of footnotes too. */
const remarkRehypeOptions = { clobberPrefix: '' };
const unchanged = (url: string) => url;

const components: Components = {
  input: ({ checked }) => (
    <input type="checkbox" checked={checked === true} disabled readOnly aria-label={checked ? 'Done' : 'To do'} />
  ),
  table: ({ children }) => (
    <div className="prose-table" tabIndex={0} role="group" aria-label="Table">
      <table>{children}</table>
    </div>
  ),
  td: ({ node: _, style: __, ...cell }) => <td {...cell} data-align={alignOf(__)} />,
  th: ({ node: _, style: __, ...cell }) => <th {...cell} data-align={alignOf(__)} />,
  pre: ({ node, children }) => {
    const code = node?.children[0];
    if (code?.type !== 'element' || code.tagName !== 'code') return <pre tabIndex={0}>{children}</pre>;
    const text = code.children.map((child) => (child.type === 'text' ? child.value : '')).join('');
    return <CodeBlock code={text.replace(/\n$/, '')} language={languageOf(code.properties.className)} />;
  },
};

/** An attribute, since pages written at build time carry no styles of their own. */
function alignOf(style: ComponentProps<'td'>['style']): string | undefined {
  return style?.textAlign === 'center' || style?.textAlign === 'right' ? style.textAlign : undefined;
}

function languageOf(className: unknown): string | undefined {
  if (!Array.isArray(className)) return undefined;
  const name = className.find((part) => typeof part === 'string' && part.startsWith('language-'));
  return typeof name === 'string' ? name.slice('language-'.length).toLowerCase() : undefined;
}

const isSuspicious = /(?![\t\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
const control = /(?![\t\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Text in which characters that would act unseen (reorder the line, control a terminal) are written out as `⟨U+202E⟩`. */
function withVisibleControls(text: string): string {
  if (!isSuspicious.test(text)) return text;
  return text.replace(control, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}
