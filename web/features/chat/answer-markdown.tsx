import { type ComponentProps, createContext, useContext, useMemo } from 'react';
import type { ChatCitation } from '#contract/chat.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { CitationChip } from './citation-chip.tsx';

const Citations = createContext<readonly ChatCitation[]>([]);

/** An answer's text, complete or still arriving, with its citations as chips. */
export function AnswerMarkdown({ text, citations }: { text: string; citations: readonly ChatCitation[] }) {
  const plugins = useMemo(() => [answerTree(citations)], [citations]);
  return (
    <Citations value={citations}>
      <Markdown text={text} plugins={plugins} parts={parts} />
    </Citations>
  );
}

interface MarkProps extends ComponentProps<'sup'> {
  'data-citation'?: number | string;
}

function Mark({ 'data-citation': number, children }: MarkProps) {
  const citation = useContext(Citations).find((known) => known.number === Number(number));
  if (number === undefined || citation === undefined) return <sup>{children}</sup>;
  return <CitationChip citation={citation} />;
}

const parts = { sup: Mark };

/** The fields of a tree node that are used here. */
interface TreeNode {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: TreeNode[];
}

/** Numbers in these elements are not citations: an array index, or a footnote. */
const untouched = new Set(['code', 'pre', 'a', 'sup']);

/**
 * Changes the sanitised tree of an answer: passage numbers become `sup` elements with `dataCitation`, which a component
 * renders; only links to cited passages are kept, all other links and all images become text. A model's output is
 * untrusted, because the model has read third-party text.
 */
function answerTree(citations: readonly ChatCitation[]) {
  const numbers = new Set(citations.map(({ number }) => number));
  const byAddress = new Map(citations.map(({ url, number }) => [url, number]));
  const change = (node: TreeNode, isQuiet: boolean): TreeNode[] => {
    if (node.type === 'text') return isQuiet ? [node] : withMarks(node.value ?? '', numbers);
    if (node.type !== 'element') return [];
    if (node.tagName === 'img') return [textNode(pictureWords(node))];
    const inside = isQuiet || untouched.has(node.tagName ?? '');
    const children = (node.children ?? []).flatMap((child) => change(child, inside));
    if (node.tagName !== 'a') return [{ ...node, children }];
    const href = typeof node.properties?.['href'] === 'string' ? node.properties['href'] : '';
    const number = byAddress.get(href);
    if (number !== undefined) return [...children, markNode(number)];
    const words = wordsOf(children);
    return href === '' || href.startsWith('#') || words.includes(href)
      ? children
      : [...children, textNode(` (${href})`)];
  };
  return () => (tree: TreeNode) => {
    tree.children = (tree.children ?? []).flatMap((child) => change(child, false));
  };
}

function withMarks(text: string, numbers: ReadonlySet<number>): TreeNode[] {
  return text.split(/(\[\d{1,3}\])/).flatMap((part) => {
    const number = Number(/^\[(\d{1,3})\]$/.exec(part)?.[1] ?? Number.NaN);
    if (numbers.has(number)) return [markNode(number)];
    return part === '' ? [] : [textNode(part)];
  });
}

function markNode(number: number): TreeNode {
  return { type: 'element', tagName: 'sup', properties: { dataCitation: number }, children: [textNode(`${number}`)] };
}

function textNode(value: string): TreeNode {
  return { type: 'text', value };
}

function pictureWords({ properties }: TreeNode): string {
  const alt = properties?.['alt'];
  return typeof alt === 'string' && alt !== '' ? `(picture: ${alt})` : '(picture)';
}

function wordsOf(nodes: TreeNode[]): string {
  return nodes.map(({ value = '', children = [] }) => value + wordsOf(children)).join('');
}
