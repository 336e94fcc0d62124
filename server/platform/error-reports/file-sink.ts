import { appendFile, rename, stat } from 'node:fs/promises';
import type { ErrorReport, ErrorSink } from './error-reporter.ts';

/** Two files of this size are kept: the one being written and the one before it. */
const fileBytesMax = 5_000_000;

/** Appends each report as a line of JSON; a full file gives way to the next. */
export function fileSink(file: string): ErrorSink {
  let last: Promise<unknown> = Promise.resolve();
  return {
    put(report) {
      // One after the other, so that a file is never put aside while another report is being written to it.
      const next = last.then(() => append(file, report));
      last = next.catch(() => undefined);
      return next;
    },
  };
}

async function append(file: string, report: ErrorReport): Promise<void> {
  const size = await stat(file).then(
    (status) => status.size,
    () => 0,
  );
  if (size >= fileBytesMax) await rename(file, `${file}.1`);
  await appendFile(file, `${JSON.stringify(report)}\n`, { mode: 0o600 });
}
