import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { cli, startCli } from '../cli/run-cli.ts';
import { emptyDatabaseConfig, freshDatabaseConfig } from '../services/database.ts';
import { startDnsServer } from '../services/dns-server.ts';
import { freePort } from '../services/free-port.ts';
import { hasPostgres } from '../services/postgres.ts';
import { startS3 } from '../services/s3.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { until } from '../services/until.ts';

const nginx = '/usr/sbin/nginx';
const compose = readFileSync(new URL('../../deploy/nginx.conf', import.meta.url), 'utf8');
const hasNginx = existsSync(nginx);
if (!hasNginx) {
  if (process.env.CI) throw new Error('nginx is not installed, and CI must test with it: apt-get install nginx-light');
  console.warn('nginx is not installed: its tests are left out (apt-get install nginx-light)');
}

/** Returns the configuration block of a page of the manual. */
function blockOf(page: string): string {
  const text = readFileSync(new URL(`../../docs/operate/${page}.md`, import.meta.url), 'utf8');
  const block = /```nginx\n([\s\S]*?)```/.exec(text)?.[1];
  if (block === undefined) throw new Error(`${page}.md has no block for nginx`);
  return block;
}

/** Writes a configuration around the block; returns nginx's arguments for it. */
function configured(block: string): string[] {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'logs'));
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const lines = ['worker_processes 1;', `pid ${folder}/pid;`, 'error_log stderr warn;', 'events {}'];
  writeFileSync(join(folder, 'nginx.conf'), [...lines, 'http {', 'access_log off;', ...places, block, '}'].join('\n'));
  return ['-p', folder, '-c', join(folder, 'nginx.conf')];
}

