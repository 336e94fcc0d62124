import * as limits from '#contract/limits.ts';
import type { ArrivingFile, CrawlDeps } from '#server/ingest/crawl/index.ts';
import type { ParsedPage } from '#server/ingest/parse/index.ts';
import type { PdfParser } from '#server/ingest/pdf/index.ts';
import { openTemporaryFile, type TemporaryFile } from '#server/platform/temporary-file.ts';

/** A PDF file that a source contains among other files. */
export interface PdfFileToRead {
  /** The file's address; its pages are addressed below it. */
  url: string;
  /** Used if the file has no title. */
  name: string;
  byteLength: number;
  pieces: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  contentHash: string;
}

export type ParsedFile = Omit<ParsedPage, 'format'>;

/** Reads a PDF into one page with an anchor for each PDF page. Rejects with `PdfError`, or with the signal's reason. */
export async function readPdfFile(parser: PdfParser, file: PdfFileToRead, signal: AbortSignal): Promise<ParsedFile> {
  const { url, name, byteLength, pieces, contentHash } = file;
  const options = { url, fileName: name, pagesMax: limits.pdfPagesPerFileMax };
  const parsed = await parser.parse({ bytes: pieces, byteLength, options }, { onPage: () => undefined, signal });
  const { title, snippets } = parsed;
  return { title, snippets, contentHash, links: [], isNoindex: false };
}

/**
 * Returns the handler that stores a site's PDF files in temporary files of any size and parses them; undefined without
 * a PDF parser.
 */
export function pdfFilesOfSite(
  parser: PdfParser | undefined,
  signal: AbortSignal,
): CrawlDeps<ParsedFile>['pdfFiles'] | undefined {
  if (parser === undefined) return undefined;
  return {
    countMax: limits.pdfFilesPerSourceMax,
    bytesMax: limits.pdfFileBytesMax,
    timeoutMs: limits.pdfFetchSeconds * 1000,
    open: () => arrivingFile(parser, signal),
  };
}

function arrivingFile(parser: PdfParser, signal: AbortSignal): ArrivingFile<ParsedFile> {
  let opening: Promise<TemporaryFile> | undefined;
  let file: TemporaryFile | undefined;
  const hash = () => file?.hash() ?? '';
  return {
    async write(chunk) {
      opening ??= openTemporaryFile();
      file = await opening;
      await file.write(chunk);
    },
    byteLength: () => file?.byteLength ?? 0,
    contentHash: hash,
    parse(url) {
      const byteLength = file?.byteLength ?? 0;
      const pieces = () => file?.pieces() ?? [];
      return readPdfFile(parser, { url, name: nameIn(url), byteLength, pieces, contentHash: hash() }, signal);
    },
    async close() {
      await (await opening)?.close();
    },
  };
}

function nameIn(url: string): string {
  const last = new URL(url).pathname.split('/').findLast((part) => part !== '') ?? 'document.pdf';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
