import { isDeepStrictEqual } from 'node:util';
import type { Hono, Context as HonoContext } from 'hono';
import { liveEndpoints, liveInput } from '#contract/live.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { parseInput } from '#server/features/call.ts';
import type { ChangeFeed } from './change-feed.ts';
import { livePoll } from './live-poll.ts';
import { liveReader } from './live-reader.ts';
import { type LiveSource, liveStream } from './live-stream.ts';
import { OpenReaders } from './open-readers.ts';

export interface LiveParts {
  feed: ChangeFeed;
  stopping: AbortSignal;
  /** Who sent this request, asked again whenever it may have changed. */
  contextOf(c: HonoContext): Promise<Context>;
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
    // A key that was revoked and a team that was left are refused, a session that has ended leaves a visitor: none is who they were.
    isStillSame: async () =>
      contextOf(c).then(
        ({ actor, workspace }) => workspace === ctx.workspace && isDeepStrictEqual(actor, ctx.actor),
        (error: unknown) => {
          if (error instanceof AppError) return false;
          throw error;
        },
      ),
    clock: ctx.clock,
  };
}
