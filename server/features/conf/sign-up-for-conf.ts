import { randomUUID } from 'node:crypto';
import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import { hashToken, newToken, normalizeEmail, requireWithinLimits } from '#server/features/accounts/index.ts';
import { type Browser } from '#server/features/call.ts';
import type { BackgroundWork } from '#server/platform/background-work.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import { requireLastingKey } from '#server/platform/lasting-key.ts';
import type { SealingKeys } from '#server/platform/sealing.ts';
import { leaveTokenFor } from './leave-token.ts';
import type { ConfMails } from './mails.ts';
import { deleteUnconfirmed, putSignUp } from './store.ts';

export interface ConfDependencies {
  mails: ConfMails;
  background: BackgroundWork;
  sealingKeys: SealingKeys;
}

/**
 * Sends an email with a link that adds the address to the list. Whether it is already listed is looked up after the
 * response, so that neither the response nor its timing reveals it; the limits apply to all addresses alike.
 */
export async function signUpForConf(
  ctx: Context,
  input: { email: string },
  browser: Browser,
  deps: ConfDependencies,
): Promise<void> {
  const email = normalizeEmail(input.email);
  await requireWithinLimits(ctx, [
    ['conf-recipient', email],
    ['conf-address', browser.address],
  ]);
  deps.background.run('the mail about the conference', async () => {
    const now = ctx.clock.now();
    const token = newToken();
    const id = await ctx.db.transaction(async (tx) => {
      await deleteUnconfirmed(tx, now);
      const signUpId = await putSignUp(tx, {
        id: randomUUID(),
        email,
        createdAt: now,
        confirmHash: hashToken(token),
        confirmExpiresAt: now + limits.verificationCodeLifetimeHours * 3_600_000,
        confirmedAt: null,
      });
      if (signUpId !== undefined) {
        await recordAudit(tx, now, { actorUserId: null, action: 'conf.sign-up', entityId: signUpId });
      }
      return signUpId;
    });
    const leaveToken = leaveTokenFor(await requireLastingKey(ctx.db.query, deps.sealingKeys), email);
    if (id === undefined) await deps.mails.sendAlreadyListed(email, leaveToken);
    else await deps.mails.sendConfirmation(email, token, leaveToken);
  });
}
