import type { Hono, Context as HonoContext } from 'hono';
import { liveEndpoints, liveInput } from '#contract/live.ts';
import type { Context } from '#server/context.ts';
import { parseInput } from '#server/features/call.ts';
import { livePoll } from './live-poll.ts';
import { liveReader } from './live-reader.ts';
import { type LiveSource, liveStream } from './live-stream.ts';
import { OpenReaders } from './open-readers.ts';
import { isStillSame, type SenderParts } from './still-same.ts';

export interface LiveParts extends SenderParts {
  stopping: AbortSignal;
}

/** The two ways to follow changes: a stream of server-sent events, and asking again and again. */
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
