import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http';
import { type AddressInfo, connect, isIP, type Socket } from 'node:net';
import type { AddressGuard, Target } from './address-guard.ts';
import { createCheckedLookup, type Resolve } from './checked-lookup.ts';
import { OutboundError, toOutboundError } from './outbound-error.ts';

/** Permission to reach one host through the proxy. */
export interface ProxyPass {
  /** `http://name:secret@127.0.0.1:port`; contains a secret. */
  url: string;
  /** Returns the error of the last connection, if it failed. */
  failure(): OutboundError | undefined;
  /** Closes the pass's connections. */
  close(): void;
}

interface Passage {
  url: URL;
  secretHash: Buffer;
  failure: OutboundError | undefined;
  sockets: Set<Socket>;
}

const hopHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'te',
  'upgrade',
  'expect',
]);

/**
 * An HTTP proxy on loopback for our own programs: each pass is a secret for one host, and every connection is guarded.
 */
export class ProxyServer {
  readonly #parts: { guard: AddressGuard; resolve: Resolve; connectTimeoutMs: number };
  readonly #passages = new Map<string, Passage>();
  readonly #sockets = new Set<Socket>();
  readonly #http = createServer({ requestTimeout: 0 });
  #listening: Promise<number> | undefined;

  constructor(parts: { guard: AddressGuard; resolve: Resolve; connectTimeoutMs: number }) {
    this.#parts = parts;
    this.#http.on('connection', (socket: Socket) => {
      this.#sockets.add(socket.on('close', () => this.#sockets.delete(socket)).on('error', () => undefined));
    });
    this.#http.on('request', (request, response) => this.#forward(request, response));
    this.#http.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) =>
      this.#tunnel(request, socket, head),
    );
  }

  async open(url: URL): Promise<ProxyPass> {
    this.#listening ??= this.#listen();
    const port = await this.#listening;
    const name = randomBytes(8).toString('hex');
    const secret = randomBytes(24).toString('hex');
    const passage: Passage = {
      url,
      secretHash: hash('sha256', secret, 'buffer'),
      failure: undefined,
      sockets: new Set(),
    };
    this.#passages.set(name, passage);
    return {
      url: `http://${name}:${secret}@127.0.0.1:${port}`,
      failure: () => passage.failure,
      close: () => {
        this.#passages.delete(name);
        for (const socket of passage.sockets) socket.destroy();
      },
    };
  }

  async close(): Promise<void> {
    if (this.#listening === undefined) return;
    await this.#listening;
    this.#passages.clear();
    this.#http.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#http, 'close');
  }

  async #listen(): Promise<number> {
    this.#http.listen(0, '127.0.0.1');
    await once(this.#http, 'listening');
    this.#http.unref();
    return (this.#http.address() as AddressInfo).port;
  }

  #passageOf(request: IncomingMessage): Passage | undefined {
    const given = /^Basic (.+)$/i.exec(request.headers['proxy-authorization'] ?? '')?.[1] ?? '';
    const [name = '', secret = ''] = Buffer.from(given, 'base64').toString().split(':');
    const passage = this.#passages.get(name);
    return passage && timingSafeEqual(passage.secretHash, hash('sha256', secret, 'buffer')) ? passage : undefined;
  }

  /** Forwards a plain HTTP request, whose first line contains the full address. */
  #forward(request: IncomingMessage, response: ServerResponse): void {
    const passage = this.#passageOf(request);
    if (!passage) return void response.writeHead(407, { 'proxy-authenticate': 'Basic realm="exit"' }).end();
    const url = URL.parse(request.url ?? '');
    try {
      if (url?.protocol !== 'http:' || url.origin !== passage.url.origin) throw elsewhere(passage, request.url ?? '');
      const target = this.#parts.guard.checkUrl(url);
      const sent = sendRequest({
        ...this.#connection(target, url.href),
        agent: false,
        method: request.method,
        path: `${url.pathname}${url.search}`,
        headers: { ...withoutHopHeaders(request.headers), host: url.host },
        timeout: this.#parts.connectTimeoutMs,
      });
      sent.on('socket', (socket) => {
        keep(passage, socket);
        socket.once('connect', () => sent.setTimeout(0));
      });
      sent.on('timeout', () => sent.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })));
      sent.on('error', (error) => this.#answerFailure(passage, url.href, error, response));
      sent.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, withoutHopHeaders(answer.headers));
        answer.on('error', () => response.destroy()).pipe(response);
      });
      response.on('close', () => sent.destroy());
      request.on('error', () => sent.destroy()).pipe(sent);
    } catch (error) {
      this.#answerFailure(passage, request.url ?? '', error, response);
    }
  }

  #tunnel(request: IncomingMessage, client: Socket, head: Buffer): void {
    client.on('error', () => client.destroy());
    const passage = this.#passageOf(request);
    if (!passage) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic realm="exit"\r\n\r\n');
      return;
    }
    const written = `https://${request.url ?? ''}`;
    const refuse = (error: unknown) => {
      passage.failure = toOutboundError(error, written);
      client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    };
    const url = URL.parse(written);
    try {
      if (!url || !mayTunnel(passage.url, url)) throw elsewhere(passage, written);
      const target = this.#parts.guard.checkUrl(url);
      const server = connect({ ...this.#connection(target, url.href), timeout: this.#parts.connectTimeoutMs });
      keep(passage, server);
      keep(passage, client);
      server.once('timeout', () => server.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })));
      server.once('error', refuse);
      server.once('connect', () => {
        server.setTimeout(0);
        server.off('error', refuse).on('error', () => client.destroy());
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        server.write(head);
        client.pipe(server).pipe(client);
      });
      server.on('close', () => client.destroySoon());
      client.on('close', () => server.destroy());
    } catch (error) {
      refuse(error);
    }
  }

  #connection(target: Target, url: string) {
    const { guard, resolve } = this.#parts;
    // A literal address never reaches the look-up.
    if (isIP(target.hostname) !== 0) guard.checkAddress(target.hostname, target, url);
    const lookup = createCheckedLookup(target, url, guard, resolve);
    return { host: target.hostname, port: target.port, lookup, autoSelectFamily: true };
  }

  #answerFailure(passage: Passage, url: string, error: unknown, response: ServerResponse): void {
    passage.failure = toOutboundError(error, url);
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  }
}

/** Allows tunnels to the pass's host and port, or from plain HTTP to the HTTPS port of the same host. */
function mayTunnel(allowed: URL, wanted: URL): boolean {
  if (wanted.hostname !== allowed.hostname) return false;
  return wanted.port === (allowed.protocol === 'https:' ? allowed.port : '');
}

function elsewhere(passage: Passage, wanted: string): OutboundError {
  const to = URL.canParse(wanted) ? new URL(wanted).origin : wanted;
  return new OutboundError(
    'address-refused',
    wanted,
    `${passage.url.origin} redirects to ${to}, which was not followed. Use the repository's address there.`,
  );
}

function keep(passage: Passage, socket: Socket): void {
  passage.sockets.add(socket);
  socket.on('close', () => passage.sockets.delete(socket));
}

function withoutHopHeaders(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopHeaders.has(name)));
}
