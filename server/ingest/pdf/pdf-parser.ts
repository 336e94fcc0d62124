import type { ParsedPdf, ParsePdfOptions } from './parse-pdf.ts';
import { type PdfBytes, type PdfLimits, parseInProcess } from './pdf-process.ts';

/** Parses PDFs, each in a process of its own, some at once. */
export interface PdfParser {
  /** Waits for its turn first. Rejects with `PdfError`, or with the signal's reason; other files are not affected by either. */
  parse(
    file: { bytes: () => PdfBytes | Promise<PdfBytes>; byteLength: number; options: ParsePdfOptions },
    watch: { onPage: (page: number, pages: number) => void; signal: AbortSignal },
  ): Promise<ParsedPdf>;
}

/** Measured: 1,158 pages take some 15 s and grow by 175 MB. A file that is read at all has a page far sooner than every 20 s. */
const usual: PdfLimits = { stallMs: 20_000, totalMs: 600_000, growthBytesMax: 200_000_000 };

/** A parser that has at most `atOnce` files in progress, however many runs ask for it. */
export function createPdfParser({ atOnce, limits }: { atOnce: number; limits?: Partial<PdfLimits> }): PdfParser {
  const waiting: (() => void)[] = [];
  let running = 0;
  const turn = async () => {
    while (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
  };
  return {
    async parse(file, watch) {
      await turn();
      try {
        watch.signal.throwIfAborted();
        const bytes = await file.bytes();
        return await parseInProcess({ ...file, bytes }, { ...usual, ...limits }, watch);
      } finally {
        running -= 1;
        waiting.shift()?.();
      }
    },
  };
}
