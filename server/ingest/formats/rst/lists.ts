import type { Block } from '../../document.ts';
import { identifiersIn } from '../identifiers.ts';
import { listItem } from '../write-markdown.ts';
import { inlineMarkdown } from './inline.ts';
import { indentOf, isEmpty, type RstState } from './state.ts';

const bullet = /^([-*+•‣⁃])(\s+|$)/;
const enumerator = /^(\(?(?:\d{1,4}|#|[a-z]|[ivx]{1,5})[.)])(\s+|$)/;
const fieldName = /^:(?![^:`]*:`)((?:[^:\\\n]|\\.|:(?=\S)){1,120}):(?=\s|$)/;
const optionStart =
  /^(?:--?|\/)[A-Za-z0-9?#][^\s,]*(?: <?[\w.-]+>?)?(?:,\s+--?[A-Za-z0-9?][^\s,]*(?: <?[\w.-]+>?)?)*(?:\s{2,}|$)/;

/** Reads any list that starts at `at`; returns the line after it, or `at` if there is none. */
export function readAnyList(state: RstState, at: number, to: number, indent: number): number {
  const text = (state.lines[at] as string).slice(indent);
  if (bullet.test(text) || isEnumerated(state, text, at)) return readItems(state, at, to, indent);
  if (text[0] === ':' && fieldName.test(text)) return readFields(state, at, to, indent);
  if ((text[0] === '-' || text[0] === '/') && isOption(state, text, at, indent))
    return readOptions(state, at, to, indent);
  return at;
}

/**
 * Returns true for an enumerated item. A letter with a full stop may be an initial, so letters count only if the next
 * line fits a list.
 */
function isEnumerated(state: RstState, text: string, at: number): boolean {
  const match = enumerator.exec(text);
  if (!match) return false;
  if (/[\d#]/.test(match[1] as string)) return true;
  const next = state.lines[at + 1] ?? '';
  return isEmpty(next) || indentOf(next) > 0 || enumerator.test(next);
}

function isOption(state: RstState, text: string, at: number, indent: number): boolean {
  const match = optionStart.exec(text);
  if (!match) return false;
  const next = state.lines[at + 1] ?? '';
  return match[0].length < text.length || (!isEmpty(next) && indentOf(next) > indent);
}

function readItems(state: RstState, from: number, to: number, indent: number): number {
  const items: string[] = [];
  const first = (state.lines[from] as string).slice(indent);
  const isOrdered = !bullet.test(first);
  let at = from;
  while (at < to) {
    const line = state.lines[at] as string;
    if (isEmpty(line)) {
      at++;
      continue;
    }
    const match = indentOf(line) === indent ? (isOrdered ? enumerator : bullet).exec(line.slice(indent)) : null;
    if (!match) break;
    const end = state.bodyEnd(at + 1, to, indent);
    const width = indent + match[0].length;
    state.lines[at] = ' '.repeat(width) + line.slice(width);
    const blocks = isEmpty(state.lines[at] as string)
      ? state.captured(at + 1, end, state.indentBetween(at + 1, end))
      : state.captured(at, end, width);
    items.push(item(isOrdered ? `${items.length + 1}. ` : '- ', blocks));
    at = end;
  }
  const isLoose = items.some((one) => one.includes('\n\n'));
  state.draft.addText('list', items.filter((one) => one.length > 3).join(isLoose ? '\n\n' : '\n'));
  return at;
}

/** Returns blocks as one list item: all lines after the first are indented by the marker's width. */
function item(marker: string, blocks: readonly Block[]): string {
  const parts = blocks.map((block, index) => {
    const isTight =
      index > 0 && block.type === 'list' && blocks[index - 1]?.type === 'paragraph' && !block.markdown.includes('\n\n');
    return `${index === 0 ? '' : isTight ? '\n' : '\n\n'}${block.markdown}`;
  });
  return listItem(marker, parts.join(''));
}

/** Fields that control a page's processing and do not describe its subject. */
const silentFields = new Set(['orphan', 'tocdepth', 'nocomments', 'nosearch', 'noindex', 'no-index', 'hidden']);

function readFields(state: RstState, from: number, to: number, indent: number): number {
  const items: string[] = [];
  let at = from;
  while (at < to) {
    const line = state.lines[at] as string;
    const match = indentOf(line) === indent ? fieldName.exec(line.slice(indent)) : null;
    if (!match) break;
    const end = state.bodyEnd(at + 1, to, indent);
    const name = (match[1] as string).trim();
    const rest = line.slice(indent + match[0].length).trim();
    const bodyIndent = end > at + 1 ? state.indentBetween(at + 1, end) : indent + 2;
    state.lines[at] = rest === '' ? '' : ' '.repeat(bodyIndent) + rest;
    const blocks = state.captured(at, end, bodyIndent);
    if (!silentFields.has(name.toLowerCase())) items.push(item('- ', labelled(fieldLabel(state, name), blocks)));
    at = end;
    while (at < to && isEmpty(state.lines[at] as string) && fieldName.test((state.lines[at + 1] ?? '').slice(indent)))
      at++;
  }
  state.draft.addText('list', items.join('\n'));
  return at;
}

/** Returns a field's label: `param int limit` → `limit` with its type; `returns` → Returns. */
function fieldLabel(state: RstState, name: string): string {
  const [kind = '', ...words] = name.split(/\s+/);
  const argument = words.pop();
  if (argument === undefined) return `**${kind.charAt(0).toUpperCase()}${kind.slice(1)}:**`;
  const type = words.length > 0 ? ` (${words.join(' ')})` : '';
  const isParameter = /^(?:param|parameter|arg|argument|key|keyword|var|ivar|cvar)$/.test(kind);
  const isType = kind === 'type' || kind === 'vartype';
  if (isParameter || isType) return `\`${argument}\`${type}:`;
  return inlineMarkdown(state, `**${name}:**`);
}

function labelled(label: string, blocks: readonly Block[]): Block[] {
  const [first, ...rest] = blocks;
  if (first?.type === 'paragraph') return [{ ...first, markdown: `${label} ${first.markdown}` }, ...rest];
  return [{ type: 'paragraph', markdown: label }, ...blocks];
}

/** Reads command-line options with their descriptions as terms. */
function readOptions(state: RstState, from: number, to: number, indent: number): number {
  let at = from;
  while (at < to) {
    const line = state.lines[at] as string;
    const match = indentOf(line) === indent ? optionStart.exec(line.slice(indent)) : null;
    if (!match) break;
    const end = state.bodyEnd(at + 1, to, indent);
    const names = match[0].trim();
    const rest = line.slice(indent + match[0].length).trim();
    const bodyIndent = end > at + 1 ? state.indentBetween(at + 1, end) : indent + 2;
    state.lines[at] = rest === '' ? '' : ' '.repeat(bodyIndent) + rest;
    state.draft.openTerm(
      `\`${names}\``,
      names.split(/,\s+/).flatMap((name) => identifiersIn(`\`${name}\``)),
    );
    state.read(state, at, end, bodyIndent);
    state.draft.closeTerm();
    at = end;
    while (at < to && isEmpty(state.lines[at] as string)) at++;
  }
  return at;
}

/** Reads terms and their indented definitions; each line directly above an indented block is a term. */
export function readDefinition(state: RstState, at: number, to: number, indent: number): number {
  const end = state.bodyEnd(at + 1, to, indent);
  const [term = '', ...classifiers] = (state.lines[at] as string).trim().split(' : ');
  const kinds = classifiers.length > 0 ? ` (${classifiers.join(', ')})` : '';
  const markdown = inlineMarkdown(state, term) + kinds;
  state.draft.openTerm(markdown, identifiersIn(markdown));
  state.read(state, at + 1, end, state.indentBetween(at + 1, end));
  state.draft.closeTerm();
  return end;
}