describe.skipIf(!hasNginx)('with a real nginx', () => {
  test('the configuration blocks in the manual are valid', () => {
    const folder = temporaryFolder();
    const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const subject = ['-subj', '/CN=docs.example.org', '-days', '1'];
    const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, ...subject];
    execFileSync('openssl', made, { stdio: 'ignore' });
    const proxy = blockOf('proxy')
      .replace('/etc/ssl/docs.example.org.pem', certificate)
      .replace('/etc/ssl/docs.example.org.key', key);
    for (const block of [proxy, blockOf('scale-out'), compose]) {
      execFileSync(nginx, ['-t', '-q', ...configured(block)], { stdio: 'pipe' });
    }
  });

  test('the compose file’s configuration finds a replaced container, and each role', async () => {
    const [front, port, names] = [await freePort(), await freePort(), await startDnsServer()];
    onTestFinished(() => names.stop());
    const serveAt = async (host: string) => {
      const server = createServer((request, response) => response.end(`${host} ${request.url}`));
      server.listen(port, host);
      await once(server, 'listening');
      onTestFinished(() => void server.close());
    };
    for (const host of ['127.0.0.2', '127.0.0.3', '127.0.0.4']) await serveAt(host);
    names.addresses.set('web', '127.0.0.2').set('mcp', '127.0.0.3');
    const block = compose
      .replace('127.0.0.11 valid=5s', `${names.address} valid=1s`)
      .replace('listen 80', `listen 127.0.0.1:${front}`)
      .replaceAll('7331', `${port}`);
    const proxy = spawn(nginx, [...configured(block), '-g', 'daemon off;'], { stdio: 'ignore' });
    onTestFinished(async () => {
      proxy.kill('SIGTERM');
      await once(proxy, 'exit');
    });
    const ask = (path: string, accept = '*/*') =>
      fetch(`http://127.0.0.1:${front}${path}`, { headers: { accept } }).then(
        (response) => response.text(),
        () => undefined,
      );
    await until('the proxy answers', async () => (await ask('/')) === '127.0.0.2 /');
    expect(await ask('/read?url=a%20b')).toBe('127.0.0.3 /read?url=a%20b');
    expect(await ask('/mcp')).toBe('127.0.0.3 /mcp');
    expect(await ask('/mcp', 'text/html')).toBe('127.0.0.2 /mcp');
    names.addresses.set('web', '127.0.0.4');
    await until('it has the new address', async () => (await ask('/api/status')) === '127.0.0.4 /api/status');
  });

  describe.skipIf(!hasPostgres())('in front of two processes', () => {
    beforeAll(async () => void (await freshDatabaseConfig('postgres')), 60_000);

    test('each process is replaced twice under load, and no request fails', { timeout: 400_000 }, async () => {
      const [database, s3] = await Promise.all([emptyDatabaseConfig('postgres'), startS3()]);
      onTestFinished(() => s3.stop());
      const env = {
        ...{ DATABASE_URL: database.kind === 'postgres' ? database.url : '', LECTERN_SECRET: 'ab'.repeat(32) },
        ...{
          BLOB_STORE: `s3://${s3.config.bucket}/x`,
          S3_ENDPOINT: s3.config.endpoint ?? '',
          S3_REGION: 'eu-central-1',
        },
        ...{ S3_ACCESS_KEY_ID: 'AKIDEXAMPLE', S3_SECRET_ACCESS_KEY: 'secret', LECTERN_DRAIN_SECONDS: '1' },
        ...{ LOG_LEVEL: 'error', LECTERN_TRUSTED_PROXIES: '127.0.0.1' },
      };
      const [front, ...ports] = [await freePort(), await freePort(), await freePort()];
      const folders = ports.map(() => join(temporaryFolder(), 'data'));
      const start = async (at: number) => {
        const running = startCli(['start', '--data', folders[at] ?? '', '--port', String(ports[at])], { env });
        await until('it is ready', () => / is ready: /.test(running.output()), 120_000);
        return running;
      };
      const processes = [await start(0), await start(1)];
      const secret = (await cli(['key', 'create', 'load', '--data', folders[0] ?? ''], { env })).output.trim();
      const block = blockOf('scale-out')
        .replace('listen 80', `listen 127.0.0.1:${front}`)
        .replace('docs.example.org', 'localhost')
        .replace('127.0.0.1:7331', `127.0.0.1:${ports[0]}`)
        .replace('127.0.0.1:7332', `127.0.0.1:${ports[1]}`);
      const proxy = spawn(nginx, [...configured(block), '-g', 'daemon off;'], { stdio: 'ignore' });
      onTestFinished(async () => {
        proxy.kill('SIGTERM');
        await once(proxy, 'exit');
      });
      const url = `http://localhost:${front}`;
      await until('the proxy answers', async () => (await fetch(`${url}/healthz`).catch(() => undefined))?.ok);

      const load = new AbortController();
      const failures: string[] = [];
      let answered = 0;
      const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
      const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
      const asks: (() => Promise<Response>)[] = [
        () => fetch(`${url}/api/status`),
        () => fetch(`${url}/api/search?query=warp`, { headers }),
        () =>
          fetch(`${url}/mcp`, {
            method: 'POST',
            body: list,
            headers: { ...headers, accept: 'application/json, text/event-stream' },
          }),
      ];
      const lane = async (ask: () => Promise<Response>) => {
        while (!load.signal.aborted) {
          try {
            const response = await ask();
            await response.text();
            if (response.ok) answered += 1;
            else failures.push(`${response.status}`);
          } catch (error) {
            failures.push(String((error as Error).cause ?? error));
          }
          await delay(20);
        }
      };
      const lanes = asks.map(lane);
      for (const at of [0, 1, 0, 1]) {
        processes[at]?.child.kill('SIGTERM');
        expect((await processes[at]?.ended)?.code).toBe(0);
        processes[at] = await start(at);
      }
      load.abort();
      await Promise.all(lanes);
      expect(failures).toEqual([]);
      expect(answered).toBeGreaterThan(100);
      for (const { child } of processes) child.kill('SIGTERM');
      for (const { ended } of processes) expect((await ended).code).toBe(0);
    });
  });
});
