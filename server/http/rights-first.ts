import type { Endpoint } from '#contract/endpoint.ts';
import { errorTable } from '#contract/errors.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { findUser, requireOperatorAccount, requireUserId } from '#server/features/accounts/index.ts';
import { isOfDeletedRow } from '#server/features/known-fault.ts';
import { enterTeam, requireRight } from '#server/features/teams/index.ts';

/**
 * Returns the error for a failed call. Only callers who are allowed to make the call learn its error; all others get a
 * refusal. `named` holds the fields in the address.
 */
export async function rightsFirst(
  ctx: Context,
  { endpoint, named }: { endpoint: Pick<Endpoint, 'access' | 'right'>; named: Record<string, string> },
  fault: unknown,
): Promise<unknown> {
  if (isOfDeletedRow(fault) && (await isOfDeletedAccount(ctx))) {
    return new AppError('unauthenticated', { cause: fault });
  }
  if (!(fault instanceof AppError) || [401, 403, 429].includes(errorTable[fault.code].status)) return fault;
  try {
    await requireAccess(ctx, endpoint, named);
    return fault;
  } catch (refusal) {
    return refusal;
  }
}

/** Returns true if the caller's account was deleted during the request, so that the database rejects its rows. */
async function isOfDeletedAccount({ actor, db }: Context): Promise<boolean> {
  return actor.kind !== 'anonymous' && (await findUser(db.query, actor.userId)) === undefined;
}

async function requireAccess(
  ctx: Context,
  { access, right }: Pick<Endpoint, 'access' | 'right'>,
  { teamId }: Record<string, string>,
): Promise<void> {
  if (access === 'anyone') return;
  requireUserId(ctx);
  if (access === 'operator') await requireOperatorAccount(ctx);
  if (right !== undefined) requireRight(teamId === undefined ? ctx : await enterTeam(ctx, teamId), right);
}
