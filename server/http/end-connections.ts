import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that wait for their answers; browsers and clients of today send the next after the last one. */
export const unansweredMax = 16;

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * The same listener, for one request of a connection after the other: answers wait in memory until they are read. It ends
 * connections that send request after request and read no answer.
 */
export function endingHasty(listener: Listener): Listener {
  /** By connection: its requests that are not answered, the one in progress first. */
  const unanswered = new WeakMap<Socket, (() => unknown)[]>();
  return (request, response) => {
    const { socket } = request;
    const line = unanswered.get(socket) ?? [];
    if (line.length >= unansweredMax) return socket.destroy();
    unanswered.set(socket, line);
    response.once('close', () => {
      line.shift();
      if (!socket.destroyed) void line[0]?.();
    });
    line.push(() => listener(request, response));
    return line.length === 1 ? line[0]?.() : undefined;
  };
}

/** Under a minute, with what it takes to notice. */
export const headersMsMax = 50_000;
export const slownessNoticedMs = 5_000;
const lookMs = 55_000;
/** What has to arrive between two looks: a file may come slowly, a body of a byte a second holds a connection and nothing else. */
const bytesMin = 64_000;

/** Ends connections whose request body comes so slowly that no one can want it. */
export function endSlowBodies(server: Server, everyMs = lookMs): void {
  server.on('request', (request: IncomingMessage) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    if (coding === undefined && (length === undefined || length === '0')) return;
    const { socket } = request;
    let read = socket.bytesRead;
    const look = () => {
      if (!request.complete && socket.bytesRead - read < bytesMin) socket.destroy();
      read = socket.bytesRead;
    };
    // Received data is read first: the sender is not to blame if this process stood still for a moment.
    const timer = setInterval(() => setImmediate(look), everyMs);
    const stop = () => {
      clearInterval(timer);
      // Many requests come over one connection.
      socket.off('close', stop);
    };
    request.once('end', stop).once('close', stop);
    socket.once('close', stop);
  });
}

const lookEveryMs = 50;

/**
 * Returns what stops a server: it takes no new connections, and resolves when the requests in progress are answered, or after
 * `patienceMs`. Called before the server listens.
 */
export function requestsEnder(server: Server, patienceMs: number): () => Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // Browsers open connections ahead. Node counts those as busy until the time for their first headers is over.
  const isUnused = ({ bytesRead }: Socket) => bytesRead === 0;
  return () =>
    new Promise((resolve) => {
      let unusedBefore: Socket[] = [];
      const timer = setTimeout(() => server.closeAllConnections(), patienceMs);
      const interval = setInterval(() => {
        // A connection whose last request has ended would be kept for the next one.
        server.closeIdleConnections();
        // Only sockets that were unused at two checks: received data is read between them.
        for (const socket of unusedBefore) if (isUnused(socket)) socket.destroy();
        unusedBefore = [...sockets].filter(isUnused);
      }, lookEveryMs);
      server.close(() => {
        clearTimeout(timer);
        clearInterval(interval);
        resolve();
      });
    });
}

/** As long as a body may stand still. */
const standstillMs = 55_000;
const unreadLookMs = 1_000;
/** Bytes of answers that wait for their readers, of all together. */
const unreadBytesMax = 256_000_000;

/**
 * Ends connections that take nothing of their answer, and those with most of it before them while answers that wait to be read
 * take too much memory together.
 */
export function endUnreadAnswers(server: Server, { silentMs = standstillMs, bytesMax = unreadBytesMax } = {}): void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    // Nothing came or went for so long; the answer may also be in the making.
    response.setTimeout(silentMs, () => {
      if (socket.writableLength > 0) socket.destroy();
    });
  });
  const timer = setInterval(() => {
    const unread = [...sockets].filter(({ writableLength }) => writableLength > 0);
    let bytes = unread.reduce((sum, { writableLength }) => sum + writableLength, 0);
    if (bytes <= bytesMax) return;
    for (const socket of unread.sort((a, b) => b.writableLength - a.writableLength)) {
      if (bytes <= bytesMax / 2) return;
      bytes -= socket.writableLength;
      socket.destroy();
    }
  }, unreadLookMs).unref();
  server.once('close', () => clearInterval(timer));
}
