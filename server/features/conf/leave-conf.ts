import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import { findLastingKey } from '#server/platform/lasting-key.ts';
import type { SealingKeys } from '#server/platform/sealing.ts';
import { emailOfLeaveToken } from './leave-token.ts';
import { deleteSignUp } from './store.ts';

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
