import type { LiveEvent } from '#contract/live.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { ChangeFeed, FeedEntry } from './change-feed.ts';
import type { LiveReader } from './live-reader.ts';

const keepAliveMs = 20_000;
/** A reader that falls this many events behind is disconnected; on reconnecting, it resumes from its last event. */
const bufferedEventsMax = 256;

export interface LiveSource {
  feed: ChangeFeed;
  reader: LiveReader;
  /** Id of the reader's last event. */
  after: string | undefined;
  /** Returns true if the sender's identity and team are unchanged. */
  isStillSame(): Promise<boolean>;
  clock: Clock;
  stopping: AbortSignal;
}

/**
 * Returns a stream of server-sent events until the reader disconnects, falls behind or is signed out, or the server
 * stops. It begins with the missed events, or with a request to reload everything if those are unknown. Calls `left` at
 * its end.
 */
export function liveStream(source: LiveSource, left: () => void = () => undefined): Response {
  const ended = new AbortController();
  ended.signal.addEventListener('abort', left);
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => feedStream(controller, source, ended),
      cancel: () => ended.abort(),
    },
    new CountQueuingStrategy({ highWaterMark: bufferedEventsMax }),
  );
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  });
}

function feedStream(
  controller: ReadableStreamDefaultController<Uint8Array>,
  source: LiveSource,
  ended: AbortController,
): void {
  const { feed, reader, isStillSame, clock, stopping } = source;
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
  const check = async () => {
    if (await isStillSame()) return;
    write(textOf([{ type: 'ended' }], feed.position, reader));
    end();
  };
  const tell = (entry: FeedEntry) => {
    const events = reader.eventsOf(entry);
    if (events.length > 0) write(textOf(events, entry.id, reader));
  };
  // A reader who is no longer recognised loses the stream; the next request returns the reason.
  const { concernsIdentity } = reader;
  const take = holdWhileChecking({ concernsIdentity, check, tell, failed: end });
  const keepAlive = async () => {
    while (!ended.signal.aborted) {
      await clock.sleep(keepAliveMs, ended.signal);
      await check();
      write(': still here\n\n');
    }
  };
  const unsubscribe = feed.subscribe(take);
  ended.signal.addEventListener('abort', () => {
    unsubscribe();
    stopping.removeEventListener('abort', end);
  });
  stopping.addEventListener('abort', end, { once: true });
  // An event instead of a comment, so that pages can see that data arrives.
  write('retry: 1000\n\nevent: ready\ndata: 1\n\n');
  const missed = missedBy(source);
  if (missed === undefined) write(textOf([{ type: 'refresh' }], feed.position, reader));
  else write(missed.map((entry) => textOf(reader.eventsOf(entry), entry.id, reader)).join(''));
  void keepAlive().then(end, end);
  if (stopping.aborted) end();
}

/** Returns the entries after the reader's last event; undefined if they are unknown. */
export function missedBy({ feed, reader, after }: LiveSource): FeedEntry[] | undefined {
  const isTheirs = [reader.tag, reader.pageTag].some((tag) => after?.endsWith(`.${tag}`));
  return after !== undefined && isTheirs ? feed.since(after) : undefined;
}

/** Only the last event carries the id: a reader that has it has all of them. */
function textOf(events: LiveEvent[], id: string, { tag }: LiveReader): string {
  return events
    .map((event, at) => `${at === events.length - 1 ? `id: ${id}.${tag}\n` : ''}data: ${JSON.stringify(event)}\n\n`)
    .join('');
}

/**
 * Passes entries on in order. Holds back an entry that may have changed the reader's identity, and all after it, until
 * `check` is done: a reader removed from a team receives nothing more from it. Calls `failed` if the check fails.
 */
export function holdWhileChecking(parts: {
  concernsIdentity(entry: FeedEntry): boolean;
  check(): Promise<void>;
  tell(entry: FeedEntry): void;
  failed(): void;
}): (entry: FeedEntry) => void {
  const held: FeedEntry[] = [];
  let isChecking = false;
  let isDue = false;
  const tellHeld = async () => {
    while (isDue) {
      isDue = false;
      await parts.check();
    }
    isChecking = false;
    held.splice(0).forEach(parts.tell);
  };
  return (entry) => {
    const isConcerned = parts.concernsIdentity(entry);
    if (!isChecking && !isConcerned) return parts.tell(entry);
    held.push(entry);
    isDue ||= isConcerned;
    if (isChecking) return;
    isChecking = true;
    void tellHeld().catch(parts.failed);
  };
}
