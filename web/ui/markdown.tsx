import { Component, type ComponentProps, memo, type ReactNode, useId, useMemo } from 'react';
import ReactMarkdown, { type Components, type Options } from 'react-markdown';
import rehypeRaw from 'rehype-raw';
import rehypeSanitize, { type Options as Schema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from './code-block.tsx';
import { finishMarkdown } from './markdown-finish.ts';
import { isTooIntricate, splitMarkdown } from './markdown-parts.ts';

/** The elements allowed in third-party text; all others are removed, most of them with their content kept. */
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
  // Turns all inputs into disabled checkboxes: tickable boxes and text fields have no meaning here.
  required: { input: { type: 'checkbox', disabled: true } },
  clobber: ['id', 'ariaDescribedBy', 'ariaLabelledBy', 'name'],
  strip: ['script', 'style', 'template', 'svg', 'math', 'iframe', 'noscript', 'noembed', 'noframes', 'object', 'title'],
};

interface MarkdownProps {
  text: string;
  /** Address of the text's page, the base of relative links. */
  baseUrl?: string | undefined;
  /**
   * Returns a replacement address for links that stay in the product, or undefined to keep the link. Must be stable
   * across renders.
   */
  linkTo?: ((url: string) => string | undefined) | undefined;
  /** Level of a `#` heading, 1 to 6; deeper headings follow. */
  headingLevel?: number;
  /** Plugins that run after the sanitiser: their output must be safe. Must be stable across renders. */
  plugins?: NonNullable<Options['rehypePlugins']> | undefined;
  /** Components for elements that those plugins create. Must be stable across renders. */
  parts?: Components | undefined;
}

const noPlugins: NonNullable<Options['rehypePlugins']> = [];

/**
 * Renders third-party Markdown (documentation, model answers), complete or still growing: always sanitised, nothing
 * loaded from other sites, links open in a new tab, ids are prefixed. Pure in its props; growing text is parsed again
 * only from its last block. All third-party text must be rendered through it.
 */
export function Markdown({ text, baseUrl, linkTo, headingLevel = 1, plugins, parts }: MarkdownProps) {
  const blocks = useMemo(() => splitMarkdown(withVisibleControls(text)), [text]);
  return (
    <div className="prose">
      {blocks.map((block, at) => (
        // Blocks are only appended, and only the last one grows, so the index is a stable key.
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
      // The sanitiser has checked the addresses, and `finishMarkdown` those that it created.
      urlTransform={unchanged}
    >
      {text}
    </ReactMarkdown>
  );
});

function Plain({ text }: { text: string }) {
  return <p className="whitespace-pre-wrap">{text}</p>;
}

/** Shows text that breaks the parser as plain text, and retries when the text grows. */
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
/** The sanitiser already prefixes all ids, including footnotes. */
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

/** Returns the alignment for an attribute, since prerendered pages contain no inline styles. */
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

/**
 * Replaces invisible control characters (which reorder the line or control a terminal) by their code, such as
 * `⟨U+202E⟩`.
 */
function withVisibleControls(text: string): string {
  if (!isSuspicious.test(text)) return text;
  return text.replace(control, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}
