import type { Snippet } from '../../engine/types.ts';
import type { Block } from '../document.ts';
import { splitDocument } from '../split/index.ts';
import { plainText } from '../split/plain-inline.ts';
import { detectLanguage } from './language.ts';
import { layOut } from './layout.ts';
import { looksLikePdf } from './looks-like-pdf.ts';
import { pageAnchor } from './page-text.ts';
import { PdfError } from './pdf-error.ts';
import { readPdf } from './read-pdf.ts';

/** A document with fewer characters per page consists of scanned text. */
const charactersPerPageMin = 2;

/** The parts of a PDF that the index needs. */
export interface ParsedPdf {
  title: string;
  language: string | undefined;
  /** Number of pages in the file. */
  pageCount: number;
  /** Number of pages read, excluding images without text. */
  indexedPages: number;
  snippets: Snippet[];
}

export interface ParsePdfOptions {
  /** The file's address, without fragment. */
  url: string;
  /** Fallback for the title. */
  fileName: string;
  pagesMax: number;
}

/**
 * Converts a PDF to snippets, each linked to the page it starts on (`page=12`). Consumes the bytes. Throws `PdfError`.
 * Runs on one thread without time or memory limits, so call it only in a dedicated process.
 */
export async function parsePdf(
  bytes: Uint8Array<ArrayBuffer>,
  options: ParsePdfOptions,
  onPage: (page: number, pages: number) => void,
): Promise<ParsedPdf> {
  if (bytes.byteLength === 0) throw new PdfError('pdf-empty', 'The file is empty.');
  if (!looksLikePdf(bytes)) throw new PdfError('pdf-not-pdf', 'The file is not a PDF.');
  const { title, language, pageCount, outline, pages, pictures } = await readPdf(bytes, {
    pagesMax: options.pagesMax,
    onPage,
  });
  const indexedPages = pages.length - pictures.length;
  const blocks = layOut(pages, outline);
  const text = blocks.map((block) => block.markdown).join('\n');
  if (text.replace(/\s/g, '').length < Math.max(1, Math.min(20, pages.length) * charactersPerPageMin)) {
    throw new PdfError(
      'pdf-no-text',
      'There is no text in the file: its pages are images, such as scans. Run text recognition (OCR) on it and upload the result.',
    );
  }
  blocks.push(...missingPages(pictures));
  const documentTitle = titleOf(title, blocks, options.fileName);
  const document = { title: documentTitle, isNoindex: false, blocks, links: [] };
  const snippets = splitDocument(document, { url: options.url, title: documentTitle });
  return { title: documentTitle, language: language ?? detectLanguage(text), pageCount, indexedPages, snippets };
}

const missingPagesShown = 40;

/**
 * Returns a note that lists the scanned pages of a file that also has text, so that readers know the text is
 * incomplete.
 */
function missingPages(pictures: readonly number[]): Block[] {
  const [first] = pictures;
  if (first === undefined) return [];
  const shown = pictures.slice(0, missingPagesShown).join(', ');
  const more = pictures.length > missingPagesShown ? ` and ${pictures.length - missingPagesShown} more` : '';
  const markdown = `Pages without text, such as scans: ${shown}${more}.`;
  return [{ type: 'paragraph', markdown, anchor: pageAnchor(first) }];
}

const titleCharsMax = 200;
/** Titles that programs write when the author gave none. */
const noTitle =
  /^(?:untitled|\((?:anonymous|unspecified)\)|document\d*|microsoft word\b.*|slide \d+|.*\.(?:docx?|dvi|tex|texi|indd|pptx?|rtf|html?|pdf|fm|qxd|xml))$/i;

/**
 * Returns a document's title: the declared one, or the first heading that contains a word of the file name, or the
 * first heading, or the file name.
 */
function titleOf(said: string | undefined, blocks: readonly Block[], fileName: string): string {
  const own = clean(said ?? '');
  if (own !== '' && !noTitle.test(own)) return own;
  const headings = blocks
    .slice(0, 40)
    .flatMap(({ type, markdown }) => (type === 'heading' ? clean(plainText(markdown)) : []))
    .filter((heading) => heading !== '');
  const name = fileName.replace(/\.pdf$/i, '');
  const words = name.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  // A cover may start with the name of a series or a slogan.
  const named = headings.slice(0, 3).find((heading) => words.some((word) => heading.toLowerCase().includes(word)));
  return named ?? headings[0] ?? (clean(name) || 'PDF');
}

/** Returns the text on one line, without characters that hide or reorder text. */
function clean(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .replace(/\p{Default_Ignorable_Code_Point}|[\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, titleCharsMax);
}
