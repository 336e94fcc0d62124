import type { ComponentProps } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from './code-block.tsx';

/**
 * Markdown from documentation that others wrote: sanitised, nothing loaded from elsewhere (an image becomes a link to it),
 * headings kept below the headings of the page.
 */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="prose">
      <ReactMarkdown remarkPlugins={[remarkGfm]} rehypePlugins={[rehypeSanitize]} components={components}>
        {text}
      </ReactMarkdown>
    </div>
  );
}

function Heading({ children }: ComponentProps<'h1'>) {
  return <h3 className="prose-heading">{children}</h3>;
}

const components: Components = {
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
  a: ({ href, children }) =>
    href === undefined || href.startsWith('#') ? (
      <span>{children}</span>
    ) : (
      <a href={href} target="_blank" rel="noreferrer">
        {children}
      </a>
    ),
  img: ({ src, alt }) =>
    typeof src === 'string' ? (
      <a href={src} target="_blank" rel="noreferrer">
        {alt ? `Image: ${alt}` : 'Image'}
      </a>
    ) : null,
  input: ({ checked }) => <span>{checked ? '☑' : '☐'}</span>,
  table: ({ children }) => (
    <div className="prose-table" tabIndex={0} role="group" aria-label="Table">
      <table>{children}</table>
    </div>
  ),
  pre: ({ node, children }) => {
    const code = node?.children[0];
    if (code?.type !== 'element' || code.tagName !== 'code') return <pre>{children}</pre>;
    const text = code.children.map((child) => (child.type === 'text' ? child.value : '')).join('');
    return <CodeBlock code={text.replace(/\n$/, '')} language={languageOf(code.properties.className)} />;
  },
};

function languageOf(className: unknown): string | undefined {
  if (!Array.isArray(className)) return undefined;
  const name = className.find((part) => typeof part === 'string' && part.startsWith('language-'));
  return typeof name === 'string' ? name.slice('language-'.length) : undefined;
}
