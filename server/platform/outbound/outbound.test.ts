import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import * as zlib from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { type LoopbackServer, startLoopbackServer, startLoopbackSocket } from '#test/services/loopback-server.ts';
import { createSelfSignedCertificate } from '#test/services/self-signed-certificate.ts';
import { createOutbound, type Outbound } from './outbound.ts';
import { OutboundError } from './outbound-error.ts';
import type { OutboundLimits } from './outbound-limits.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

function open(servers: { port: number }[], limits: Partial<OutboundLimits> = {}): Outbound {
  const allowHosts = servers.flatMap(({ port }) => [`127.0.0.1:${port}`, `127.0.0.2:${port}`]);
  const outbound = createOutbound({ allowHosts, userAgent: 'Test/1', limits });
  cleanups.push(() => outbound.close());
  return outbound;
}

async function serve(...args: Parameters<typeof startLoopbackServer>): Promise<LoopbackServer> {
  const server = await startLoopbackServer(...args);
  cleanups.push(() => server.close());
  return server;
}

async function serveSocket(...args: Parameters<typeof startLoopbackSocket>): Promise<LoopbackServer> {
  const server = await startLoopbackSocket(...args);
  cleanups.push(() => server.close());
  return server;
}

async function failureOf(promise: Promise<unknown>): Promise<OutboundError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OutboundError);
  return error as OutboundError;
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

describe('bodies', () => {
  test.each([
    ['gzip', zlib.gzipSync],
    ['br', zlib.brotliCompressSync],
    ['zstd', zlib.zstdCompressSync],
    ['deflate', zlib.deflateSync],
    ['deflate', zlib.deflateRawSync],
  ] as const)('with %s are decoded', async (coding, compress) => {
    const server = await serve((_, response) => {
      response.setHeader('content-encoding', coding);
      response.end(compress(Buffer.from('héllo '.repeat(500))));
    });
    const { body } = await open([server]).request(server.origin);
    expect(textOf(body)).toBe('héllo '.repeat(500));
    expect(body.buffer.byteLength).toBe(body.byteLength);
  });

  test('encoded twice are decoded, with three or an unknown encoding they fail', async () => {
    const server = await serve((request, response) => {
      const codings = decodeURIComponent(request.url ?? '').slice(1);
      let body: Buffer = Buffer.from('text');
      for (const coding of codings.split(',')) if (coding === 'gzip') body = zlib.gzipSync(body);
      response.setHeader('content-encoding', codings);
      response.end(body);
    });
    const outbound = open([server]);
    expect(textOf((await outbound.request(`${server.origin}/gzip,gzip`)).body)).toBe('text');
    expect((await failureOf(outbound.request(`${server.origin}/gzip,gzip,gzip`))).code).toBe('decode-failed');
    expect((await failureOf(outbound.request(`${server.origin}/zstd-x`))).code).toBe('decode-failed');
  });

  test('fail if gzip is truncated, and bytes after its end are ignored', async () => {
    const whole = zlib.gzipSync(Buffer.from('text '.repeat(5000)));
    const server = await serve((request, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(
        request.url === '/cut' ? whole.subarray(0, whole.length / 2) : Buffer.concat([whole, Buffer.alloc(100_000, 7)]),
      );
    });
    const outbound = open([server]);
    expect((await failureOf(outbound.request(`${server.origin}/cut`))).code).toBe('decode-failed');
    expect((await outbound.request(`${server.origin}/trailing`)).body.length).toBe(25_000);
  });

  test.each([
    ['gzip', () => zlib.gzipSync(Buffer.alloc(100_000_000))],
    [
      'br',
      () => zlib.brotliCompressSync(Buffer.alloc(50_000_000), { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } }),
    ],
    ['zstd', () => zlib.zstdCompressSync(Buffer.alloc(50_000_000))],
    ['gzip, gzip', () => zlib.gzipSync(zlib.gzipSync(Buffer.alloc(100_000_000)))],
  ] as const)('that are a %s bomb stop at the limit without using its memory', async (coding, make) => {
    const bomb = make();
    const server = await serve((_, response) => {
      response.setHeader('content-encoding', coding);
      response.end(bomb);
    });
    const before = process.memoryUsage().rss;
    const error = await failureOf(open([server]).request(server.origin));
    expect(error.code).toBe('too-large');
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });

  test('stop at the limit if endless, and are not read if declared above the limit', async () => {
    let sent = 0;
    const server = await serve((request, response) => {
      // Only the head is ever sent: waiting for the body ends in a timeout.
      if (request.url === '/declared') return response.writeHead(200, { 'content-length': 50_000_000 }).flushHeaders();
      const chunk = Buffer.alloc(65_536, 'a');
      const pump = () => {
        do sent += chunk.length;
        while (response.write(chunk));
      };
      response.on('drain', pump);
      pump();
    });
    const outbound = open([server], { bytesMax: 1_000_000 });
    expect((await failureOf(outbound.request(`${server.origin}/endless`))).code).toBe('too-large');
    expect(sent).toBeLessThan(12_000_000);
    expect((await failureOf(outbound.request(`${server.origin}/declared`))).code).toBe('too-large');
    const cut = await outbound.request(`${server.origin}/endless`, { isCutAtBytesMax: true });
    expect([cut.body.length, cut.isComplete]).toEqual([1_000_000, false]);
  });

  test('are not read if the head is unwanted, and the connection is reused if that is cheap', async () => {
    const server = await serve((_, response) => {
      response.setHeader('content-type', 'image/png');
      response.end(Buffer.alloc(10_000));
    });
    const outbound = open([server]);
    for (let i = 0; i < 10; i++) {
      const answer = await outbound.request(server.origin, {
        onHead: ({ headers }) => (headers['content-type'] === 'image/png' ? 'stop' : 'read'),
      });
      expect([answer.status, answer.body.length, answer.isComplete]).toEqual([200, 0, false]);
    }
    expect(server.connectionCount).toBeLessThanOrEqual(2);
  });

  test.each([304, 204])(
    'of responses %i are empty, and the connection is reused for the next request',
    async (status) => {
      const server = await serve((_, response) => response.writeHead(status, { etag: '"1"' }).end());
      const outbound = open([server]);
      for (let i = 0; i < 10; i++) {
        const answer = await outbound.request(server.origin, { onHead: () => 'stop' });
        expect([answer.status, answer.body.length, answer.isComplete]).toEqual([status, 0, false]);
      }
      expect(server.connectionCount).toBeLessThanOrEqual(2);
    },
  );
});

