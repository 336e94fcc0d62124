import { randomUUID } from 'node:crypto';
import { appendFile, rename, stat } from 'node:fs/promises';
import type { Clock } from '../clock.ts';
import { type Logger, redactSecrets } from '../log.ts';
import type { Outbound } from '../outbound/index.ts';
import type { ErrorReport, ErrorReporter, ErrorReportsConfig, ErrorSink, Fault } from './error-reporter.ts';
import { sentrySink } from './sentry-sink.ts';

const minuteMs = 60_000;
/** The first reports suffice for a repeated error; more would only hide others. */
const reportsPerMinuteMax = 60;
/** Share of those for browsers without a signed-in user: anyone can send them. */
const visitorReportsPerMinuteMax = 20;

export interface ErrorReporterParts {
  clock: Clock;
  log: Logger;
  outbound: Outbound;
  environment: string;
  release: string;
}

/** Opens the configured reporter. Drops reports beyond 60 per minute, and visitors' reports beyond 20. */
export function openErrorReporter(config: ErrorReportsConfig, parts: ErrorReporterParts): ErrorReporter {
  const sinks: ErrorSink[] = [fileSink(config.file)];
  if (config.kind === 'sentry') sinks.push(sentrySink(config, parts));
  const { clock, log } = parts;
  const underWay = new Set<Promise<unknown>>();
  let minute = { startedAt: Number.NEGATIVE_INFINITY, count: 0, ofVisitors: 0 };

  const isOverLimit = (now: number, isOfVisitor: boolean): boolean => {
    if (now - minute.startedAt >= minuteMs) minute = { startedAt: now, count: 0, ofVisitors: 0 };
    if (isOfVisitor) minute.ofVisitors += 1;
    if (isOfVisitor && minute.ofVisitors > visitorReportsPerMinuteMax) return true;
    minute.count += 1;
    return minute.count > reportsPerMinuteMax;
  };
  return {
    report(fault, place) {
      if (isOverLimit(clock.elapsed(), place.from === 'browser' && place.person === undefined)) return;
      const at = clock.now();
      const report = {
        ...describe(fault),
        ...place,
        path: redactSecrets(place.path),
        id: randomUUID().replaceAll('-', ''),
        at,
      };
      for (const sink of sinks) {
        const put = sink
          .put(report)
          .catch((error: unknown) => log.warn({ err: error }, 'an error report was lost'))
          .finally(() => underWay.delete(put));
        underWay.add(put);
      }
    },
    async close() {
      await Promise.all(underWay);
    },
  };
}

/** Returns the name, message and stack of a thrown value, without secrets. */
function describe(fault: unknown): Fault {
  const error = fault instanceof Error ? fault : { name: 'Error', message: String(fault), stack: '' };
  return {
    name: error.name,
    message: redactSecrets(error.message),
    stack: redactSecrets(error.stack ?? ''),
  };
}

/** Two files of this size are kept: the current and the previous. */
const fileBytesMax = 5_000_000;

/** Appends each report as a line of JSON; rotates a full file. */
function fileSink(file: string): ErrorSink {
  let last: Promise<unknown> = Promise.resolve();
  return {
    put(report) {
      // Serialized, so that a file is never rotated while another report is being written to it.
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
