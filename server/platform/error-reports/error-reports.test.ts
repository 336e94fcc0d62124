import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveSite } from '#test/cli/run-cli.ts';
import { silentLog } from '#test/services/log.ts';
import { withBody } from '#test/services/request-body.ts';
import { temporaryFolder } from '#test/services/temporary-folder.ts';
import { systemClock } from '../clock.ts';
import { createOutbound } from '../outbound/index.ts';
import type { ErrorReport, ErrorReportsConfig, FaultPlace } from './error-reporter.ts';
import { openErrorReporter } from './open-error-reporter.ts';
import { framesOf, readDsn } from './sentry-sink.ts';

const place: FaultPlace = {
  from: 'server',
  requestId: 'req-1',
  path: 'GET /api/keys',
  person: { userId: 'u1', email: 'ada@example.org' },
};

function open(config: ErrorReportsConfig, allowHosts: string[] = []) {
  const outbound = createOutbound({ allowHosts, userAgent: 'test' });
  return openErrorReporter(config, {
    clock: systemClock,
    log: silentLog,
    outbound,
    environment: 'production',
    release: '1.2.3',
  });
}

async function keptIn(file: string): Promise<ErrorReport[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as ErrorReport);
}

/** Starts an error service that keeps the reports it receives. */
async function errorService(status = 200) {
  const sent: { auth: string | undefined; path: string | undefined; lines: Record<string, unknown>[] }[] = [];
  const { host } = await serveSite((request, response) =>
    withBody(request, (body) => {
      sent.push({
        auth: request.headers['x-sentry-auth'] as string | undefined,
        path: request.url,
        lines: body
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as Record<string, unknown>),
      });
      response.writeHead(status).end('{}');
    }),
  );
  return { sent, host, dsn: `http://public@${host}/7` };
}

test('a fault is saved in the data folder without secrets', async () => {
  const file = join(temporaryFolder(), 'errors.jsonl');
  const reporter = open({ kind: 'local', file });
  reporter.report(new TypeError('no such key lec_0123456789abcdef at ?token=hush'), place);
  reporter.report('thrown text', place);
  const onPage = Object.assign(new Error('away'), { stack: 'Error: away\n    at https://x.example/sign-in/hush:1:23' });
  reporter.report(onPage, { ...place, path: '/accept/hush' });
  await reporter.close();
  const kept = await keptIn(file);
  expect(kept.map(({ name }) => name)).toEqual(['TypeError', 'Error', 'Error']);
  expect(kept[0]).toMatchObject({ ...place, message: expect.not.stringMatching(/0123|hush/) as string });
  expect(kept[2]).toMatchObject({
    path: '/accept/[redacted]',
    stack: expect.stringMatching(/redacted\]:1:23$/) as string,
  });
});

test('an envelope with one event is sent, without personal data unless enabled', async () => {
  const service = await errorService();
  const file = join(temporaryFolder(), 'errors.jsonl');
  for (const hasPersonalData of [false, true]) {
    const reporter = open({ kind: 'sentry', file, dsn: service.dsn, hasPersonalData }, [service.host]);
    reporter.report(new Error('ada@example.org is not known'), place);
    await reporter.close();
  }
  expect(service.sent.map(({ path }) => path)).toEqual(['/api/7/envelope/', '/api/7/envelope/']);
  expect(service.sent[0]?.auth).toMatch(/^Sentry sentry_version=7, sentry_client=lectern\/1.2.3, sentry_key=public$/);
  const [header, item, event] = service.sent[0]?.lines ?? [];
  expect(header).toMatchObject({ event_id: expect.stringMatching(/^[0-9a-f]{32}$/) as string });
  expect(item).toMatchObject({ type: 'event' });
  expect(event).toMatchObject({
    event_id: header?.event_id,
    level: 'error',
    platform: 'node',
    environment: 'production',
    release: '1.2.3',
    tags: { from: 'server', request_id: 'req-1' },
    request: { url: 'GET /api/keys' },
    exception: { values: [{ type: 'Error', value: '[redacted] is not known' }] },
  });
  expect(JSON.stringify(service.sent[0])).not.toContain('ada@');
  expect(service.sent[1]?.lines[2]).toMatchObject({ user: { id: 'u1', email: 'ada@example.org' } });
});

test('a failing or unreachable service loses only its copy of a report', async () => {
  const service = await errorService(500);
  const file = join(temporaryFolder(), 'errors.jsonl');
  for (const dsn of [service.dsn, 'http://public@127.0.0.1:9/7']) {
    const reporter = open({ kind: 'sentry', file, dsn, hasPersonalData: false }, [service.host, '127.0.0.1:9']);
    reporter.report(new Error('kept here'), place);
    await reporter.close();
  }
  expect(await keptIn(file)).toHaveLength(2);
});

test('reports are limited to 60 a minute', async () => {
  const file = join(temporaryFolder(), 'errors.jsonl');
  const reporter = open({ kind: 'local', file });
  for (let count = 0; count < 200; count += 1) reporter.report(new Error('again'), place);
  await reporter.close();
  expect(await keptIn(file)).toHaveLength(60);
});

test('many reports from visitors leave capacity for the reports of others', async () => {
  const file = join(temporaryFolder(), 'errors.jsonl');
  const reporter = open({ kind: 'local', file });
  for (let count = 0; count < 200; count += 1)
    reporter.report(new Error('made up'), { from: 'browser', requestId: 'req-2', path: '/' });
  reporter.report(new Error('seen by Ada'), { ...place, from: 'browser' });
  reporter.report(new Error('of the server'), { from: 'server', requestId: 'req-3', path: 'GET /' });
  await reporter.close();
  const kept = (await keptIn(file)).map(({ message }) => message);
  expect(kept.filter((message) => message === 'made up')).toHaveLength(20);
  expect(kept).toEqual(expect.arrayContaining(['seen by Ada', 'of the server']));
});

test('the service address may have a folder before the project', () => {
  expect(readDsn('https://key@errors.example.org/folder/42')).toEqual({
    endpoint: 'https://errors.example.org/folder/api/42/envelope/',
    publicKey: 'key',
  });
  expect(() => readDsn('https://errors.example.org/42')).toThrow('not complete');
});

test('stack calls are parsed with the outermost first', () => {
  const stack = [
    'Error: no',
    '    at read (/srv/app/server/read.ts:10:5)',
    '    at async /srv/app/node_modules/x/index.js:1:2',
    'run@https://app.example/assets/a.js:3:4',
  ].join('\n');
  expect(framesOf(stack)).toEqual([
    { function: 'run', filename: 'https://app.example/assets/a.js', lineno: 3, colno: 4, in_app: true },
    { function: '?', filename: '/srv/app/node_modules/x/index.js', lineno: 1, colno: 2, in_app: false },
    { function: 'read', filename: '/srv/app/server/read.ts', lineno: 10, colno: 5, in_app: true },
  ]);
});
