import type { PDFDocumentProxy, PDFPageProxy } from 'unpdf/pdfjs';
import { canonicalLanguage } from './language.ts';
import type { Line, OutlineEntry, PageText, PdfText, TextRun } from './page-text.ts';
import { PdfError } from './pdf-error.ts';
import { pdfjs } from './pdfjs.ts';
import { linesInReadingOrder } from './reading-order.ts';
import { nodesOf, type StructureNode, withTags } from './tags.ts';

const outlineEntriesMax = 20_000;
const outlineDepthMax = 6;
/** Far above the text of ten thousand pages; larger files are hostile. */
const charactersMax = 60_000_000;
const runsPerPageMax = 50_000;
/**
 * PDF.js keeps the tags of every page it has read, about 560 bytes each. After this many tags, pages are read without
 * tags.
 */
const tagsMax = 150_000;

/**
 * Reads a PDF's text with positions and fonts, one page at a time. Executes, follows and decodes nothing but text: no
 * scripts, actions, attachments or images. Consumes the bytes. Throws `PdfError` for an unreadable file.
 */
export async function readPdf(
  bytes: Uint8Array<ArrayBuffer>,
  options: { pagesMax: number; onPage: (page: number, pages: number) => void },
): Promise<PdfText> {
  const doc = await open(bytes);
  const count = doc.numPages;
  if (!Number.isInteger(count) || count < 1)
    throw new PdfError('pdf-damaged', 'The file has no page that can be read. Export it as a PDF again.');
  const { title, language } = await aboutOf(doc);
  const pages: Line[][] = [];
  const numbers = new Map<string, number>();
  const fonts = new Map<string, FontTraits>();
  const isTagged = (await doc.getMarkInfo().catch(() => null))?.Marked === true;
  const tags = { left: isTagged ? tagsMax : 0 };
  let characters = 0;
  const pictures: number[] = [];
  let failed: unknown;
  for (let number = 1; number <= Math.min(count, options.pagesMax); number += 1) {
    try {
      const page = await doc.getPage(number);
      if (page.ref !== null) numbers.set(keyOf(page.ref), number);
      const text = await textOfPage(page, number, fonts, tags);
      if (text.runs.every((run) => run.text.trim() === '') && (await isPicture(page, text))) pictures.push(number);
      page.cleanup();
      characters += text.runs.reduce((sum, run) => sum + run.text.length, 0);
      if (characters > charactersMax)
        throw new PdfError('pdf-too-large', 'The file has more text than the limit for one file. Split it.');
      pages.push(linesInReadingOrder(text));
    } catch (error) {
      if (error instanceof PdfError) throw error;
      failed ??= error;
    }
    options.onPage(number, count);
  }
  if (pages.length === 0)
    throw new PdfError('pdf-damaged', 'No page of the file can be read. Export it as a PDF again.', { cause: failed });
  const outline = await outlineOf(doc, numbers);
  return { title, language, pageCount: count, outline, pages, pictures };
}

/** Up to this size, a copy of the file is kept to repair a missing end. */
const repairedBytesMax = 20_000_000;

async function open(bytes: Uint8Array<ArrayBuffer>): Promise<PDFDocumentProxy> {
  const kept = bytes.byteLength <= repairedBytesMax ? new Uint8Array(bytes) : undefined;
  try {
    return await documentOf(bytes);
  } catch (error) {
    const repaired = kept !== undefined && isInvalid(error) ? withTrailer(kept) : undefined;
    if (repaired === undefined) throw refusal(error);
    try {
      return await documentOf(repaired);
    } catch (again) {
      throw refusal(again);
    }
  }
}

/** PDF.js transfers the bytes. */
async function documentOf(data: Uint8Array): Promise<PDFDocumentProxy> {
  return pdfjs.getDocument({
    data,
    verbosity: 0,
    // Larger images are skipped; this skips all of them, as they contain nothing to index.
    maxImageSize: 1,
    disableFontFace: true,
    useSystemFonts: false,
    useWasm: false,
    useWorkerFetch: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    enableXfa: false,
    stopAtErrors: false,
  }).promise;
}

function isInvalid(error: unknown): boolean {
  return error instanceof Error && error.name === 'InvalidPDFException';
}

function refusal(error: unknown): PdfError {
  const name = error instanceof Error ? error.name : '';
  const message = error instanceof Error ? error.message : String(error);
  if (name === 'PasswordException' || /encrypt|password/i.test(message)) {
    const next = 'Save it without a password and upload it again.';
    return new PdfError('pdf-encrypted', `The file is encrypted and cannot be read. ${next}`, { cause: error });
  }
  return new PdfError('pdf-damaged', 'The file is damaged and cannot be read. Export it as a PDF again.', {
    cause: error,
  });
}

