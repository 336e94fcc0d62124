import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import * as zlib from 'node:zlib';
import { expect, test } from 'vitest';
import { libraryEndpoints } from '#contract/library.ts';
import { findRunningServer } from '#server/platform/running-server.ts';
import { serveSite, startServer } from '../cli/run-cli.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { until } from '../services/until.ts';

/**
 * A parser may use 512 MiB of heap before it is stopped, which 200,000 links or words nearly reach; up to eight pages
 * of 10 MB, as bytes and as text, may be in memory at once, and unused memory is not freed at once. Measured: 530 to
 * 630 MB. When only compressed bytes of bodies were counted, it was 1,870 MB.
 */
const growthMax = 900_000_000;
const paragraph = '<p>The quick brown fox jumps over the lazy dog, and then again.</p>\n';
const html = { 'content-type': 'text/html' };
type Answer = (response: ServerResponse, request: IncomingMessage) => unknown;

const coded =
  (coding: string, body: Uint8Array): Answer =>
  (response) =>
    response.writeHead(200, { ...html, 'content-encoding': coding }).end(body);
const page =
  (body: string): Answer =>
  (response) =>
    response.writeHead(200, html).end(body);

/**
 * Responses that expand greatly or must be kept. Created on request, so that this process does not hold them all at
 * once.
 */
const hostile: Record<string, () => Answer> = {
  'gzip-twice': () => coded('gzip, gzip', zlib.gzipSync(zlib.gzipSync(Buffer.alloc(400_000_000), { level: 1 }))),
  'brotli-of-zeros': () =>
    coded(
      'br',
      zlib.brotliCompressSync(Buffer.alloc(200_000_000), { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }),
    ),
  'gzip-of-one-paragraph': () => coded('gzip', zlib.gzipSync(paragraph.repeat(1_500_000))),
  'endless-body': () => (response) => {
    const pump = () => {
      do if (response.destroyed) return;
      while (response.write(paragraph.repeat(1_000)));
    };
    response.writeHead(200, html).on('drain', pump);
    pump();
  },
  'endless-headers': () => (response) => {
    const socket = response.socket;
    socket?.write('HTTP/1.1 200 OK\r\n');
    const line = `x-more: ${'y'.repeat(10_000)}\r\n`;
    const pump = () => {
      do if (socket?.destroyed !== false) return;
      while (socket.write(line));
    };
    socket?.on('drain', pump).on('error', () => undefined);
    pump();
  },
  'one-text-node': () => page(`<p>${'word '.repeat(1_800_000)}</p>`),
  'one-line-of-script': () => page('function a(b){return b+1};'.repeat(80_000)),
  links: () => page(Array.from({ length: 200_000 }, (_, at) => `<a href="/deep/${at}">${at}</a>`).join('')),
  nested: () => page(`${'<div>'.repeat(100_000)}deep`),
  attributes: () => page(`<p ${'a'.repeat(9)}="1" `.repeat(150_000)),
  picture: () => page(`\u0089PNG${'\u0000\u0001\u0002'.repeat(1_600_000)}`),
  table: () => page(`<table>${'<tr><td colspan="1000" rowspan="1000">x'.repeat(60_000)}</table>`),
};

test.skipIf(process.platform !== 'linux')(
  'a crawl of decompression bombs and similar files uses limited memory',
  async () => {
    const asked = new Set<string>();
    const names = Object.keys(hostile);
    const site = await serveSite((request, response) => {
      response.on('error', () => undefined);
      const name = (request.url ?? '').slice(1);
      asked.add(name);
      if (name === 'robots.txt') return void response.writeHead(404).end();
      // Sixty million bytes of addresses, compressed to a few.
      if (name === 'sitemap.xml') {
        const entry = `<url><loc>http://${request.headers.host}/${'s'.repeat(500)}</loc></url>`;
        const bomb = zlib.gzipSync(`<urlset>${entry.repeat(110_000)}`);
        return void response
          .writeHead(200, { 'content-type': 'application/xml', 'content-encoding': 'gzip' })
          .end(bomb);
      }
      if (name === '' || name === 'good')
        return void page(`<h1>Home</h1>${paragraph}${names.map((one) => `<a href="/${one}">${one}</a>`).join(' ')}`)(
          response,
          request,
        );
      const answer = hostile[name];
      if (answer === undefined) response.writeHead(404).end();
      else answer()(response, request);
    });
    const folder = join(temporaryFolder(), 'data');
    const server = await startServer(folder, { env: { LECTERN_ALLOW_HOSTS: site.host, LECTERN_PARSE_WORKERS: '1' } });
    const operator = { authorization: `Bearer ${(await findRunningServer(folder))?.operatorToken}` };
    const index = async (path: string, moduleId: string, maxPages: number) => {
      const input = { source: `${site.origin}${path}`, moduleId, maxPages, visibility: 'public' };
      const { method, path: call } = libraryEndpoints.startIndexJob;
      const headers = { ...operator, 'content-type': 'application/json' };
      const answer = await fetch(server.url + call, { method, headers, body: JSON.stringify(input) });
      const { job } = (await answer.json()) as { job: { id: string } };
      return until(
        `${moduleId} has ended`,
        async () => {
          const one = libraryEndpoints.getJob.path.replace(':jobId', job.id);
          const state = (await (await fetch(server.url + one, { headers: operator })).json()) as {
            job: { endTime: number | null; status: string; pages?: unknown };
          };
          return state.job.endTime === null ? undefined : state.job;
        },
        480_000,
      );
    };
    // The baseline includes the threads, before any hostile page.
    await index('/good', 'good', 1);
    const before = peakBytes(server.child.pid);
    const job = await index('/', 'hostile', names.length + 2);
    expect([job.status, names.filter((name) => !asked.has(name))]).toEqual(['COMPLETE', []]);
    const growth = peakBytes(server.child.pid) - before;
    expect(growth).toBeLessThan(growthMax);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  },
  600_000,
);

/** Returns a process's peak memory in bytes. */
function peakBytes(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
}
