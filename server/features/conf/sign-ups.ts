import { randomUUID } from 'node:crypto';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import {
  type Attempt,
  hashToken,
  newToken,
  normalizeEmail,
  requireOperatorAccount,
  requireWithinLimits,
  takeBack,
} from '#server/features/accounts/index.ts';
import type { Browser } from '#server/features/call.ts';
import type { BackgroundWork } from '#server/platform/background-work.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import { findLastingKey, requireLastingKey } from '#server/platform/lasting-key.ts';
import { type SealingKeys, seal, unseal } from '#server/platform/sealing.ts';
import type { ConfMails } from './mails.ts';
import { confirmSignUp, deleteSignUp, deleteUnconfirmed, listConfirmed, putSignUp } from './store.ts';

const label = 'conf-leave';

/**
 * Returns the token of an email's unsubscribe link: the address itself, sealed with the installation's lasting key, so
 * that links work forever.
 */
function leaveTokenFor(key: Uint8Array, email: string): string {
  return seal([key], label, email);
}

/** Returns the token's address; undefined if the token was not created here. */
function emailOfLeaveToken(key: Uint8Array, token: string): string | undefined {
  return unseal([key], label, token);
}

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

/** Deletes the address that an email was sent to. Succeeds even if the address is not on the list. */
export async function leaveConf(
  ctx: Context,
  input: { token: string },
  deps: { sealingKeys: SealingKeys },
): Promise<void> {
  const key = await findLastingKey(ctx.db.query, deps.sealingKeys);
  const email = key === undefined ? undefined : emailOfLeaveToken(key, input.token);
  if (email === undefined) throw new AppError('conf-link-invalid');
  await ctx.db.transaction(async (tx) => {
    const id = await deleteSignUp(tx, email);
    if (id === undefined) return;
    await recordAudit(tx, ctx.clock.now(), { actorUserId: null, action: 'conf.leave', entityId: id });
  });
}

/** Returns the confirmed addresses, oldest first. Operators only. */
export async function listConf(ctx: Context): Promise<{ email: string; confirmedAt: number }[]> {
  await requireOperatorAccount(ctx);
  const rows = await listConfirmed(ctx.db.query);
  return rows.map(({ email, confirmedAt }) => ({ email, confirmedAt: confirmedAt ?? 0 }));
}
