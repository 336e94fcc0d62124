import { parsePdf } from './parse-pdf.ts';
import type { FromChild, ToChild } from './parse-task.ts';
import { PdfError } from './pdf-error.ts';

const pagesPerReport = 10;

let file = new Uint8Array();
let arrived = 0;

function say(message: FromChild): void {
  process.send?.(message);
}

async function answerTo(task: Extract<ToChild, { kind: 'parse' }>): Promise<FromChild> {
  try {
    if (arrived !== file.byteLength) throw new PdfError('pdf-failed', 'The file did not arrive completely.');
    const parsed = await parsePdf(file, task.options, (page, pages) => {
      if (page % pagesPerReport === 0 || page === pages) say({ kind: 'page', page, pages });
    });
    return { kind: 'parsed', parsed };
  } catch (error) {
    const told = error instanceof PdfError && error.cause !== undefined ? error.cause : error;
    const detail = told instanceof Error ? (told.stack ?? told.message).slice(0, 2_000) : String(told);
    if (error instanceof PdfError) return { kind: 'failed', code: error.code, message: error.message, detail };
    const message = 'The file could not be read. Export it as a PDF again.';
    return { kind: 'failed', code: 'pdf-failed', message, detail };
  }
}

process.on('message', (message: ToChild) => {
  if (message.kind === 'begin') file = new Uint8Array(message.byteLength);
  else if (message.kind === 'bytes') {
    file.set(message.bytes, arrived);
    arrived += message.bytes.byteLength;
  } else void answerTo(message).then(say);
});
// Without the parent process there is no one to send results to.
process.on('disconnect', () => process.exit(0));
say({ kind: 'ready' });
