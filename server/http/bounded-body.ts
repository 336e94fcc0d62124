import type { Context as HonoContext, MiddlewareHandler } from 'hono';
import * as limits from '#contract/limits.ts';
import { AppError, bodyTooLarge } from '#server/app-error.ts';
import { networkOf } from '#server/features/accounts/index.ts';
import { currentRequest } from './request-record.ts';

/** Bodies larger than those of most requests, which arrive at once and are kept in memory until they are whole: of one sender… */
export const largeOfOneMax = 2;
/** …of all that is unknown, which can come from as many networks as a stranger likes… */
export const largeOfUnknownMax = 8;
/** …and of all together. */
export const largeMax = 16;
const tryAgainSeconds = 10;
const unknown = 'network ';

/** How many large bodies arrive, by sender: a person, or the network of someone unknown. */
const arriving = new Map<string, number>();

/**
 * The bytes of a body as they came; refuses (`body-too-large`) without reading on once it is over the limit, and a large one
 * (`rate-limited`, `too-busy`) while too many others arrive.
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

/** Counts a large body as arriving; the answer ends that. */
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

/** Those that arrive from senders whose name begins so. */
function countOf(beginning: string): number {
  return [...arriving].reduce((sum, [sender, count]) => sum + (sender.startsWith(beginning) ? count : 0), 0);
}

/** A body of this size takes little more than its connection. */
const smallBytesMax = 64_000;
/** Bytes of bodies that arrive at a time from one network… */
export const arrivingOfOneMax = 32 * limits.requestBytesMax;
/** …and from all together. */
const arrivingMax = 256 * limits.requestBytesMax;
/**
 * Refuses (`rate-limited`, `too-busy`) bodies for which there is no room: they are kept in memory until they are whole, most of
 * them before anything is known of the sender. Those beyond `requestBytesMax` are counted where they are read (`boundedBody`).
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

/** As the request says; a body in pieces may become as large as most requests may be. */
function bytesIn({ req }: HonoContext): number {
  return req.header('transfer-encoding') === undefined
    ? Number(req.header('content-length') ?? 0)
    : limits.requestBytesMax;
}
