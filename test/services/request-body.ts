import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** The body a server on loopback was sent, with the request it came with, once it has all arrived. */
export function withBody(request: IncomingMessage, use: (body: string) => void): void {
  void text(request).then(use);
}