async function aboutOf(doc: PDFDocumentProxy): Promise<{ title: string | undefined; language: string | undefined }> {
  try {
    const { info, metadata } = await doc.getMetadata();
    const { Title: title, Language: language } = info as { Title?: unknown; Language?: unknown };
    const described: unknown = metadata?.get('dc:title');
    const said = [title, described].find((one) => typeof one === 'string' && one.trim() !== '');
    return {
      title: typeof said === 'string' ? said : undefined,
      language: canonicalLanguage(typeof language === 'string' ? language : undefined),
    };
  } catch {
    // A file with damaged metadata may still have readable text.
    return { title: undefined, language: undefined };
  }
}

type OutlineNode = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>[number];

async function outlineOf(doc: PDFDocumentProxy, numbers: ReadonlyMap<string, number>): Promise<OutlineEntry[]> {
  const entries: OutlineEntry[] = [];
  const add = async (nodes: readonly OutlineNode[], depth: number): Promise<void> => {
    for (const node of nodes) {
      if (entries.length >= outlineEntriesMax) return;
      const page = await pageOf(doc, node.dest, numbers);
      if (page !== undefined) entries.push({ title: node.title, depth, page });
      if (depth < outlineDepthMax) await add(node.items as OutlineNode[], depth + 1);
    }
  };
  try {
    await add(((await doc.getOutline()) as OutlineNode[] | null) ?? [], 1);
  } catch {
    // Headings are then found by their appearance.
  }
  return entries;
}

/**
 * Returns an outline entry's page number, using the pages already read: PDF.js would walk the page tree for each entry.
 */
async function pageOf(
  doc: PDFDocumentProxy,
  dest: OutlineNode['dest'],
  numbers: ReadonlyMap<string, number>,
): Promise<number | undefined> {
  try {
    const target: unknown = typeof dest === 'string' ? await doc.getDestination(dest) : dest;
    const reference: unknown = Array.isArray(target) ? target[0] : undefined;
    if (typeof reference === 'number') return reference + 1;
    if (typeof reference !== 'object' || reference === null) return undefined;
    return numbers.get(keyOf(reference as PageReference));
  } catch {
    // A broken outline entry.
    return undefined;
  }
}

interface PageReference {
  num: number;
  gen: number;
}

function keyOf({ num, gen }: PageReference): string {
  return `${num} ${gen}`;
}

interface FontTraits {
  isMono: boolean;
  isBold: boolean;
}

interface PlacedText {
  str: string;
  transform: number[];
  width: number;
  fontName: string;
  content?: string | undefined;
}

async function textOfPage(
  page: PDFPageProxy,
  number: number,
  fonts: Map<string, FontTraits>,
  tags: { left: number },
): Promise<PageText> {
  const isTagged = tags.left > 0;
  const viewport = page.getViewport({ scale: 1 });
  const { items, styles } = await page.getTextContent({ includeMarkedContent: isTagged });
  const texts = textsOf(items as ContentItem[]);
  await learnFonts(page, texts, styles, fonts);
  const placed = texts.map((item) => place(item, viewport.transform as number[]));
  const angle = mainAngle(placed);
  const contents = new Map<TextRun, string | undefined>();
  for (const one of placed) {
    if (one.angle !== angle) continue;
    const run = turned(one, angle, fonts.get(one.fontName));
    const isWideSpace = run.text.trim() === '' && run.x1 - run.x0 > run.size * 1.2;
    if (run.size > 1 && !isWideSpace) contents.set(run, one.content);
  }
  const text = { number, width: viewport.width, height: viewport.height, runs: [...contents.keys()] };
  const root = isTagged ? ((await page.getStructTree().catch(() => null)) as StructureNode | null) : null;
  if (root === null) return text;
  const nodes = nodesOf(root);
  tags.left -= nodes.length;
  return withTags(text, nodes, (run) => contents.get(run));
}

type ContentItem = PlacedText | { type: string; id?: string };

/** Returns a page's text items, each with the marked content that contains it. */
function textsOf(items: readonly ContentItem[]): PlacedText[] {
  const texts: PlacedText[] = [];
  const open: (string | undefined)[] = [];
  for (const item of items) {
    if ('str' in item) {
      if (item.str !== '' && texts.length < runsPerPageMax) texts.push({ ...item, content: open.at(-1) });
    } else if (item.type === 'endMarkedContent') open.pop();
    else open.push(item.id ?? open.at(-1));
  }
  return texts;
}

/** Minimum share of the page area for a scan. Images are drawn into a unit square that is scaled to their size. */
const pictureShareMin = 0.25;