describe('redirects', () => {
  test('each hop is reported and the last one responds', async () => {
    const server = await serve((request, response) => {
      const n = Number(request.url?.slice(1));
      if (n < 3) response.writeHead(302, { location: `/${n + 1}` });
      response.end(`at ${n}`);
    });
    const answer = await open([server]).request(`${server.origin}/0`);
    expect(textOf(answer.body)).toBe('at 3');
    expect(answer.redirects).toEqual([1, 2, 3].map((n) => `${server.origin}/${n}`));
    expect(answer.url).toBe(`${server.origin}/3`);
  });

  test('a loop is a redirect-loop, an endless chain stops after ten hops, zero hops returns the redirect', async () => {
    const server = await serve((request, response) => {
      const n = Number(request.url?.slice(2));
      response.writeHead(302, { location: request.url === '/self' ? '/self' : `/r${n + 1}` });
      response.end();
    });
    const outbound = open([server]);
    expect((await failureOf(outbound.request(`${server.origin}/self`))).code).toBe('redirect-loop');
    expect(server.requests.length).toBe(1);
    expect((await failureOf(outbound.request(`${server.origin}/r0`))).code).toBe('too-many-redirects');
    expect(server.requests.length).toBe(12);
    const plain = await outbound.request(`${server.origin}/r0`, { redirectsMax: 0 });
    expect([plain.status, plain.headers['location']]).toEqual([302, '/r1']);
  });

  test('credentials are never sent to another origin and do not return', async () => {
    const seen: Record<string, unknown>[] = [];
    const other: LoopbackServer = await serve((request, response) => {
      seen.push({ at: 'other', ...request.headers });
      response.writeHead(302, { location: `${first.origin}/back` }).end();
    });
    const first: LoopbackServer = await serve((request, response) => {
      seen.push({ at: 'first', ...request.headers });
      if (request.url === '/') response.writeHead(307, { location: `${other.origin}/leak` });
      response.end();
    });
    await open([first, other]).request(`${first.origin}/`, {
      headers: { Cookie: 'a=b', 'X-Plain': 'kept' },
      credentials: { Authorization: 'Bearer s3cret', 'X-Api-Key': 's3cret' },
    });
    const secrets = seen.map((one) => [
      one['at'],
      one['authorization'],
      one['x-api-key'],
      one['cookie'],
      one['x-plain'],
    ]);
    expect(secrets).toEqual([
      ['first', 'Bearer s3cret', 's3cret', 'a=b', 'kept'],
      ['other', undefined, undefined, undefined, 'kept'],
      ['first', undefined, undefined, undefined, 'kept'],
    ]);
  });

  test('a body is sent only to the same origin, and 303 turns a POST into a GET', async () => {
    const bodies: string[] = [];
    const other = await serve((_, response) => response.end());
    const server = await serve(async (request, response) => {
      bodies.push(`${request.method} ${request.url} ${(await request.toArray()).join('')}`);
      if (request.url === '/same') response.writeHead(307, { location: '/done' });
      if (request.url === '/get') response.writeHead(303, { location: '/done' });
      if (request.url === '/cross') response.writeHead(307, { location: other.origin });
      response.end();
    });
    const outbound = open([server, other]);
    const post = { method: 'POST', body: 'x=1' };
    await outbound.request(`${server.origin}/same`, post);
    await outbound.request(`${server.origin}/get`, post);
    expect((await failureOf(outbound.request(`${server.origin}/cross`, post))).code).toBe('insecure-redirect');
    expect(bodies).toEqual(['POST /same x=1', 'POST /done x=1', 'POST /get x=1', 'GET /done ', 'POST /cross x=1']);
    expect(other.connectionCount).toBe(0);
  });
});

