import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { createRepository, gitEnvironment, type TestRepository } from './git-repository.ts';

export interface ServedRepository extends TestRepository {
  /** `http://127.0.0.1:1234/owner/name.git` */
  url: string;
  /** Requires one of these `user:password` pairs from now on; an empty list makes it public again. */
  restrictTo(...credentials: string[]): void;
}

/** A server of git repositories over HTTP. */
export interface GitServer {
  /** `http://127.0.0.1:1234` */
  origin: string;
  /** `127.0.0.1:1234`, as LECTERN_ALLOW_HOSTS takes it. */
  host: string;
  /** `GET /path?query` of every request, in order of arrival. */
  requests: string[];
  /** The `authorization` header of each request, in the same order. */
  authorizations: (string | undefined)[];
  connectionCount: number;
  /** Receives each request first: it may wait, or respond itself and return true. */
  onRequest: ((request: IncomingMessage, response: ServerResponse) => unknown) | undefined;
  /** Creates an empty repository `owner/name`. */
  add(name: string): Promise<ServedRepository>;
  stop(): Promise<void>;
}

/**
 * Serves real repositories with `git http-backend` on a free loopback port:
 *
 *     const server = await startGitServer(temporaryFolder());
 *     const repository = await server.add('team/handbook');
 *     await repository.commit({ 'README.md': '# Handbook', 'docs/old.md': null });
 *     repository.restrictTo('x-access-token:s3cret');
 *     … repository.url …
 *     await server.stop();
 *
 * Change repositories through the object that `add` returns (`commit`, `tag`, `renameBranch`, `remove` …), not by pushes.
 * `folder` belongs to the caller and is not removed.
 */
export async function startGitServer(folder: string, host = '127.0.0.1'): Promise<GitServer> {
  const restricted = new Map<string, string[]>();
  const sockets = new Set<Socket>();
  const http = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  http.on('connection', (socket) => {
    server.connectionCount += 1;
    sockets.add(socket.on('close', () => sockets.delete(socket)));
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://server');
    server.requests.push(`${request.method} ${request.url}`);
    server.authorizations.push(request.headers.authorization);
    if ((await server.onRequest?.(request, response)) === true) return;
    const repository = [...restricted].find(([name]) => url.pathname.startsWith(`/${name}.git/`));
    const allowed = repository?.[1] ?? [];
    const given = Buffer.from((request.headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString();
    if (allowed.length > 0 && !allowed.includes(given)) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    } else if (repository === undefined) response.writeHead(404).end();
    else await runBackend(folder, url, request, response);
  };
  http.listen(0, host);
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  const origin = `http://${host}:${port}`;
  const server: GitServer = {
    origin,
    host: `${host}:${port}`,
    requests: [],
    authorizations: [],
    connectionCount: 0,
    onRequest: undefined,
    async add(name) {
      const path = join(folder, `${name}.git`);
      mkdirSync(dirname(path), { recursive: true });
      const repository = await createRepository(path);
      restricted.set(name, []);
      return {
        ...repository,
        url: `${origin}/${name}.git`,
        restrictTo: (...credentials) => void restricted.set(name, credentials),
        async remove() {
          restricted.delete(name);
          await repository.remove();
        },
      };
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      http.close();
      await once(http, 'close');
    },
  };
  return server;
}

/** Runs the program for one request (RFC 3875). */
async function runBackend(folder: string, url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const child = spawn('git', ['http-backend'], {
    env: {
      ...gitEnvironment(),
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      REQUEST_METHOD: request.method ?? 'GET',
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      ...(request.headers['content-encoding'] ? { HTTP_CONTENT_ENCODING: request.headers['content-encoding'] } : {}),
      ...(request.headers['git-protocol'] ? { GIT_PROTOCOL: String(request.headers['git-protocol']) } : {}),
      ...(request.headers['content-length'] ? { CONTENT_LENGTH: request.headers['content-length'] } : {}),
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  response.on('close', () => child.kill());
  child.stdin.on('error', () => undefined);
  request.on('error', () => undefined).pipe(child.stdin);
  let head = Buffer.alloc(0);
  let isHeadSent = false;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    if (isHeadSent) {
      if (!response.write(chunk)) await drained(response);
      continue;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) continue;
    isHeadSent = true;
    sendHead(head.subarray(0, end).toString('latin1'), response);
    response.write(head.subarray(end + 4));
  }
  response.end();
}

async function drained(response: ServerResponse): Promise<void> {
  const done = new AbortController();
  const { signal } = done;
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  done.abort();
}

function sendHead(head: string, response: ServerResponse): void {
  let status = 200;
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trim()];
    if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  response.writeHead(status);
}