/** Returns true if something is scaled to a large part of the page, as in a scan. The image itself is not read. */
async function isPicture(page: PDFPageProxy, { width, height }: PageText): Promise<boolean> {
  const { fnArray, argsArray } = await page.getOperatorList();
  const kept: number[] = [];
  let size = 1;
  for (const [at, operator] of fnArray.entries()) {
    if (operator === pdfjs.OPS.save) kept.push(size);
    if (operator === pdfjs.OPS.restore) size = kept.pop() ?? 1;
    if (operator !== pdfjs.OPS.transform) continue;
    const [a = 1, b = 0, c = 0, d = 1] = argsArray[at] as number[];
    size *= Math.abs(a * d - b * c);
    if (size >= pictureShareMin * width * height) return true;
  }
  return false;
}

// TeX names bold Computer Modern `cmbx`, `cmssbx` or `SFBX`, and bold Times `NimbusRomNo9L-Medi`.
const BOLD = /bold|black|heavy|demi|cm(?:ss)?bx|cmb\d|sf[bs]x\d|nimbus\w+-medi|[-,]b(?:$|[^a-z])/i;

/**
 * Learns the traits of new fonts. Their names are available only after a page was prepared for drawing, so this happens
 * once per font.
 */
async function learnFonts(
  page: PDFPageProxy,
  texts: readonly PlacedText[],
  styles: Record<string, { fontFamily?: string }>,
  fonts: Map<string, FontTraits>,
): Promise<void> {
  const unknown = [...new Set(texts.map((text) => text.fontName))].filter((name) => !fonts.has(name));
  if (unknown.length === 0) return;
  await page.getOperatorList().catch(() => undefined);
  for (const name of unknown) {
    const known: unknown = page.commonObjs.has(name) ? page.commonObjs.get(name) : undefined;
    const { name: fontName = '', bold = false } = (known ?? {}) as { name?: string; bold?: boolean };
    const isMono =
      styles[name]?.fontFamily === 'monospace' || /mono|courier|consol|typewriter|cmtt|menlo/i.test(fontName);
    const isBold = bold || BOLD.test(fontName);
    fonts.set(name, { isMono, isBold });
  }
}

interface PlacedRun {
  text: string;
  x: number;
  y: number;
  width: number;
  size: number;
  /** The line's direction in quarter turns; undefined for slanted text, such as a watermark. */
  angle: number | undefined;
  fontName: string;
  content: string | undefined;
}

function place(item: PlacedText, viewport: number[]): PlacedRun {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = pdfjs.Util.transform(viewport, item.transform) as number[];
  const turns = Math.atan2(b, a) / (Math.PI / 2);
  const nearest = Math.round(turns);
  return {
    text: item.str,
    x: e,
    y: f,
    width: Math.abs(item.width),
    size: Math.hypot(c, d),
    angle: Math.abs(turns - nearest) < 0.02 ? (nearest + 4) % 4 : undefined,
    fontName: item.fontName,
    content: item.content,
  };
}

/** Returns the direction of most text on a page. */
function mainAngle(placed: readonly PlacedRun[]): number {
  const counts = [0, 0, 0, 0];
  for (const { angle, text } of placed) if (angle !== undefined) counts[angle] = (counts[angle] ?? 0) + text.length;
  return counts.indexOf(Math.max(...counts));
}

/** Returns the run as on a page rotated so that text runs from left to right. */
function turned(
  { text, x, y, width, size, fontName }: PlacedRun,
  angle: number,
  font: FontTraits | undefined,
): TextRun {
  const [right, down] = [
    [x, y],
    [y, -x],
    [-x, -y],
    [-y, x],
  ][angle] as [number, number];
  const { isMono = false, isBold = false } = font ?? {};
  return { text, x0: right, x1: right + width, y: down, size, font: fontName, isMono, isBold };
}

/** A PDF's catalog, its root object. */
const catalog = /(\d{1,10})\s+(\d{1,5})\s+obj\b(?:(?!endobj)[\s\S]){0,2000}?\/Type\s*\/Catalog\b/g;

/**
 * Appends a trailer that names the catalog, for a file whose end is missing. Returns undefined if no catalog is
 * readable or a trailer exists.
 */
function withTrailer(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (/\btrailer\b/.test(text)) return undefined;
  const [, object, generation] = [...text.matchAll(catalog)].at(-1) ?? [];
  if (object === undefined || generation === undefined) return undefined;
  const trailer = Buffer.from(`\ntrailer\n<< /Root ${object} ${generation} R >>\nstartxref\n0\n%%EOF\n`, 'latin1');
  const whole = new Uint8Array(bytes.byteLength + trailer.byteLength);
  whole.set(bytes);
  whole.set(trailer, bytes.byteLength);
  return whole;
}
