import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** As long as a body may stand still. */
const standstillMs = 55_000;
const lookMs = 1_000;
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
  }, lookMs).unref();
  server.once('close', () => clearInterval(timer));
}