describe('misbehaving servers', () => {
  const hurried: Partial<OutboundLimits> = {
    connectTimeoutMs: 200,
    headersTimeoutMs: 200,
    idleTimeoutMs: 200,
    timeoutMs: 2_000,
  };

  test('that accept and never respond cause a timeout', async () => {
    const server = await serveSocket(() => {});
    expect((await failureOf(open([server], hurried).request(server.origin))).code).toBe('timeout');
  });

  test('that send headers slowly cause a timeout', async () => {
    const server = await serveSocket((socket) => {
      const timer = setInterval(() => socket.write('x'), 20);
      socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
      socket.on('close', () => clearInterval(timer));
    });
    expect((await failureOf(open([server], { ...hurried, timeoutMs: 400 }).request(server.origin))).code).toBe(
      'timeout',
    );
  });

  test('whose body stops or trickles forever cause a timeout', async () => {
    const server = await serve((request, response) => {
      response.write('begin');
      if (request.url !== '/trickle') return;
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const outbound = open([server], { ...hurried, timeoutMs: 500 });
    expect((await failureOf(outbound.request(`${server.origin}/stop`))).code).toBe('timeout');
    expect((await failureOf(outbound.request(`${server.origin}/trickle`))).code).toBe('timeout');
  });

  test('with too many headers are refused without keeping them', async () => {
    const server = await serveSocket((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const line = `x-filler: ${'a'.repeat(8000)}\r\n`;
      const pump = () => {
        while (!socket.destroyed && socket.write(line));
      };
      socket.on('drain', pump);
      pump();
    });
    expect((await failureOf(open([server]).request(server.origin))).code).toBe('too-large');
  });

  test.each([
    ['no HTTP at all', 'hello\r\n\r\n', 'bad-response'],
    ['a bad chunk size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nhello\r\n', 'bad-response'],
    ['a body shorter than declared', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhello', 'unreachable'],
    ['nothing', '', 'unreachable'],
  ])('%s is an error with a message', async (_, answer, code) => {
    const server = await serveSocket((socket) => socket.once('data', () => socket.end(answer)));
    const error = await failureOf(open([server]).request(server.origin));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(/^\S.{20,}\.$/);
    expect(error.isTransient).toBe(true);
  });

  test('cause unreachable if the port is closed, and aborted if the request is canceled', async () => {
    const closed = await startLoopbackServer((_, response) => response.end());
    await closed.close();
    expect((await failureOf(open([closed]).request(closed.origin))).message).toMatch(/connection refused/);

    const silent = await serveSocket(() => {});
    const cancel = new AbortController();
    const pending = failureOf(open([silent]).request(silent.origin, { signal: cancel.signal }));
    cancel.abort();
    expect((await pending).code).toBe('aborted');
    expect((await failureOf(open([silent]).request(silent.origin, { signal: AbortSignal.abort() }))).code).toBe(
      'aborted',
    );
  });

  test('are not contacted after closing, even by a first request still being prepared', async () => {
    const server = await serve((_, response) => response.end());
    const [early, late] = [open([server]), open([server])];
    const pending = failureOf(early.request(server.origin));
    await early.close();
    await pending;
    await late.close();
    await failureOf(late.request(server.origin));
    expect(server.connectionCount).toBe(0);
  });

  const year = 365 * 86_400_000;
  test.each([
    ['self-signed', -year, year],
    ['expired', -2 * year, -year],
  ])('a %s certificate is a tls-error', async (_, fromMs, toMs) => {
    const now = Date.now();
    const pair = createSelfSignedCertificate('localhost', new Date(now + fromMs), new Date(now + toMs));
    const server = createTlsServer(pair, (_request, response) => response.end('secret'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanups.push(async () => server.close());
    const { port } = server.address() as AddressInfo;
    const error = await failureOf(open([{ port }]).request(`https://127.0.0.1:${port}/`));
    expect(error.code).toBe('tls-error');
  });
});
