import type { ExtractedDocument } from '../../document.ts';
import { ParseError } from '../../parse/parse-error.ts';
import { plainText } from '../../split/plain-inline.ts';
import { Draft } from '../draft.ts';
import { extractMarkdown } from '../markdown/extract-markdown.ts';
import { type Fields, fieldsOf, isFields, listOf, parseJson, textOf } from '../parsed-data.ts';
import { oneLine } from '../write-markdown.ts';

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
  draft.title = textOf(metadata.title);
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
  const markdown = oneLine(source);
  const depth = level >= 1 && level <= 6 ? level : 1;
  draft.addHeading(markdown, depth, notebookAnchor(markdown));
}

/** Anchors as notebook viewers make them: the text with hyphens for spaces. */
function notebookAnchor(markdown: string): string {
  return plainText(markdown).trim().replace(/\s+/g, '-');
}

/** Outputs show what the code does; beyond this they are data. */
const linesMax = 30;
const charsMax = 2000;

/** What the outputs of a cell say as text, cut to their start: printed lines, values, the name and message of an error. */
function outputText(outputs: readonly unknown[]): string {
  const parts: string[] = [];
  let chars = 0;
  for (const output of outputs) {
    if (chars > charsMax) break;
    const part = textOfOutput(output);
    if (part.trim() === '') continue;
    parts.push(part.slice(0, 4 * charsMax).replace(/\n$/, ''));
    chars += part.length;
  }
  return shortened(clean(parts.join('\n')));
}

function textOfOutput(value: unknown): string {
  const output = fieldsOf(value);
  switch (output.output_type) {
    case 'stream':
      // Progress bars and warnings of libraries go there.
      return (output.name ?? output.stream) === 'stderr' ? '' : joined(output.text);
    case 'execute_result':
    case 'display_data':
    case 'pyout': {
      const text = joined(fieldsOf(output.data)['text/plain'] ?? output.text);
      // Objects that only say where they are in memory, and what stands for a picture.
      return /^<[^<>]*>$/.test(text.trim()) ? '' : text;
    }
    case 'error':
    case 'pyerr':
      return `${textOf(output.ename)}: ${textOf(output.evalue)}`;
    default:
      return '';
  }
}

function joined(value: unknown): string {
  return Array.isArray(value) ? listOf(value).map(textOf).join('') : textOf(value);
}

/** Without terminal colours, and with a line that was written over as it stood last. */
function clean(text: string): string {
  const escape = String.fromCharCode(27);
  const plain = text.includes(escape)
    ? text.replaceAll(new RegExp(`${escape}\\[[0-9;?]{0,20}[A-Za-z]`, 'g'), '')
    : text;
  return plain
    .split(/\r?\n/)
    .map((line) => line.slice(line.lastIndexOf('\r') + 1).trimEnd())
    .join('\n')
    .trimEnd();
}

function shortened(text: string): string {
  const lines = text.slice(0, charsMax).split('\n');
  const isCut = text.length > charsMax || lines.length > linesMax;
  return isCut ? `${lines.slice(0, linesMax).join('\n')}\n…` : text;
}
