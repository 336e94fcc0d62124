import type { Server } from 'node:http';
import type { Socket } from 'node:net';

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
        // Found so twice: between two looks, what had arrived is read.
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
