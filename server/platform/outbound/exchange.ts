import type { Dispatcher } from 'undici';
import { quoted } from '../quoted.ts';
import { decodeBody, parseContentEncoding, tooLarge } from './decode-body.ts';
import { OutboundError, timeoutError, toOutboundError } from './outbound-error.ts';

/** Lower-case names; repeated headers are joined with ", ". */
export type ResponseHeaders = Readonly<Record<string, string>>;

export interface ResponseHead {
  url: string;
  status: number;
  headers: ResponseHeaders;
}

/** Receives a body piece by piece instead of having it buffered. */
export interface BodySink {
  /** The transfer pauses until it resolves. */
  take(chunk: Uint8Array): void | Promise<void>;
  /** Overrides the request's limits. */
  bytesMax?: number;
  timeoutMs?: number;
}

/** One request and its response, without following redirects. */
export interface Exchange {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array | undefined;
  bytesMax: number;
  timeoutMs: number;
  /** Truncates a body that is too large instead of failing; only for bodies without content encoding. */
  isCutAtBytesMax: boolean;
  signal?: AbortSignal | undefined;
  /** Called once with the head; 'stop' leaves the body unread, a sink receives it. */
  onHead: (head: ResponseHead) => 'read' | 'stop' | BodySink;
}

export interface ExchangeResult {
  head: ResponseHead;
  body: Uint8Array;
  isComplete: boolean;
}

// An unread rest up to this size is read and discarded, which is cheaper than a new connection.
const drainBytesMax = 64 * 1024;

/**
 * Sends the request through `dispatcher`. Rejects with an OutboundError; the size limit applies before and after
 * decoding.
 */
export async function exchange(dispatcher: Dispatcher, request: Exchange): Promise<ExchangeResult> {
  const url = request.url.href;
  if (request.signal?.aborted) throw abortedError(url, request.signal.reason);
  const receiver = new Receiver(request);
  const { head, chunks, byteLength, isComplete } = await receiver.run(dispatcher);
  if (byteLength === 0 || chunks.length === 0) return { head, body: new Uint8Array(0), isComplete };
  const codings = receiver.codings;
  const joined = join(chunks, byteLength);
  if (codings.length === 0) return { head, body: joined, isComplete };
  const body = await decodeBody(joined, codings, request.bytesMax, url);
  return { head, body: ownBuffer(body), isComplete };
}

interface Received {
  head: ResponseHead;
  chunks: Uint8Array[];
  byteLength: number;
  isComplete: boolean;
}

