import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { type Attempt, hashToken, requireWithinLimits, takeBack } from '#server/features/accounts/index.ts';
import { type Browser } from '#server/features/call.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import { confirmSignUp } from './store.ts';

/**
 * Confirms the address whose email contained this link, and consumes the link. Of two concurrent calls one succeeds.
 */
export async function confirmConf(ctx: Context, input: { token: string }, browser: Browser): Promise<void> {
  const attempts: Attempt[] = [['code-address', browser.address]];
  await requireWithinLimits(ctx, attempts);
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const id = await confirmSignUp(tx, hashToken(input.token), now);
    if (id === undefined) throw new AppError('conf-link-invalid');
    await recordAudit(tx, now, { actorUserId: null, action: 'conf.confirm', entityId: id });
  });
  await takeBack(ctx, attempts);
}
