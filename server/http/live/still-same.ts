import { isDeepStrictEqual } from 'node:util';
import type { Context as HonoContext } from 'hono';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import type { ChangeFeed } from './change-feed.ts';
import { liveReader } from './live-reader.ts';

export interface SenderParts {
  feed: ChangeFeed;
  /** Identifies the sender of the request anew whenever they may have changed. */
  contextOf(c: HonoContext): Promise<Context>;
}

/**
 * Returns true if a request's sender is unchanged. Fails for a revoked key or a team the sender has left, and for an
 * ended session, which leaves an anonymous visitor.
 */
export async function isStillSame(
  c: HonoContext,
  { contextOf }: Pick<SenderParts, 'contextOf'>,
  before: Context,
): Promise<boolean> {
  return contextOf(c).then(
    ({ actor, workspace }) => workspace === before.workspace && isDeepStrictEqual(actor, before.actor),
    (error: unknown) => {
      if (error instanceof AppError) return false;
      throw error;
    },
  );
}

/**
 * Calls `ended` once the request's sender has changed or can no longer be identified. Returns the function that stops
 * watching.
 */
export function onSenderEnded(c: HonoContext, parts: SenderParts, ctx: Context, ended: () => void): () => void {
  const { concernsIdentity } = liveReader(ctx, []);
  return parts.feed.subscribe((entry) => {
    if (concernsIdentity(entry)) void isStillSame(c, parts, ctx).then((isSame) => isSame || ended(), ended);
  });
}
