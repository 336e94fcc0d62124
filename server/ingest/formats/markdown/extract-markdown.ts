import type { ExtractedDocument } from '../../document.ts';
import { Draft, titleFromUrl } from '../draft.ts';
import { readFrontMatter } from '../front-matter.ts';
import { fieldsOf, listOf, parseData, textOf } from '../parsed-data.ts';
import { codeSpan, escapeMarkdown, missingFile } from '../write-markdown.ts';
import { containerMark, isMdxComment } from './block-starts.ts';
import { fenceCapturedCode, fenceTabCode } from './captured-code.ts';
import { withoutDoccSettings } from './docc.ts';
import { withoutDocfxMarks } from './docfx.ts';
import { emitHeading, emitPendingLabel, emitText } from './emit.ts';
import { hasNoteLinks, normalLabel } from './inline.ts';
import { atxHeading, fenceStart, indentOf, isBlank, isThematicBreak, listMarker } from './lines.ts';
import { readFence, readIndentedCode } from './read-code.ts';
import { isModuleCode, readContainer, readGeneratedApi, readHighlight, skipModuleCode } from './read-container.ts';
import { colonDirective } from './read-directive.ts';
import { readHtml } from './read-html.ts';
import { readList, readQuote } from './read-list.ts';
import { isGridStart, isTableStart, readGridTable, readTable } from './read-table.ts';
import { readParagraph } from './read-text.ts';
import { Scanner } from './scanner.ts';
import { separateShortcodes } from './shortcodes.ts';

/**
 * Extracts Markdown (GFM and extensions of site generators) or MDX. Works block by block in linear time; code is kept
 * verbatim, links are resolved against `url`, HTML and components are reduced to their text.
 */
