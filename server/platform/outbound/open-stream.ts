import { type Dispatcher, request } from 'undici';
import type { ResponseHeaders } from './exchange.ts';
import { OutboundError, toOutboundError } from './outbound-error.ts';

export interface StreamRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | undefined;
  /** Longest silence before the head and between pieces of the body. */
  idleTimeoutMs: number;
  /** Most bytes of the whole body; reading fails beyond it. */
  bytesMax: number;
  signal?: AbortSignal | undefined;
}

/** A response whose body is streamed; callers must read it to its end or cancel it. */
export interface StreamResponse {
  status: number;
  headers: ResponseHeaders;
  body: ReadableStream<Uint8Array>;
}

/**
 * Sends the request through `dispatcher` and resolves when the head has arrived. Does not follow redirects. Rejects
 * with an OutboundError.
 */
export async function openStream(
  dispatcher: Dispatcher,
  url: URL,
  { method = 'GET', headers = {}, body, idleTimeoutMs, bytesMax, signal }: StreamRequest,
): Promise<StreamResponse> {
  const { href } = url;
  try {
    const answer = await request(href, {
      dispatcher,
      method: method as Dispatcher.HttpMethod,
      headers,
      body: body ?? null,
      signal: signal ?? null,
      headersTimeout: idleTimeoutMs,
      bodyTimeout: idleTimeoutMs,
    });
    const told = Object.entries(answer.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]);
    return {
      status: answer.statusCode,
      headers: Object.fromEntries(told) as ResponseHeaders,
      body: ReadableStream.from(bounded(answer.body, href, bytesMax)),
    };
  } catch (error) {
    throw faultOf(error, href, signal);
  }

  async function* bounded(pieces: AsyncIterable<Uint8Array>, address: string, most: number) {
    let bytes = 0;
    try {
      for await (const piece of pieces) {
        bytes += piece.byteLength;
        if (bytes > most) throw new OutboundError('too-large', address, `${url.host} sent more than ${most} bytes.`);
        yield piece;
      }
    } catch (error) {
      throw faultOf(error, address, signal);
    }
  }
}

function faultOf(error: unknown, url: string, signal: AbortSignal | undefined): OutboundError {
  if (signal?.aborted) return new OutboundError('aborted', url, `Reading ${url} was cancelled.`, signal.reason);
  return toOutboundError(error, url);
}
