import type { Outbound } from '../outbound/index.ts';
import type { ErrorReport, ErrorSink } from './error-reporter.ts';

const answerTimeoutMs = 10_000;

interface SentrySinkOptions {
  dsn: string;
  hasPersonalData: boolean;
}

interface SentrySinkParts {
  outbound: Outbound;
  environment: string;
  release: string;
}

/** Sends each report as an envelope with one event. https://develop.sentry.dev/sdk/data-model/envelopes/ */
export function sentrySink({ dsn, hasPersonalData }: SentrySinkOptions, parts: SentrySinkParts): ErrorSink {
  const { endpoint, publicKey } = readDsn(dsn);
  const client = `lectern/${parts.release}`;
  return {
    async put(report) {
      const event = eventOf(report, hasPersonalData, parts);
      const lines = [
        { event_id: report.id, sent_at: new Date(report.at).toISOString(), dsn },
        { type: 'event', content_type: 'application/json' },
        event,
      ];
      const answer = await parts.outbound.request(endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/x-sentry-envelope' },
        credentials: {
          'x-sentry-auth': `Sentry sentry_version=7, sentry_client=${client}, sentry_key=${publicKey}`,
        },
        body: `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`,
        timeoutMs: answerTimeoutMs,
        redirectsMax: 0,
      });
      if (answer.status >= 300) throw new Error(`the error service answered ${answer.status}`);
    },
  };
}

/** Parses `https://key@host/path/project` into the endpoint for envelopes and its key. */
export function readDsn(dsn: string): { endpoint: string; publicKey: string } {
  const { protocol, username, host, pathname } = new URL(dsn);
  const [, folder, project] = /^(.*)\/([^/]+)\/?$/.exec(pathname) ?? [];
  if (username === '' || project === undefined) throw new TypeError('the address of the error service is not complete');
  return { endpoint: `${protocol}//${host}${folder}/api/${project}/envelope/`, publicKey: username };
}

function eventOf(report: ErrorReport, hasPersonalData: boolean, parts: SentrySinkParts): object {
  const { id, at, name, from, requestId, path, person } = report;
  return {
    event_id: id,
    timestamp: at / 1_000,
    platform: from === 'server' ? 'node' : 'javascript',
    level: 'error',
    environment: parts.environment,
    release: parts.release,
    tags: { from, request_id: requestId },
    request: { url: path },
    exception: {
      values: [{ type: name, value: report.message, stacktrace: { frames: framesOf(report.stack) } }],
    },
    ...(hasPersonalData && person
      ? { user: { id: person.userId, ...(person.email === null ? {} : { email: person.email }) } }
      : {}),
  };
}

interface StackFrame {
  function: string;
  filename: string;
  lineno: number;
  colno: number;
  in_app: boolean;
}

/** `at name (file:1:2)` of Node.js and Chromium, or `name@file:1:2` of Firefox and Safari. */
const lines =
  /^\s*(?:at (?:async )?(?:(?<name>.+?) \()?(?<file>[^()\s]+?):(?<line>\d+):(?<column>\d+)\)?|(?<name2>[^@\s]*)@(?<file2>\S+?):(?<line2>\d+):(?<column2>\d+))\s*$/;

/** Returns the calls of a stack, outermost first as the Sentry protocol requires. Skips lines without a location. */
export function framesOf(stack: string): StackFrame[] {
  const frames: StackFrame[] = [];
  for (const text of stack.split('\n')) {
    const found = lines.exec(text)?.groups;
    if (!found) continue;
    const filename = found.file ?? found.file2 ?? '';
    frames.push({
      function: found.name || found.name2 || '?',
      filename,
      lineno: Number(found.line ?? found.line2),
      colno: Number(found.column ?? found.column2),
      in_app: !/node_modules|^node:/.test(filename),
    });
  }
  return frames.reverse();
}
