import type { HttpBindings } from '@hono/node-server';
import type { Context as HonoContext, MiddlewareHandler } from 'hono';
import * as limits from '#contract/limits.ts';
import { AppError, bodyTooLarge } from '#server/app-error.ts';
import { networkOf } from '#server/features/accounts/index.ts';
import { currentRequest } from './request-record.ts';

/** Bodies over the usual limit are buffered in memory until complete. Most such bodies at a time from one sender, */
export const largeOfOneMax = 2;
/** … from all unidentified senders, who could use any number of networks, */
export const largeOfUnknownMax = 8;
/** … and from all senders together. */
export const largeMax = 16;
const tryAgainSeconds = 10;
const unknown = 'network ';

/** Number of large bodies being received, by sender: a person, or the network of an unidentified sender. */
const arriving = new Map<string, number>();

/**
 * Returns the bytes of a body. Throws `body-too-large` without reading further once the limit is exceeded, and
 * `rate-limited` or `too-busy` for a large body while too many others are being received.
 */
export async function boundedBody(request: Request, bytesMax: number, insteadOfMore?: string): Promise<Buffer> {
  let end: (() => void) | undefined;
  const makeRoom = (bytes: number) => {
    if (bytes > bytesMax) throw bodyTooLarge(bytesMax, insteadOfMore);
    if (bytes > limits.requestBytesMax) end ??= beginLarge();
  };
  try {
    makeRoom(Number(request.headers.get('content-length') ?? 0));
    let bytes = 0;
    const pieces: Uint8Array[] = [];
    for await (const piece of request.body ?? []) {
      bytes += piece.byteLength;
      makeRoom(bytes);
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  } finally {
    end?.();
  }
}

/** Counts a large body as being received; the returned function ends that. */
function beginLarge(): () => void {
  const { userId, address = '' } = currentRequest() ?? {};
  const sender = userId ?? `${unknown}${networkOf(address)}`;
  const own = arriving.get(sender) ?? 0;
  const isFull = countOf('') >= largeMax || (userId === undefined && countOf(unknown) >= largeOfUnknownMax);
  const refusal = own >= largeOfOneMax ? 'rate-limited' : isFull ? 'too-busy' : undefined;
  if (refusal !== undefined) {
    throw new AppError(refusal, { values: { seconds: tryAgainSeconds }, retryAfterSeconds: tryAgainSeconds });
  }
  arriving.set(sender, own + 1);
  return () => {
    const left = (arriving.get(sender) ?? 0) - 1;
    if (left > 0) arriving.set(sender, left);
    else arriving.delete(sender);
  };
}

/** Returns the number of large bodies from senders whose name begins with `beginning`. */
function countOf(beginning: string): number {
  return [...arriving].reduce((sum, [sender, count]) => sum + (sender.startsWith(beginning) ? count : 0), 0);
}

/** A body up to this size takes little more memory than its connection. */
const smallBytesMax = 64_000;
/** Most bytes of bodies received at a time from one network, */
export const arrivingOfOneMax = 32 * limits.requestBytesMax;
/** … and from all networks together. */
const arrivingMax = 256 * limits.requestBytesMax;
/**
 * Refuses (`rate-limited`, `too-busy`) bodies that would exceed the memory limits: bodies are buffered until complete,
 * most of them before the sender is identified. `boundedBody` counts bodies larger than `requestBytesMax`.
 */
export function roomForBodies(
  addressOf: (c: HonoContext) => string,
  refuse: (c: HonoContext, error: AppError) => Promise<Response>,
): MiddlewareHandler {
  const arriving = new Map<string, number>();
  let all = 0;
  return async (c, next) => {
    const bytes = bytesIn(c);
    if (bytes <= smallBytesMax || bytes > limits.requestBytesMax) return next();
    const network = networkOf(addressOf(c));
    const own = (arriving.get(network) ?? 0) + bytes;
    const refusal = own > arrivingOfOneMax ? 'rate-limited' : all + bytes > arrivingMax ? 'too-busy' : undefined;
    if (refusal !== undefined) {
      const values = { seconds: tryAgainSeconds };
      return refuse(c, new AppError(refusal, { values, retryAfterSeconds: tryAgainSeconds }));
    }
    arriving.set(network, own);
    all += bytes;
    try {
      return await next();
    } finally {
      all -= bytes;
      const left = (arriving.get(network) ?? 0) - bytes;
      if (left > 0) arriving.set(network, left);
      else arriving.delete(network);
    }
  };
}

/** Returns the declared size; a chunked body may reach the usual limit. */
function bytesIn({ req }: HonoContext): number {
  return req.header('transfer-encoding') === undefined
    ? Number(req.header('content-length') ?? 0)
    : limits.requestBytesMax;
}

/**
 * Discards the rest of a body that a refusal left unread. Otherwise the connection's next request, behind a proxy often
 * another user's, would get no response.
 */
export const discardUnread: MiddlewareHandler = async (c, next) => {
  await next();
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
  if (incoming === undefined || incoming.readableEnded) return;
  // Without a valid host name there is no request to take a body from.
  if (incoming.readableFlowing === null) return void incoming.resume();
  const { body } = c.req.raw;
  if (body?.locked === false) void body.pipeTo(new WritableStream()).catch(() => undefined);
};
