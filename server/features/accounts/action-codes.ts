import type { ErrorCode } from '#contract/errors.ts';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { type CodePurpose, deleteActionCodes, holdUser, insertActionCode } from './identity-store.ts';
import { type Attempt, requireWithinLimits, takeBack } from './rate-limits.ts';
import { hashToken, newToken } from './secrets.ts';

const hourMs = 3_600_000;
const lifetimeMs: Record<CodePurpose, number> = {
  'reset-password': limits.resetCodeLifetimeHours * hourMs,
  'verify-email': limits.verificationCodeLifetimeHours * hourMs,
};

/**
 * Creates a code for an email and invalidates earlier ones for the same purpose. Returns the code; only its hash is
 * stored, with the session that requested the email.
 */
export async function makeActionCode(
  tx: Transaction,
  now: number,
  purpose: CodePurpose,
  user: { id: string; email: string; sessionId?: string | undefined },
  lifeMs: number = lifetimeMs[purpose],
): Promise<string> {
  const code = newToken();
  // Serialized, so that of two concurrent codes only one is valid.
  await holdUser(tx, user.id);
  await deleteActionCodes(tx, user.id, purpose);
  await insertActionCode(tx, {
    codeHash: hashToken(code),
    purpose,
    userId: user.id,
    email: user.email,
    createdAt: now,
    expiresAt: now + lifeMs,
    usedAt: null,
    sessionId: user.sessionId ?? null,
  });
  return code;
}

/**
 * Performs the action of a code; `work` returns undefined for an invalid code, which throws `refusal`. After ten wrong
 * codes an address must wait.
 */
export async function withCode<T>(
  ctx: Context,
  address: string,
  refusal: ErrorCode,
  work: () => Promise<T | undefined>,
): Promise<T> {
  const attempts: Attempt[] = [['code-address', address]];
  await requireWithinLimits(ctx, attempts);
  const result = await work();
  if (result === undefined) throw new AppError(refusal);
  await takeBack(ctx, attempts);
  return result;
}
