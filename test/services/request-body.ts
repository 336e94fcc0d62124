import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** Calls `use` with the request's body once it has arrived completely. */
export function withBody(request: IncomingMessage, use: (body: string) => void): void {
  void text(request).then(use);
}
