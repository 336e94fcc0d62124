import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const lookEveryMs = 50;

/**
 * Returns what stops a server: it takes no new connections, and resolves when the requests in progress are answered, or after
 * `patienceMs`. Called before the server listens.
 */
export function requestsEnder(server: Server, patienceMs: number): () => Promise<void> {
  // Browsers open connections ahead. Node counts those as busy until the time for their first headers is over.
  const unused = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return () =>
    new Promise((resolve) => {
      const timer = setTimeout(() => server.closeAllConnections(), patienceMs);
      // A connection whose last request has ended would be kept for the next one.
      const interval = setInterval(() => {
        server.closeIdleConnections();
        for (const socket of unused) socket.destroy();
      }, lookEveryMs);
      server.close(() => {
        clearTimeout(timer);
        clearInterval(interval);
        resolve();
      });
    });
}
