import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import { isDatabaseError } from '#server/platform/db/database-error.ts';
import type { Row } from '#server/platform/db/schema.ts';
import { makeActionCode } from './action-codes.ts';
import { announceSession } from './announce-session.ts';
import { normalizeEmail } from './email-address.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { claimEmail, putPassword } from './identity-store.ts';
import { requireNewPassword } from './passwords.ts';
import { requirePerson } from './policy.ts';

/**
 * Gives the local owner an e-mail address and a password beside the sign-in link, once. The address is not verified
 * until its mail was answered: until then no reset goes to it, and no key is made. Others have an address already.
 */
export async function claimLocalOwner(
  ctx: Context,
  input: { email: string; password: string },
  deps: Pick<IdentityDependencies, 'passwords' | 'mails' | 'background'>,
): Promise<Row<'users'>> {
  const userId = requirePerson(ctx);
  const email = normalizeEmail(input.email);
  requireNewPassword(input.password);
  const hash = await deps.passwords.hash(input.password, userId);
  const now = ctx.clock.now();
  const { user, code } = await ctx.db
    .transaction(async (tx) => {
      const claimed = await claimEmail(tx, userId, email);
      if (claimed === undefined) {
        throw new AppError('permission-denied', { values: { need: ' This account has an email address already.' } });
      }
      await putPassword(tx, userId, hash, now);
      await recordAudit(tx, now, { actorUserId: userId, action: 'account.claim', entityId: userId });
      announceSession(tx, userId);
      return { user: claimed, code: await makeActionCode(tx, now, 'verify-email', { id: userId, email }) };
    })
    .catch((cause: unknown) => {
      throw isDatabaseError(cause, 'unique-violation') ? new AppError('email-already-in-use', { cause }) : cause;
    });
  deps.background.run('the verification mail', () => deps.mails.sendVerification(email, code));
  return user;
}
