import type { Block, ExtractedDocument } from '../../document.ts';
import { ParseError } from '../../parse/parse-error.ts';
import { plainText } from '../../split/plain-inline.ts';
import { Draft, titleFromUrl } from '../draft.ts';
import { identifiersIn } from '../identifiers.ts';
import { extractMarkdown } from '../markdown/extract-markdown.ts';
import { type Fields, fieldsOf, isFields, listOf, parseJson, textOf } from '../parsed-data.ts';
import { outputText } from './output-text.ts';

/** Cells that their author takes out of the published page. */
const hiddenTags = new Set(['remove-cell', 'remove_cell', 'hide-cell', 'hide']);
const hiddenInputTags = new Set(['remove-input', 'remove_input', 'hide-input']);
const hiddenOutputTags = new Set(['remove-output', 'remove_output', 'hide-output']);

/**
 * Reads a Jupyter notebook of format 3 or 4: its Markdown, its code in the language of the kernel, and the start of each text
 * output. Pictures and HTML outputs are left out. Throws `ParseError` when the file is no notebook.
 */
export function extractNotebook(text: string, page: { url: string }): ExtractedDocument {
  const root = parseJson(text);
  if (!isFields(root)) throw new ParseError('parse-failed', `${page.url} is no notebook: its JSON is damaged.`);
  const cells = Array.isArray(root.cells)
    ? root.cells
    : listOf(root.worksheets).flatMap((sheet) => listOf(fieldsOf(sheet).cells));
  const metadata = fieldsOf(root.metadata);
  const draft = new Draft(page.url);
  const language = languageOf(metadata);
  for (const cell of cells) if (isFields(cell)) readCell(draft, cell, language, page.url);
  draft.title = textOf(metadata.title) || titleOf(draft.blocks) || titleFromUrl(page.url);
  return draft.finish();
}

function readCell(draft: Draft, cell: Fields, language: string, url: string): void {
  const tags = new Set(listOf(fieldsOf(cell.metadata).tags).map(textOf));
  if (isTagged(tags, hiddenTags)) return;
  const source = sourceOf(cell.source ?? cell.input);
  if (cell.cell_type === 'markdown') addMarkdown(draft, source, url);
  else if (cell.cell_type === 'heading') addHeading(draft, source, Number(cell.level));
  else if (cell.cell_type === 'code') {
    const code = source.replace(/\s+$/, '');
    if (code.trim() !== '' && !isTagged(tags, hiddenInputTags))
      draft.addCode(code, cellLanguage(code) ?? (textOf(cell.language).toLowerCase() || language));
    const output = isTagged(tags, hiddenOutputTags) ? '' : outputText(listOf(cell.outputs));
    if (output !== '') draft.addCode(output, 'text');
  }
}

function isTagged(tags: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean {
  for (const tag of tags) if (wanted.has(tag)) return true;
  return false;
}

/** Text of a cell: one string, or its lines. */
function sourceOf(value: unknown): string {
  return Array.isArray(value) ? value.map(textOf).join('') : textOf(value);
}

function languageOf(metadata: Fields): string {
  const info = fieldsOf(metadata.language_info);
  const kernel = fieldsOf(metadata.kernelspec);
  const name = (textOf(info.name) || textOf(kernel.language)).toLowerCase();
  return name === 'ipython' ? 'python' : /^[\w+#.-]{1,30}$/.test(name) ? name : '';
}

/** Cells may be in another language than their notebook: `%%bash` on the first line. */
function cellLanguage(code: string): string | undefined {
  const magic = /^%%(bash|sh|script|html|javascript|js|latex|perl|ruby|sql|R|markdown)\b/.exec(code)?.[1];
  return magic?.toLowerCase();
}

function addMarkdown(draft: Draft, source: string, url: string): void {
  const part = extractMarkdown(source, { url });
  for (const block of part.blocks)
    draft.add(block.type === 'heading' ? { ...block, anchor: notebookAnchor(block.markdown) } : block);
  for (const link of part.links) draft.addLink(link.url, link.text);
}

function addHeading(draft: Draft, source: string, level: number): void {
  const markdown = source.replace(/\s+/g, ' ').trim();
  const depth = level >= 1 && level <= 6 ? level : 1;
  const identifiers = identifiersIn(markdown);
  draft.add({
    type: 'heading',
    markdown,
    depth,
    anchor: notebookAnchor(markdown),
    ...(identifiers.length > 0 ? { identifiers } : {}),
  });
}

/** Anchors as notebook viewers make them: the text with hyphens for spaces. */
function notebookAnchor(markdown: string): string {
  return plainText(markdown).trim().replace(/\s+/g, '-');
}

function titleOf(blocks: readonly Block[]): string {
  const heading = blocks.find((block) => block.type === 'heading');
  return heading ? plainText(heading.markdown) : '';
}
