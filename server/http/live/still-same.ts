import { isDeepStrictEqual } from 'node:util';
import type { Context as HonoContext } from 'hono';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import type { ChangeFeed } from './change-feed.ts';
import { liveReader } from './live-reader.ts';

export interface SenderParts {
  feed: ChangeFeed;
  /** Who sent this request, asked again whenever it may have changed. */
  contextOf(c: HonoContext): Promise<Context>;
}

/**
 * Returns true if the sender of a request is still who they were. A key that was revoked and a team that was left are refused, a
 * session that has ended leaves a visitor: none is who they were.
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

/** Calls `ended` once the sender of a request is no longer who they were, or that is unknown. Returns the way to stop. */
export function onSenderEnded(c: HonoContext, parts: SenderParts, ctx: Context, ended: () => void): () => void {
  const { concernsIdentity } = liveReader(ctx, []);
  return parts.feed.subscribe((entry) => {
    if (concernsIdentity(entry)) void isStillSame(c, parts, ctx).then((isSame) => isSame || ended(), ended);
  });
}
