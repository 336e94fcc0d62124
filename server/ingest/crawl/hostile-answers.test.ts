import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import * as zlib from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { outboundLimits } from '#server/platform/outbound/outbound-limits.ts';
import {
  afterwards,
  closeRig,
  codeOf,
  crawl,
  encoded,
  fateOf,
  host,
  html,
  hurried,
  paragraph,
  requestsOf,
  trickle,
} from '#test/services/hostile-rig.ts';
import {
  type LoopbackServer,
  readSharedCases,
  startLoopbackServer,
  startLoopbackSocket,
} from '#test/services/loopback-server.ts';
import { createSelfSignedCertificate } from '#test/services/self-signed-certificate.ts';
import { htmlPage, type TestPage } from '#test/services/test-site.ts';

afterEach(closeRig);

/** One check for each case of the list, by name. */
const checks: Record<string, () => Promise<void>> = {
  'gzip twice': async () => {
    const bomb = zlib.gzipSync(zlib.gzipSync(Buffer.alloc(400_000_000), { level: 1 }));
    expect((await fateOf(encoded('gzip, gzip', bomb))).fate).toBe('failed too-large');
  },
  'brotli of zeros': async () => {
    const bomb = zlib.brotliCompressSync(Buffer.alloc(200_000_000), {
      params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 },
    });
    expect((await fateOf(encoded('br', bomb))).fate).toBe('failed too-large');
  },
  'gzip of one repeated paragraph': async () => {
    expect((await fateOf(encoded('gzip', zlib.gzipSync(paragraph.repeat(1_500_000))))).fate).toBe('failed too-large');
  },
  'gzip of honest text': async () => {
    const words = Array.from({ length: 300_000 }, (_, i) => ((i * 7919) % 65_537).toString(36)).join(' ');
    expect((await fateOf(encoded('gzip', zlib.gzipSync(words)))).fate).toBe('page');
  },
  'six chained encodings': async () => {
    let body = Buffer.from(paragraph);
    for (let i = 0; i < 6; i++) body = zlib.gzipSync(body);
    expect((await fateOf(encoded(Array(6).fill('gzip').join(', '), body))).fate).toBe('failed decode-failed');
  },
  'gzip cut in the middle': async () => {
    const whole = zlib.gzipSync(paragraph.repeat(1_000));
    expect((await fateOf(encoded('gzip', whole.subarray(0, whole.length / 2)))).fate).toBe('failed decode-failed');
  },
  'gzip with 100 KB of trailing garbage': async () => {
    expect(
      (await fateOf(encoded('gzip', Buffer.concat([zlib.gzipSync(paragraph), Buffer.alloc(100_000, 'x')])))).fate,
    ).toBe('page');
  },
  'unknown encoding zstd-x': async () => {
    expect((await fateOf(encoded('zstd-x', Buffer.from(paragraph)))).fate).toBe('failed decode-failed');
  },
  'endless body': async () => {
    let sent = 0;
    const { fate } = await fateOf((_, response) => {
      const pump = () => {
        do sent += paragraph.length * 1_000;
        while (response.write(paragraph.repeat(1_000)));
      };
      response.writeHead(200, html).on('drain', pump);
      pump();
    });
    expect(fate).toBe('failed too-large');
    // At most 12 MB are read. The rest is in system buffers, which grow while the reader is busy.
    expect(sent).toBeLessThanOrEqual(30_000_000);
  },
  '200 MB of response headers': async () => {
    const flood: TestPage = (request) => {
      const { socket } = request;
      const line = `x-filler: ${'a'.repeat(60_000)}\r\n`;
      const pump = () => {
        while (!socket.destroyed && socket.write(line));
      };
      socket.write('HTTP/1.1 200 OK\r\n');
      socket.on('drain', pump).on('error', () => socket.destroy());
      pump();
    };
    expect((await fateOf(flood)).fate).toBe('failed too-large');
  },
  '10,000 small headers': async () => {
    const { fate } = await fateOf((request) => {
      const lines = Array.from({ length: 10_000 }, (_, i) => `x-${i}: ${i}\r\n`).join('');
      request.socket.end(`HTTP/1.1 200 OK\r\n${lines}\r\n`);
    });
    expect(fate).toBe('failed too-large');
  },
  'one text node of 9 MB': async () => {
    expect((await fateOf({ body: 'a'.repeat(9_000_000) })).fate).toBe('page');
  },
  'page with 200,000 links': async () => {
    const { crawled } = await fateOf(
      (_, response) => {
        response.writeHead(200, html);
        for (let i = 0; i < 200_000; i++) response.write(`<a href="/many/${i}">${i}</a>\n`);
        response.end();
      },
      { input: { pagesMax: 50 } },
    );
    expect(crawled.report.counts.found).toBeLessThan(21_000);
  },
  'headers one byte every 5 s': async () => {
    const slow: TestPage = ({ socket }) => {
      const timer = setInterval(() => socket.write('H'), 20);
      socket.on('close', () => clearInterval(timer)).on('error', () => socket.destroy());
      socket.write('HTTP/1.1 200 OK\r\nx: ');
    };
    expect((await fateOf(slow, hurried)).fate).toBe('failed timeout');
  },
  'body one byte every 5 s': async () => expect((await fateOf(trickle(20, 'a'), hurried)).fate).toBe('failed timeout'),
  'body 1 KB/s for ever': async () =>
    expect((await fateOf(trickle(5, paragraph), hurried)).fate).toBe('failed timeout'),
  'accepts and never answers': async () => {
    expect((await fateOf(() => undefined, hurried)).fate).toBe('failed timeout');
    const silent = await startLoopbackSocket(() => undefined, host);
    afterwards(() => silent.close());
    expect(await codeOf(crawl(silent, hurried))).toBe('host-unreachable');
    expect(silent.connectionCount).toBe(1);
  },
  'says text/html, is a 5 MB PNG': async () => {
    const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(5_000_000, 7)]);
    expect((await fateOf({ body: png })).fate).toBe('skipped binary');
  },
  'says application/pdf, is HTML': async () => {
    expect((await fateOf({ headers: { 'content-type': 'application/pdf' }, body: htmlPage('x') })).fate).toBe(
      'skipped content-type',
    );
  },
  'no content type, is HTML': async () =>
    expect((await fateOf({ headers: {}, body: htmlPage('x') })).fate).toBe('page'),
  'image/svg+xml with script': async () => {
    expect(
      (await fateOf({ headers: { 'content-type': 'image/svg+xml' }, body: '<svg><script>1</script></svg>' })).fate,
    ).toBe('skipped content-type');
  },
  'self-signed certificate': async () => expect(await certificateFate(0, 365)).toBe('host-unreachable'),
  'expired certificate': async () => expect(await certificateFate(-400, -35)).toBe('host-unreachable'),
  'connection refused': async () => {
    const site = await startLoopbackServer(() => undefined, host);
    await site.close();
    expect(await codeOf(crawl(site))).toBe('host-unreachable');
  },
  'reset after headers': async () => {
    const { fate, site } = await fateOf((request, response) => {
      response.writeHead(200, { ...html, 'content-length': 5_000 }).flushHeaders();
      setImmediate(() => request.socket.destroy());
    });
    expect(fate).toBe('failed unreachable');
    expect(requestsOf(site, '/x')).toBeGreaterThan(1);
  },
  'reset in the middle of the body, each time': async () => {
    const { fate, site } = await fateOf((request, response) => {
      response.writeHead(200, { ...html, 'content-length': 5_000 }).write(paragraph, () => request.socket.destroy());
    });
    expect(fate).toBe('failed unreachable');
    expect(requestsOf(site, '/x')).toBeLessThanOrEqual(4);
  },
  'chunked with bad chunk size': async () => {
    const { fate } = await fateOf((request) =>
      request.socket.end(
        'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nhello\r\n',
      ),
    );
    expect(fate).toBe('failed bad-response');
  },
};

