import type { LiveEvent } from '#contract/live.ts';
import type { FeedEntry } from './change-feed.ts';
import { type LiveSource, missedBy } from './live-stream.ts';

interface PollAnswer {
  /** Id to ask with next. */
  position: string;
  events: LiveEvent[];
}

/**
 * Responds with what the reader missed, as soon as there is something, or with nothing after `waitMs`. A reader who names
 * no position, or one that is not known, is asked at once to read everything again.
 */
export async function livePoll(source: LiveSource & { waitMs: number; left: AbortSignal }): Promise<PollAnswer> {
  const { feed, reader } = source;
  const missed = missedBy(source);
  if (missed === undefined) return { position: `${feed.position}.${reader.tag}`, events: [{ type: 'refresh' }] };
  const events = missed.flatMap((entry) => reader.eventsOf(entry));
  const position = feed.position;
  if (events.length > 0) return withIdentity(source, { position, events });
  return withIdentity(source, await untilNews(source));
}

async function untilNews(source: LiveSource & { waitMs: number; left: AbortSignal }): Promise<PollAnswer> {
  const { feed, reader, clock, stopping, left, waitMs } = source;
  const over = new AbortController();
  const answer: PollAnswer = { position: feed.position, events: [] };
  const unsubscribe = feed.subscribe((entry: FeedEntry) => {
    answer.events.push(...reader.eventsOf(entry));
    answer.position = entry.id;
    if (answer.events.length > 0 || reader.concernsIdentity(entry)) over.abort();
  });
  try {
    await clock.sleep(waitMs, AbortSignal.any([over.signal, stopping, left]));
  } catch {
    // Woken before the time is up: by news, by the reader who left or by the end of the server.
  } finally {
    unsubscribe();
  }
  return answer;
}

async function withIdentity({ isStillSame, reader }: LiveSource, answer: PollAnswer): Promise<PollAnswer> {
  const position = `${answer.position}.${reader.tag}`;
  // Who was taken out of a team meanwhile may not hear what happened in it.
  return { position, events: (await isStillSame()) ? answer.events : [{ type: 'ended' }] };
}
