import type { IncomingMessage, ServerResponse } from 'node:http';
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
