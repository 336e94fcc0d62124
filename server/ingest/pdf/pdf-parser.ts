import { FairLine, type OwnedTask } from '../fair-line.ts';
import type { ParsedPdf, ParsePdfOptions } from './parse-pdf.ts';
import { ReaderKilledError } from './pdf-error.ts';
import { type PdfBytes, type PdfLimits, parseInProcess } from './pdf-process.ts';

/**
 * Parses PDFs, each in a separate process and several at once. Owners (the people or workspaces whose files they are)
 * share it by time.
 */
export interface PdfParser {
  /**
   * Waits for a turn, then parses. Rejects with `PdfError`, or with the signal's reason; neither affects other files.
   */
  parse(
    file: { bytes: () => PdfBytes | Promise<PdfBytes>; byteLength: number; options: ParsePdfOptions },
    watch: { onPage: (page: number, pages: number) => void; signal: AbortSignal; owner?: string },
  ): Promise<ParsedPdf>;
}

/**
 * Measured: 1,158 dense pages take some 15 s and grow by 175 MB, 2,789 take 34 s and 309 MB. Any readable file has a
 * page much more often than every 20 s.
 */
const usual: PdfLimits = { stallMs: 20_000, totalMs: 600_000, growthBytesMax: 200_000_000 };

/** A file that takes this long is slow; some 5,000 ordinary pages take less. */
const usualSlowMs = 60_000;

interface Turn extends OwnedTask {
  begin: () => void;
}

/**
 * Creates a parser that processes at most `atOnce` files across all runs, plus one while slow files occupy every place
 * and another owner waits.
 */
export function createPdfParser(options: { atOnce: number; limits?: Partial<PdfLimits>; slowMs?: number }): PdfParser {
  const { atOnce, limits, slowMs = usualSlowMs } = options;
  const line = new FairLine<Turn>(slowMs, () => performance.now());
  let running = 0;
  let looking: NodeJS.Timeout | undefined;
  const beginNext = (): void => {
    clearTimeout(looking);
    while (running < atOnce + (line.slowRunning >= atOnce ? 1 : 0)) {
      const next = line.take(Math.max(1, atOnce - 1));
      if (next === undefined) break;
      running += 1;
      next.begin();
    }
    // A running file may have become slow by then.
    if (!line.isEmpty) looking = setTimeout(beginNext, slowMs / 4).unref();
  };
  return {
    async parse(file, watch) {
      const { signal } = watch;
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const turn: Turn = { owner: watch.owner ?? '', begin: resolve };
      // A cancelled run ends now rather than when its file's turn comes.
      const leave = () => {
        if (line.remove(turn)) reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      line.add(turn);
      beginNext();
      await promise.finally(() => signal.removeEventListener('abort', leave));
      try {
        signal.throwIfAborted();
        const read = async () => parseInProcess({ ...file, bytes: await file.bytes() }, { ...usual, ...limits }, watch);
        return await read().catch((error: unknown) => {
          if (!(error instanceof ReaderKilledError)) throw error;
          return read();
        });
      } finally {
        running -= 1;
        line.end(turn);
        beginNext();
      }
    },
  };
}
