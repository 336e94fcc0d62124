import { createHook } from 'node:async_hooks';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Blobs, type OpenBlob, openBlobs } from '#server/platform/blobs/index.ts';
import { s3Blobs } from '#server/platform/blobs/s3-blobs.ts';
import { startCuttableProxy } from '#test/services/cuttable-proxy.ts';
import { type S3Service, startS3 } from '#test/services/s3.ts';
import { openSmallDisk } from '#test/services/small-disk.ts';
import { temporaryFolder } from '#test/services/temporary-folder.ts';

let s3: S3Service;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3.stop());

/** Starts a service that sends the same response to every request and records the requests. */
async function recorder(status: number, body = '') {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    request.resume().on('end', () => response.writeHead(status, { etag: '"t"' }).end(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { requests, endpoint: `http://127.0.0.1:${port}`, stop };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Computes the signature that a request should carry (AWS Signature Version 4, written from its specification). */
function expectedSignature(request: IncomingMessage, secretAccessKey: string): string {
  const { authorization = '' } = request.headers;
  const [, scope = '', names = ''] = /Credential=[^/]+\/([^,]+), SignedHeaders=([^,]+)/.exec(authorization) ?? [];
  const [date = '', region = '', service = ''] = scope.split('/');
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const sortedQuery = query
    .split('&')
    .map((pair) => (pair.includes('=') || pair === '' ? pair : `${pair}=`))
    .sort();
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const bodyHash = String(request.headers['x-amz-content-sha256']);
  const canonical = [request.method, path, sortedQuery.join('&'), headers.join(''), names, bodyHash].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [date, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  return hmac(key, toSign).toString('hex');
}

test('requests are signed with the configured key, for the configured region, without optional checksums', async () => {
  const service = await recorder(200);
  const blobs = await openBlobs({ ...s3.config, endpoint: service.endpoint });
  await blobs.put('segments/a~b.seg', new TextEncoder().encode('content'));
  await blobs.exists('segments/a~b.seg');
  await blobs.delete('segments/a~b.seg');
  expect(service.requests.map((request) => `${request.method} ${request.url?.split('?')[0]}`)).toEqual([
    'PUT /library/one/installation/segments/a~b.seg',
    'HEAD /library/one/installation/segments/a~b.seg',
    'DELETE /library/one/installation/segments/a~b.seg',
  ]);
  for (const request of service.requests) {
    const { authorization = '' } = request.headers;
    expect(authorization).toContain('Credential=AKIDEXAMPLE/');
    expect(authorization).toContain('/eu-central-1/s3/aws4_request');
    const signature = /Signature=([0-9a-f]{64})/.exec(authorization)?.[1];
    expect(signature).toBe(expectedSignature(request, 'wJalrXUtnFEMI+K7MDENG'));
    expect(signature).not.toBe(expectedSignature(request, 'another secret'));
    expect(Object.keys(request.headers).filter((name) => name.includes('checksum'))).toEqual([]);
  }
  await service.stop();
});

describe('the cache of a bucket', () => {
  const contents = (blob: OpenBlob) => Buffer.from(blob.read(0, blob.byteLength)).toString();
  const filled = async (blobs: Blobs, keys: string[]) => {
    for (const key of keys) await blobs.put(key, new Uint8Array(1000).fill(key.charCodeAt(0)));
  };

  test('an object is fetched once, also by simultaneous readers and by the next process', async () => {
    const config = { ...s3.config, prefix: 'cached', cacheFolder: temporaryFolder() };
    const blobs = await openBlobs(config);
    await filled(blobs, ['a']);
    const opened = await Promise.all(Array.from({ length: 6 }, () => blobs.open('a')));
    expect(new Set(opened.map(contents))).toEqual(new Set(['a'.repeat(1000)]));
    expect(readdirSync(config.cacheFolder)).toHaveLength(1);
    opened.push(await (await openBlobs(config)).open('a'));
    expect(readdirSync(config.cacheFolder)).toHaveLength(1);
    for (const blob of opened) blob.close();
  });

  test('copies over the limit are deleted and fetched again when needed', async () => {
    const config = { ...s3.config, prefix: 'crowded', cacheFolder: temporaryFolder(), cacheBytesMax: 2500 };
    const blobs = await openBlobs(config);
    await filled(blobs, ['a', 'b', 'c', 'd']);
    const first = await blobs.open('a');
    for (const key of ['b', 'c', 'd', 'a']) {
      const blob = await blobs.open(key);
      expect(contents(blob)).toBe(key.repeat(1000));
      blob.close();
    }
    expect(readdirSync(config.cacheFolder).length).toBeLessThanOrEqual(2);
    expect(contents(first)).toBe('a'.repeat(1000));
    first.close();
  });

  test('caching a copy needs no more disk operations the more copies there are', async () => {
    const config = { ...s3.config, prefix: 'many', cacheFolder: temporaryFolder() };
    const blobs = await openBlobs(config);
    let requests = 0;
    const counter = createHook({
      init: (_, type) => {
        if (type === 'FSREQPROMISE') requests += 1;
      },
    });
    const requestsFor = async (from: number, to: number) => {
      const keys = Array.from({ length: to - from }, (_, at) => `copy${from + at}`);
      await filled(blobs, keys);
      requests = 0;
      counter.enable();
      for (const key of keys) (await blobs.open(key)).close();
      counter.disable();
      return requests;
    };
    await requestsFor(0, 10);
    const few = await requestsFor(10, 20);
    await requestsFor(20, 190);
    expect(few).toBeGreaterThan(0);
    expect(await requestsFor(190, 200)).toBeLessThan(2 * few);
  });

  test('unfinished downloads of a killed process are deleted at the next start, and finished copies are not', async () => {
    const config = { ...s3.config, prefix: 'begun', cacheFolder: temporaryFolder() };
    await filled(await openBlobs(config), ['a']);
    (await (await openBlobs(config)).open('a')).close();
    const [copy = ''] = readdirSync(config.cacheFolder);
    const begun = join(config.cacheFolder, `${copy}.00000000-0000-4000-8000-000000000000.partial`);
    writeFileSync(begun, 'a part');
    await openBlobs(config);
    expect(existsSync(begun)).toBe(true);
    await openBlobs(config, { isFirst: true });
    expect(readdirSync(config.cacheFolder)).toEqual([copy]);
  });

  test('a deleted cache folder is created again', async () => {
    const config = { ...s3.config, prefix: 'removed', cacheFolder: join(temporaryFolder(), 'cache') };
    const blobs = await openBlobs(config);
    await filled(blobs, ['a', 'b']);
    const first = await blobs.open('a');
    rmSync(config.cacheFolder, { recursive: true });
    const second = await blobs.open('b');
    expect([first, second].map(contents)).toEqual(['a'.repeat(1000), 'b'.repeat(1000)]);
    for (const blob of [first, second]) blob.close();
  });

  test('on a full disk, unused copies make room for another', async () => {
    const disk = openSmallDisk(4);
    if (disk === undefined) return;
    const blobs = await openBlobs({ ...s3.config, prefix: 'full', cacheFolder: join(disk.folder, 'cache') });
    const large = (key: string) => Buffer.alloc(500_000, key);
    for (const key of ['a', 'b', 'c', 'd', 'e']) await blobs.put(key, large(key));
    const opened = [await blobs.open('a'), await blobs.open('b'), await blobs.open('c')];
    opened.pop()?.close();
    disk.fill();
    const fourth = await blobs.open('d');
    expect(contents(fourth)).toBe(large('d').toString());
    await expect(blobs.open('e')).rejects.toMatchObject({ code: 'disk-full' });
    // The open copy is still there for the next process.
    const again = await blobs.open('a');
    expect(contents(again)).toBe(large('a').toString());
    for (const blob of [...opened, fourth, again]) blob.close();
  });

  test.each(['refusing', 'silent'] as const)(
    'while the bucket is %s, the next process opens cached objects',
    async (state) => {
      const proxy = await startCuttableProxy(Number(new URL(s3.config.endpoint ?? '').port));
      const endpoint = `http://127.0.0.1:${proxy.port}`;
      const config = { ...s3.config, endpoint, prefix: `away-${state}`, cacheFolder: temporaryFolder() };
      const before = await openBlobs(config);
      await filled(before, ['a', 'b', 'c']);
      for (const key of ['a', 'b']) (await before.open(key)).close();
      // The version used last is kept.
      await before.put('b', Buffer.from('later'));
      (await before.open('b')).close();
      proxy.become(state);
      const next = await openBlobs(config);
      const [a, b] = await Promise.all([next.open('a'), next.open('b')]);
      expect([a, b].map(contents)).toEqual(['a'.repeat(1000), 'later']);
      for (const blob of [a, b]) blob.close();
      await expect(next.open('c')).rejects.toMatchObject({ code: 'unreachable' });
      proxy.become('open');
      await next.delete('a');
      await expect(next.open('a')).rejects.toMatchObject({ code: 'not-found' });
    },
    60_000,
  );
});

test('a service that accepts requests and never responds counts as unreachable', async () => {
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const blobs = await openBlobs({ ...s3.config, endpoint: `http://127.0.0.1:${port}` });
  const away = { code: 'unreachable', message: expect.stringContaining('does not answer') };
  const requests = [blobs.open('a'), blobs.exists('a'), blobs.delete('a'), blobs.entries(''), blobs.move('a', 'b')];
  const asked = requests.map((answer) => expect(answer).rejects.toMatchObject(away));
  await Promise.all(asked);
  for (const socket of sockets) socket.destroy();
  server.close();
});

test('an object that arrives in part is not kept, and a response without an entity tag is not from the store', async () => {
  let [sent, tag] = ['lo', '"t"'];
  const server = createServer(({ method }, response) => {
    const size = method === 'HEAD' ? 5 : sent.length;
    response.writeHead(200, { 'content-length': size, ...(tag === '' ? {} : { etag: tag }) }).end(sent);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const blobs = await openBlobs({ ...s3.config, endpoint: `http://127.0.0.1:${port}`, cacheFolder: temporaryFolder() });
  await expect(blobs.open('a')).rejects.toMatchObject({ code: 'unreachable' });
  sent = 'looms';
  const blob = await blobs.open('a');
  expect(blob.byteLength).toBe(5);
  blob.close();
  tag = '';
  await expect(blobs.exists('a')).rejects.toMatchObject({ code: 'unreachable' });
  server.close();
});

test('if another process deletes an object right after it is checked, the object is missing, not its bucket', async () => {
  const heads = [200, 200, 404];
  const server = createServer((request, response) => {
    const status = request.method === 'HEAD' ? heads.shift() : 404;
    response.writeHead(status ?? 404, { etag: '"t"' }).end('<Error><Code>NoSuchKey</Code></Error>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const blobs = await openBlobs({ ...s3.config, endpoint: `http://127.0.0.1:${port}` });
  expect(await blobs.move('a', 'b')).toBe(false);
  await expect(blobs.open('a')).rejects.toMatchObject({ code: 'not-found' });
  server.close();
});

test('another installation’s objects under a longer prefix, and folder markers of consoles, are not listed', async () => {
  const config = { ...s3.config, prefix: 'outer' };
  const outer = await openBlobs(config);
  await outer.put('segments/a.seg', Buffer.from('outer'));
  for (const prefix of ['outer/b', 'outer/trash', 'outer/c/d']) {
    const inner = await openBlobs({ ...config, prefix });
    for (const key of ['installation.json', '2026-01-01/a', 'segments/b.seg'])
      await inner.put(key, Buffer.from('inner'));
    expect(await inner.list('')).toHaveLength(3);
  }
  const { endpoint = '', region, credentials = { accessKeyId: '', secretAccessKey: '' } } = config;
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  await client.send(new PutObjectCommand({ Bucket: config.bucket, Key: 'outer/', Body: '' }));
  expect(await outer.list('')).toEqual(['segments/a.seg']);
  expect(await outer.list('trash/')).toEqual([]);
});

test('a missing bucket, a refused key and an unreachable service are distinguished', async () => {
  const open = (changes: object) => openBlobs({ ...s3.config, ...changes });
  const missing = await open({ bucket: 'nowhere' });
  await expect(missing.put('a', new Uint8Array(1))).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('bucket nowhere'),
  });
  const denied = await recorder(403, '<Error><Code>AccessDenied</Code></Error>');
  const stranger = await open({ endpoint: denied.endpoint });
  await expect(stranger.list('')).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('S3_ACCESS_KEY_ID'),
  });
  await expect(stranger.open('a')).rejects.toMatchObject({ code: 'refused' });
  // The response to a HEAD request has no body.
  await expect(stranger.exists('a')).rejects.toThrow('refused (HTTP 403)');
  const elsewhere = await recorder(301, '<Error><Code>PermanentRedirect</Code></Error>');
  const moved = await open({ endpoint: elsewhere.endpoint });
  for (const ask of [() => moved.exists('a'), () => moved.list('')]) {
    await expect(ask()).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('in another region'),
    });
  }
  await elsewhere.stop();
  // These are temporary, which a waiting run must know.
  for (const status of [429, 503]) {
    const busy = await recorder(status, '<Error><Code>SlowDown</Code></Error>');
    await expect((await open({ endpoint: busy.endpoint })).list('')).rejects.toMatchObject({ code: 'unreachable' });
    await busy.stop();
  }
  await denied.stop();
  await expect(stranger.open('a')).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining('S3_ENDPOINT'),
  });
});

test('without the optional package, the error says how to install it', async () => {
  const absent: string = 'package-that-is-not-installed';
  await expect(s3Blobs(s3.config, false, () => import(absent))).rejects.toMatchObject({
    code: 'package-missing',
    message: expect.stringContaining('npm install @aws-sdk/client-s3'),
  });
});
