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

/** A page with fewer characters than this on average has pictures of text in place of text. */
const charactersPerPageMin = 2;

/** What the index needs of a PDF. */
export interface ParsedPdf {
  title: string;
  language: string | undefined;
  /** All pages of the file. */
  pageCount: number;
  /** Those that were read; pictures without text are not among them. */
  indexedPages: number;
  snippets: Snippet[];
}

export interface ParsePdfOptions {
  /** Address of the file, without fragment. */
  url: string;
  /** What the title falls back to. */
  fileName: string;
  pagesMax: number;
}

/**
 * Makes snippets of a PDF; each is addressed by the page it begins on (`page=12`). The bytes are used up. Throws `PdfError`. Runs the whole
 * time on one thread, without bounds on time or memory: only for a process of its own.
 */
export async function parsePdf(
  bytes: Uint8Array<ArrayBuffer>,
  options: ParsePdfOptions,
  onPage: (page: number, pages: number) => void,
): Promise<ParsedPdf> {
  if (bytes.byteLength === 0) throw new PdfError('pdf-empty', 'The file is empty.');
  if (!looksLikePdf(bytes)) throw new PdfError('pdf-not-pdf', 'The file is no PDF.');
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
      'There is no text in the file: its pages are pictures, such as a scan. Run text recognition (OCR) on it and upload the result.',
    );
  }
  blocks.push(...missingPages(pictures));
  const documentTitle = titleOf(title, blocks, options.fileName);
  const document = { title: documentTitle, isNoindex: false, blocks, links: [] };
  const snippets = splitDocument(document, { url: options.url, title: documentTitle });
  return { title: documentTitle, language: language ?? detectLanguage(text), pageCount, indexedPages, snippets };
}

const missingPagesShown = 40;

/** Says which pages of a file that has text are pictures, so that no one takes the text for all there is. */
function missingPages(pictures: readonly number[]): Block[] {
  const [first] = pictures;
  if (first === undefined) return [];
  const shown = pictures.slice(0, missingPagesShown).join(', ');
  const more = pictures.length > missingPagesShown ? ` and ${pictures.length - missingPagesShown} more` : '';
  const markdown = `Pages without text, such as scans: ${shown}${more}.`;
  return [{ type: 'paragraph', markdown, anchor: pageAnchor(first) }];
}

const titleCharsMax = 200;
/** What programs write when no one gave a title. */
const noTitle =
  /^(?:untitled|\((?:anonymous|unspecified)\)|document\d*|microsoft word\b.*|slide \d+|.*\.(?:docx?|dvi|tex|texi|indd|pptx?|rtf|html?|pdf|fm|qxd|xml))$/i;

/** The title of a document: what it says itself, else the first heading with a word of its file's name, else the first one, else that name. */
function titleOf(said: string | undefined, blocks: readonly Block[], fileName: string): string {
  const own = clean(said ?? '');
  if (own !== '' && !noTitle.test(own)) return own;
  const headings = blocks
    .slice(0, 40)
    .flatMap(({ type, markdown }) => (type === 'heading' ? clean(plainText(markdown)) : []))
    .filter((heading) => heading !== '');
  const name = fileName.replace(/\.pdf$/i, '');
  const words = name.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  // A cover may begin with the name of a series or a slogan.
  const named = headings.slice(0, 3).find((heading) => words.some((word) => heading.toLowerCase().includes(word)));
  return named ?? headings[0] ?? (clean(name) || 'PDF');
}

/** One line, without characters that hide or reorder text. */
function clean(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .replace(/\p{Default_Ignorable_Code_Point}|[\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, titleCharsMax);
}
