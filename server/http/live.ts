import type { LiveEvent } from '#contract/library.ts';
import type { Clock } from '#server/platform/clock.ts';

const keepAliveMs = 20_000;
/** A reader that does not take its events is cut off; it reads everything again when it comes back. */
const bufferedEventsMax = 256;

export interface LiveSource {
  /** Feeds the stream; answers the function that ends that. */
  subscribe(send: (event: LiveEvent) => void): () => void;
  /** Whether the reader is still who they were: asked now and then, since sessions end and keys are revoked. */
  isStillSame(): Promise<boolean>;
  clock: Clock;
  stopping: AbortSignal;
}

/**
 * Answers a stream of server-sent events until the reader goes away, falls behind, is signed out or the server stops.
 * The first event tells the reader to read everything, since nothing is known of what it missed.
 */
export function liveStream(source: LiveSource): Response {
  const ended = new AbortController();
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => feed(controller, source, ended),
      cancel: () => ended.abort(),
    },
    new CountQueuingStrategy({ highWaterMark: bufferedEventsMax }),
  );
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  });
}

function feed(
  controller: ReadableStreamDefaultController<Uint8Array>,
  { subscribe, isStillSame, clock, stopping }: LiveSource,
  ended: AbortController,
): void {
  const encoder = new TextEncoder();
  const end = () => {
    if (ended.signal.aborted) return;
    ended.abort();
    controller.close();
  };
  const write = (text: string) => {
    if (ended.signal.aborted) return;
    if ((controller.desiredSize ?? 0) <= 0) end();
    else controller.enqueue(encoder.encode(text));
  };
  const send = (event: LiveEvent) => write(`data: ${JSON.stringify(event)}\n\n`);
  const keepAlive = async () => {
    while (!ended.signal.aborted) {
      await clock.sleep(keepAliveMs, ended.signal);
      if (!(await isStillSame())) return;
      write(': still here\n\n');
    }
  };
  const unsubscribe = subscribe(send);
  ended.signal.addEventListener('abort', () => {
    unsubscribe();
    stopping.removeEventListener('abort', end);
  });
  stopping.addEventListener('abort', end, { once: true });
  write('retry: 1000\n\n');
  send({ type: 'refresh' });
  // Whatever keeps the reader from being recognised ends the stream; it comes back and is told why.
  void keepAlive().then(end, end);
  if (stopping.aborted) end();
}
