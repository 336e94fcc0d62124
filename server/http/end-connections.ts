import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Most pipelined requests per connection; current browsers and clients send the next request only after the last
 * response.
 */
export const unansweredMax = 16;

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * Wraps a listener to handle one request per connection at a time, because pending responses are held in memory. Ends
 * connections that keep sending requests without reading responses.
 */
export function endingHasty(listener: Listener): Listener {
  /** Unanswered requests by connection, the one in progress first. */
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

/** Under a minute, including the time to detect it. */
export const headersMsMax = 50_000;
export const slownessNoticedMs = 5_000;
const lookMs = 55_000;
/**
 * Minimum bytes between two checks: a file may upload slowly, but a body of a byte per second only occupies a
 * connection.
 */
const bytesMin = 64_000;

/** Ends connections whose request body arrives too slowly to be legitimate. */
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
    // Received data is read first, so that the sender is not blamed for a pause of this process.
    const timer = setInterval(() => setImmediate(look), everyMs);
    const stop = () => {
      clearInterval(timer);
      // A connection carries many requests.
      socket.off('close', stop);
    };
    request.once('end', stop).once('close', stop);
    socket.once('close', stop);
  });
}

const lookEveryMs = 50;

/**
 * Returns a function that stops a server: it accepts no new connections and resolves when the requests in progress have
 * their responses, or after `patienceMs`. Must be called before the server listens.
 */
export function requestsEnder(server: Server, patienceMs: number): () => Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // Browsers open connections in advance. Node counts these as busy until the timeout for their first headers.
  const isUnused = ({ bytesRead }: Socket) => bytesRead === 0;
  return () =>
    new Promise((resolve) => {
      let unusedBefore: Socket[] = [];
      const timer = setTimeout(() => server.closeAllConnections(), patienceMs);
      const interval = setInterval(() => {
        // A connection that has become idle would be kept for the next request.
        server.closeIdleConnections();
        // Close only sockets that were unused at two checks, so that received data is read in between.
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

/** Matches the timeout for a stalled body. */
const standstillMs = 55_000;
const unreadLookMs = 1_000;
/** Most bytes of unread responses in memory, over all connections. */
const unreadBytesMax = 256_000_000;

/**
 * Ends connections that read nothing of their response, and those with the most unread bytes while unread responses
 * together take too much memory.
 */
export function endUnreadAnswers(server: Server, { silentMs = standstillMs, bytesMax = unreadBytesMax } = {}): void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    // No traffic for this long; the response may also still be in preparation.
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