async function certificateFate(fromDays: number, toDays: number): Promise<string> {
  const at = (days: number) => new Date(Date.now() + days * 86_400_000);
  const server = createTlsServer(
    createSelfSignedCertificate('docs.example.com', at(fromDays), at(toDays)),
    (_, response) => response.end('x'),
  );
  server.listen(0, host);
  await once(server, 'listening');
  afterwards(async () => server.close());
  const { port } = server.address() as AddressInfo;
  const plain = { port, origin: `https://docs.example.com:${port}` } as LoopbackServer;
  return codeOf(crawl(plain, { outbound: { resolve: async () => [{ address: host, family: 4 }] } }));
}

/** Cases covered by other tests. */
const elsewhere = [
  'one line of 2 MB minified JavaScript as text/html', // splitting
  'drops for 10 s in the middle of a 100-page crawl', // crawl-failures.test.ts
];

interface HostileCase {
  id: string;
  name: string;
  class: string;
}

const cases = readSharedCases<HostileCase>('hostile-origin')?.filter(
  (one) => ['compression', 'size', 'slow', 'type', 'tls', 'net'].includes(one.class) && !elsewhere.includes(one.name),
);

describe.skipIf(!cases)('harmful responses', () => {
  test.each(cases ?? [])('$id $name', async ({ name }) => {
    expect(checks[name], 'every case of the list has its check').toBeDefined();
    await checks[name]?.();
  });
});

test('the limits are the agreed ones', () => {
  expect(outboundLimits).toMatchObject({
    bytesMax: 10_000_000,
    timeoutMs: 30_000,
    headersTimeoutMs: 10_000,
    idleTimeoutMs: 10_000,
    redirectsMax: 10,
  });
});
