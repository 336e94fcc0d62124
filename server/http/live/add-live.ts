import type { Hono, Context as HonoContext } from 'hono';
import { type LiveEvent, liveEndpoints, liveInput } from '#contract/live.ts';
import { rateLimited } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { networkOf } from '#server/features/accounts/index.ts';
import { parseInput } from '#server/features/call.ts';
import type { FeedEntry } from './change-feed.ts';
import { liveReader } from './live-reader.ts';
import { type LiveSource, liveStream, missedBy } from './live-stream.ts';
import { isStillSame, type SenderParts } from './still-same.ts';

interface LiveParts extends SenderParts {
  stopping: AbortSignal;
}

/** Adds the two ways to follow changes: a stream of server-sent events, and polling. */
export function addLive(app: Hono<{ Variables: { requestId: string } }>, parts: LiveParts): void {
  const readers = new OpenReaders();
  app.get('/api/live', async (c) => {
    const ctx = await parts.contextOf(c);
    const { queries, after } = parseInput(liveInput, c.req.query());
    const source = sourceOf(c, parts, ctx, { queries, after: c.req.header('last-event-id') ?? after });
    return liveStream(source, readers.enter(ctx));
  });
  app.get(liveEndpoints.pollLive.path, async (c) => {
    const ctx = await parts.contextOf(c);
    const input = parseInput(liveEndpoints.pollLive.input, c.req.query());
    const source = sourceOf(c, parts, ctx, input);
    const leave = readers.enter(ctx);
    const waiting = livePoll({ ...source, waitMs: input.waitSeconds * 1000, left: c.req.raw.signal });
    const answer = await waiting.finally(leave);
    return c.json(answer, 200, { 'cache-control': 'no-store' });
  });
}

function sourceOf(
  c: HonoContext,
  { feed, stopping, contextOf }: LiveParts,
  ctx: Context,
  { queries, after }: Pick<ReturnType<typeof liveInput.parse>, 'queries' | 'after'>,
): LiveSource {
  return {
    ...{ feed, stopping, after },
    reader: liveReader(ctx, queries),
    isStillSame: () => isStillSame(c, { contextOf }, ctx),
    clock: ctx.clock,
  };
}

/** A browser needs one for all its tabs. */
const openOfAccountMax = 100;
const openOfNetworkMax = 200;
const tryAgainSeconds = 10;

/** Counts the open streams and waiting polls of each account, and those of each network's visitors. */
class OpenReaders {
  readonly #open = new Map<string, number>();

  /**
   * Registers a reader. Returns the function to call once when the reader leaves. Throws `rate-limited` when too many
   * are open.
   */
  enter({ actor, address = '' }: Pick<Context, 'actor' | 'address'>): () => void {
    const isVisitor = actor.kind === 'anonymous';
    const who = isVisitor ? `network:${networkOf(address)}` : `account:${actor.userId}`;
    const open = this.#open.get(who) ?? 0;
    if (open >= (isVisitor ? openOfNetworkMax : openOfAccountMax)) {
      throw rateLimited(tryAgainSeconds);
    }
    this.#open.set(who, open + 1);
    return () => {
      const left = (this.#open.get(who) ?? 1) - 1;
      if (left === 0) this.#open.delete(who);
      else this.#open.set(who, left);
    };
  }
}

interface PollAnswer {
  /** Position to send with the next poll. */
  position: string;
  events: LiveEvent[];
}

/**
 * Returns the events a reader missed as soon as there are any, or none after `waitMs`. A reader without a known
 * position gets a request to reload everything at once.
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
    // Interrupted early: by an event, the reader's departure or the server's shutdown.
  } finally {
    unsubscribe();
  }
  return answer;
}

async function withIdentity({ isStillSame, reader }: LiveSource, answer: PollAnswer): Promise<PollAnswer> {
  const position = `${answer.position}.${reader.tag}`;
  // A reader removed from a team in the meantime must not receive its events.
  return { position, events: (await isStillSame()) ? answer.events : [{ type: 'ended' }] };
}