class Receiver implements Dispatcher.DispatchHandler {
  codings: string[] = [];
  readonly #request: Exchange;
  readonly #settled = Promise.withResolvers<Received>();
  #controller: Dispatcher.DispatchController | undefined;
  #head: ResponseHead | undefined;
  #chunks: Uint8Array[] = [];
  #byteLength = 0;
  #drainedBytes = 0;
  #isReading = false;
  #bytesMax: number;
  #sink: BodySink | undefined;
  /** Pending work of the sink. */
  #taking: Promise<void> | undefined;
  #isDone = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(request: Exchange) {
    this.#request = request;
    this.#bytesMax = request.bytesMax;
  }

  run(dispatcher: Dispatcher): Promise<Received> {
    const { url, method, headers, body, signal, timeoutMs } = this.#request;
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    this.#startTimer(timeoutMs);
    try {
      dispatcher.dispatch(
        { origin: url.origin, path: url.pathname + url.search, method, headers, body: body ?? null },
        this,
      );
    } catch (error) {
      this.#fail(toOutboundError(error, url.href));
    }
    return this.#settled.promise;
  }

  #startTimer(timeoutMs: number): void {
    const { url } = this.#request;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#fail(timeoutError(url.href, `${url.host} took too long to send ${url.href}`));
    }, timeoutMs);
  }

  #useSink(sink: BodySink): void {
    this.#sink = sink;
    this.#bytesMax = sink.bytesMax ?? this.#bytesMax;
    if (sink.timeoutMs !== undefined) this.#startTimer(sink.timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isDone) controller.abort(new Error('given up'));
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Record<string, string | string[]>): void {
    // 1xx responses are informational; the final one follows.
    if (status < 200 || this.#isDone) return;
    const { url, onHead, isCutAtBytesMax } = this.#request;
    this.#head = { url: url.href, status, headers: joinHeaders(headers) };
    try {
      const wanted = onHead(this.#head);
      this.#isReading = wanted !== 'stop';
      if (typeof wanted === 'object') this.#useSink(wanted);
    } catch (error) {
      this.#fail(error as Error);
      return;
    }
    const length = Number(this.#head.headers['content-length'] ?? Number.NaN);
    if (!this.#isReading) {
      if (!(length <= drainBytesMax) && !isBodiless(status)) this.#finish(false);
      return;
    }
    const codings = parseContentEncoding(this.#head.headers['content-encoding']);
    if (!codings) {
      const coding = quoted(this.#head.headers['content-encoding'] ?? '');
      const sentence = `${url.host} sent ${url.href} with an unsupported encoding (${coding}).`;
      this.#fail(new OutboundError('decode-failed', url.href, sentence));
      return;
    }
    if (this.#sink !== undefined && codings.length > 0) {
      const sentence = `${url.host} sent ${url.href} compressed, though it was asked not to.`;
      this.#fail(new OutboundError('decode-failed', url.href, sentence));
      return;
    }
    this.codings = codings;
    if (length > this.#bytesMax && !isCutAtBytesMax) this.#fail(tooLarge(url.href, this.#bytesMax));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // After a pause the parser starts with an empty piece; pausing again for it would never end.
    if (this.#isDone || chunk.length === 0) return;
    if (!this.#isReading) {
      this.#drainedBytes += chunk.length;
      if (this.#drainedBytes > drainBytesMax) this.#finish(false);
      return;
    }
    const { url, isCutAtBytesMax } = this.#request;
    const room = this.#bytesMax - this.#byteLength;
    if (chunk.length <= room && this.#sink !== undefined) {
      this.#byteLength += chunk.length;
      this.#pour(controller, this.#sink, chunk);
    } else if (chunk.length <= room) {
      this.#chunks.push(chunk);
      this.#byteLength += chunk.length;
    } else if (isCutAtBytesMax && this.codings.length === 0) {
      this.#chunks.push(chunk.subarray(0, room));
      this.#byteLength += room;
      this.#finish(false);
    } else {
      this.#fail(tooLarge(url.href, this.#bytesMax));
    }
  }

  onResponseEnd(): void {
    if (this.#taking === undefined) this.#finish(this.#isReading, true);
    else void this.#taking.then(() => this.#finish(true));
  }

  #pour(controller: Dispatcher.DispatchController, sink: BodySink, chunk: Uint8Array): void {
    controller.pause();
    // Buffered data arrives in spite of the pause, so pieces are passed on one after another.
    const taken = (this.#taking ?? Promise.resolve()).then(() => (this.#isDone ? undefined : sink.take(chunk)));
    const taking: Promise<void> = taken.then(
      () => {
        if (this.#taking !== taking) return;
        this.#taking = undefined;
        if (!this.#isDone) controller.resume();
      },
      (error: unknown) => this.#fail(error as Error),
    );
    this.#taking = taking;
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(toOutboundError(error, this.#request.url.href));
  }

  readonly #onAbort = (): void => {
    const { url, signal } = this.#request;
    this.#fail(abortedError(url.href, signal?.reason));
  };

  /** With `isComplete` false, also closes the connection, unless the whole response has arrived. */
  #finish(isComplete: boolean, hasArrived = isComplete): void {
    if (this.#isDone || !this.#head) return;
    this.#end();
    const head = this.#head;
    this.#settled.resolve({ head, chunks: this.#chunks, byteLength: this.#byteLength, isComplete });
    if (!hasArrived) this.#controller?.abort(new Error('enough read'));
  }

  #fail(error: Error): void {
    if (this.#isDone) return;
    this.#end();
    this.#chunks = [];
    this.#settled.reject(error);
    this.#controller?.abort(error);
  }

  #end(): void {
    this.#isDone = true;
    clearTimeout(this.#timer);
    this.#request.signal?.removeEventListener('abort', this.#onAbort);
  }
}

function abortedError(url: string, reason: unknown): OutboundError {
  return new OutboundError('aborted', url, `Reading ${url} was cancelled.`, reason);
}

/** Returns true for responses without a body. */
function isBodiless(status: number): boolean {
  return status === 204 || status === 304;
}

function joinHeaders(headers: Record<string, string | string[]>): ResponseHeaders {
  const joined: Record<string, string> = Object.create(null);
  for (const name in headers) {
    const value = headers[name];
    joined[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  }
  return joined;
}

/** Copies the chunks once into separate memory: they are views of the socket's buffers. */
function join(chunks: readonly Uint8Array[], byteLength: number): Uint8Array {
  const body = new Uint8Array(byteLength);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.length;
  }
  return body;
}

function ownBuffer(bytes: Uint8Array): Uint8Array {
  const isWhole = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength;
  return isWhole ? new Uint8Array(bytes.buffer, 0, bytes.byteLength) : new Uint8Array(bytes);
}
