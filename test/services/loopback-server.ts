import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { resolve } from 'node:path';

/** Test support: a listener on loopback that records its requests. */
export interface LoopbackServer {
  port: number;
  /** "http://127.0.0.1:1234", no slash at the end. */
  origin: string;
  connectionCount: number;
  /** "GET /path" of every request, in order of arrival. */
  requests: string[];
  close(): Promise<void>;
}

export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Serves `listener` on a free port of `host` (or on `port`). */
export async function startLoopbackServer(listener: Listener, host = '127.0.0.1', port = 0): Promise<LoopbackServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    listener(request, response);
  });
  return listen(server, host, port, requests);
}

/** Accepts raw connections, for responses that no HTTP library would send. */
export async function startLoopbackSocket(
  onConnection: (socket: Socket) => void,
  host = '127.0.0.1',
  port = 0,
): Promise<LoopbackServer> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => socket.destroy());
    onConnection(socket);
  });
  return listen(server, host, port, []);
}

/** Starts a server on `host` and, on the same port of other addresses, listeners that no request may reach. */
export async function startWithCanaries(
  listener: Listener,
  host: string,
  canaryHosts: readonly string[],
): Promise<{ server: LoopbackServer; canaries: LoopbackServer[] }> {
  for (let attempt = 1; ; attempt++) {
    const server = await startLoopbackServer(listener, host);
    const canaries: LoopbackServer[] = [];
    try {
      for (const canaryHost of canaryHosts) {
        canaries.push(await startLoopbackSocket((socket) => socket.destroy(), canaryHost, server.port));
      }
      return { server, canaries };
    } catch (error) {
      await Promise.all([server, ...canaries].map((one) => one.close()));
      // A port that is free on one address may be in use on another.
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (!isTaken || attempt === 20) throw error;
    }
  }
}

async function listen(
  server: Server | ReturnType<typeof createTcpServer>,
  host: string,
  port: number,
  requests: string[],
): Promise<LoopbackServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    running.connectionCount++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(port, host);
  await once(server, 'listening');
  const bound = (server.address() as AddressInfo).port;
  const running: LoopbackServer = {
    port: bound,
    origin: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    connectionCount: 0,
    requests,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return running;
}

/** Returns the cases of a shared acceptance list, or undefined if the data is not on this machine. */
export function readSharedCases<T>(name: string): T[] | undefined {
  const path = sharedPath('security', `${name}.jsonl`);
  try {
    return readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as T);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      process.stderr.write(`left out: ${path} is not there (set LECTERN_SHARED)\n`);
      return undefined;
    }
    throw error;
  }
}

function sharedPath(...parts: string[]): string {
  // oxlint-disable-next-line no-restricted-properties -- test support: where the shared acceptance data lies
  return resolve(process.env['LECTERN_SHARED'] ?? '../shared', ...parts);
}