export function extractMarkdown(text: string, page: { url: string; isMdx?: boolean }): ExtractedDocument {
  const written = withoutDoccSettings(withoutDocfxMarks(text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)));
  const isShortcoded = /\{\{[<%]|^ {0,3}\{%-?[^{}%]*$|\{%-?\s*(?:comment|set|capture)\b/m.test(text);
  const lines = isShortcoded ? separateShortcodes(fenceTabCode(fenceCapturedCode(written))) : written;
  const front = readFrontMatter(lines);
  const draft = new Draft(page.url);
  draft.title = front.title ?? '';
  addHomePage(draft, lines.slice(0, front.bodyStart), page.url);
  if (front.description !== undefined && !isRepeated(front.description, text))
    draft.addText('paragraph', escapeMarkdown(front.description));
  if (front.operation !== undefined) draft.addText('paragraph', codeSpan(front.operation));
  const context = {
    draft,
    references: linkDefinitions(lines),
    isMdx: page.isMdx ?? false,
    hasSettings: front.bodyStart > 0,
    hasNoteLinks: hasNoteLinks(text),
  };
  const scanner = new Scanner(lines, context, readBlocks);
  scanner.at = front.bodyStart;
  readBlocks(scanner);
  const document = draft.finish();
  const title = front.title === undefined ? titleOfMany(document, page.url) : undefined;
  return { ...document, title: title ?? document.title, isNoindex: front.isNoindex };
}

/** Returns true if the text contains the description again after the front matter. */
function isRepeated(description: string, text: string): boolean {
  const beginning = description.slice(0, 40);
  return text.indexOf(beginning) !== text.lastIndexOf(beginning);
}

/** File names that do not describe the content. */
const commonNames = /^(?:\W*\d*|readme|index|home|main|overview|summary)$/i;

/**
 * Returns the file's name as the title if the first heading is one of many similar ones, such as a change log's
 * releases.
 */
function titleOfMany({ title, blocks }: ExtractedDocument, url: string): string | undefined {
  const tops = blocks.filter(({ type, depth }) => type === 'heading' && depth === 1);
  if (tops.length < 3) return undefined;
  const name = titleFromUrl(url);
  const heading = title.toLowerCase();
  const isSaid = name.split(/\W+/).some((word) => word.length > 2 && heading.includes(word.toLowerCase()));
  return isSaid || commonNames.test(name) ? undefined : name;
}

/** Reads Markdown in parts into one document, with other blocks between them. */
export function openMarkdown(url: string): { draft: Draft; read(text: string): void; anchorOf(title: string): string } {
  const draft = new Draft(url);
  const scanner = new Scanner([], { draft, references: new Map(), isMdx: false }, readBlocks);
  return {
    draft,
    read: (text) => scanner.readInside(text.split('\n')),
    anchorOf: (title) => scanner.page.slugs.next(title),
  };
}

function readBlocks(scanner: Scanner): void {
  while (!scanner.isAtEnd) {
    scanner.settle();
    readBlock(scanner, scanner.line(scanner.at) ?? '');
  }
  emitPendingLabel(scanner);
}

/**
 * Lines without visible text: the source of code (`<?code-excerpt …?>`), MyST's block labels and cell breaks, MkDocs
 * anchors, the position of a table of contents, Pandoc table attributes, kramdown settings, Obsidian comments.
 */
const silentLine =
  /^<\?code-excerpt\s[^<>]*\?>\s*$|^:\s+\{[^{}]*\}\s*$|^\{::\w[^{}]*\}\s*$|^\([\w.:/ -]{1,200}\)=\s*$|^\+\+\+(?:\s*\{.*\})?\s*$|^\[\]\([^()]*\)\{[^{}]*\}\s*$|^%%(?=[^%]*\s)[^%]*%%\s*$|^(?:\[toc\]|\[\[_?toc_?\]\])\s*$/i;

/** An mdBook or VitePress include whose file was not found. */
const missingInclude =
  /^\s*(?:\{\{\s*#(?:rustdoc_include|include|playground)\s+([^\s{}:]+)(?:[\s:][^{}]*)?\}\}|<!--\s*@include:\s*([^\s{}#]+?)(?:[\s{}#][^<>]*)?-->)\s*$/;

function readBlock(scanner: Scanner, line: string): void {
  if (isBlank(line)) {
    scanner.at++;
    return;
  }
  const first = line.trimStart()[0] as string;
  const fence = first === '`' || first === '~' ? fenceStart(line) : undefined;
  if (fence && (scanner.isMdx || fence.indent < 4)) return readFence(scanner, fence);
  if (!scanner.isMdx && indentOf(line) >= 4) return readIndentedCode(scanner);
  const heading = first === '#' ? atxHeading(line) : undefined;
  if (heading) {
    scanner.at++;
    return emitHeading(scanner, heading.depth, heading.text);
  }
  if (first === '>') return readQuote(scanner);
  if (isThematicBreak(line)) {
    scanner.at++;
    return;
  }
  const marker = listMarker(line);
  if (marker) return readList(scanner, marker);
  if ('([+:{<%'.includes(first) && silentLine.test(line)) {
    scanner.at++;
    return;
  }
  const file = missingInclude.exec(line)?.slice(1).find(Boolean);
  if (file !== undefined) {
    scanner.at++;
    return emitText(scanner, 'paragraph', missingFile(file));
  }
  const directive = first === ':' ? colonDirective(line) : undefined;
  if (directive) return readFence(scanner, directive);
  if ((first === '{' && readHighlight(scanner, line)) || (first === ':' && readGeneratedApi(scanner, line))) return;
  if (first === '{' && isMdxComment(line)) {
    const end = scanner.find('*/}', scanner.at);
    if (end >= 0) {
      scanner.at = end + 1;
      return;
    }
  }
  const container = ':!?={'.includes(first) ? containerMark(line) : undefined;
  if (container) return readContainer(scanner, container);
  if (first === '<' && readHtml(scanner, line)) return;
  if (first === '[' && isLinkDefinition(line)) {
    scanner.at++;
    return;
  }
  if (isModuleCode(scanner, line)) return skipModuleCode(scanner);
  if (isTableStart(scanner, scanner.at, line)) return readTable(scanner);
  if (first === '+' && isGridStart(scanner, line)) return readGridTable(scanner);
  readParagraph(scanner);
}

const definition = /^ {0,12}\[([^[\]\\^]{1,200})\]:\s*(?:<([^<>]*)>|(\S+))/;

/** Returns a page's link definitions (`[label]: target`); the first of equal labels wins. */
function linkDefinitions(lines: readonly string[]): Map<string, string> {
  const references = new Map<string, string>();
  for (const line of lines) {
    const match = isDefinitionLike(line) ? definition.exec(line) : null;
    if (!match) continue;
    const label = normalLabel(match[1] as string);
    if (!references.has(label)) references.set(label, match[2] ?? match[3] ?? '');
  }
  return references;
}

function isLinkDefinition(line: string): boolean {
  return isDefinitionLike(line) && definition.test(line);
}

function isDefinitionLike(line: string): boolean {
  return line.includes(']:') && line.trimStart().startsWith('[');
}

const settings = /^(?:hero|heroText|tagline|features):/;

/**
 * Adds the text that a home page takes from its front matter: name, tagline and features, as in VitePress, VuePress and
 * Starlight.
 */
function addHomePage(draft: Draft, front: readonly string[], url: string): void {
  if (front[0]?.trimEnd() !== '---' || !front.some((line) => settings.test(line))) return;
  const fields = fieldsOf(parseData(front.slice(1, -1).join('\n'), url));
  const hero = fieldsOf(fields.hero);
  const name = [hero.name, hero.title, fields.heroText].map(textOf).find(Boolean) ?? '';
  draft.title ||= name;
  const paragraphs = [
    [name, hero.text],
    [hero.tagline ?? fields.tagline],
    ...listOf(fields.features).map((feature) => {
      const { title, details } = fieldsOf(feature);
      return [title, details];
    }),
  ];
  for (const parts of paragraphs) {
    const text = parts
      .map((part) => textOf(part).replace(/\s+/g, ' ').trim())
      .filter(Boolean)
      .join(': ');
    draft.addText('paragraph', escapeMarkdown(text));
  }
}
