import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that wait for their answers; browsers and clients of today send the next after the last one. */
export const unansweredMax = 16;

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/** The same listener, which ends connections that send request after request and read no answer: all would be kept in memory. */
export function endingHasty(listener: Listener): Listener {
  const unanswered = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    const count = (unanswered.get(socket) ?? 0) + 1;
    if (count > unansweredMax) return socket.destroy();
    unanswered.set(socket, count);
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    return listener(request, response);
  };
}
