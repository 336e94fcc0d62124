import type { Element, ElementContent } from 'hast';
import { highlight } from '../../web/ui/highlight.ts';
import { element, textOf } from './hast.ts';

/**
 * Returns a code block with its colours as classes, so that a page needs no inline styles, and a copy button that is
 * shown once the script has loaded.
 */
export async function codeFigure(pre: Element): Promise<Element> {
  const [code] = pre.children;
  const language = code?.type === 'element' ? languageOf(code) : undefined;
  const text = textOf(pre).replace(/\n$/, '');
  const name = language === undefined ? 'Code' : `${language} code`;
  return element('div', { className: ['docs-code'] }, [
    element('div', { className: ['docs-code-bar'] }, [
      element('span', {}, [{ type: 'text', value: language ?? 'text' }]),
      element('button', { type: 'button', className: ['docs-copy'], dataCopy: '', ariaLabel: `Copy ${name}` }, [
        { type: 'text', value: 'Copy' },
      ]),
    ]),
    element('pre', { tabIndex: 0, role: 'group', ariaLabel: name }, [
      element('code', {}, await coloured(text, language)),
    ]),
  ]);
}

async function coloured(text: string, language: string | undefined): Promise<ElementContent[]> {
  const lines = language === undefined ? undefined : await highlight(text, language);
  if (lines === undefined) return [{ type: 'text', value: text }];
  return lines.flatMap((tokens, index) => [
    ...tokens.map(({ content, color }) => token(content, color)),
    ...(index < lines.length - 1 ? [{ type: 'text' as const, value: '\n' }] : []),
  ]);
}

function token(content: string, color: string | undefined): ElementContent {
  const kind = /^var\(--shiki-token-([a-z-]+)\)$/.exec(color ?? '')?.[1];
  const text = { type: 'text' as const, value: content };
  return kind === undefined ? text : element('span', { className: [`code-${kind}`] }, [text]);
}

function languageOf(code: Element): string | undefined {
  const { className } = code.properties;
  const name = Array.isArray(className) ? className.find((part) => String(part).startsWith('language-')) : undefined;
  return name === undefined ? undefined : String(name).slice('language-'.length);
}
