import type { accountDetailEndpoints } from '#contract/account-details.ts';
import type { SessionUser } from '#contract/accounts.ts';
import type { OutputOf } from '#contract/endpoint.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { Row } from '#server/platform/db/schema.ts';
import { announceSession } from './announce-session.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { findPassword, listIdentities, updateUser } from './identity-store.ts';
import { requirePerson } from './policy.ts';
import { recordChange } from './rate-limits.ts';
import type { SocialDependencies } from './social-sign-in.ts';
import { findUser } from './store.ts';

/** Changes the caller's display name; surrounding white space is removed. */
export async function updateProfile(
  ctx: Context,
  input: { displayName: string },
  { onProfileChanged }: Pick<IdentityDependencies, 'onProfileChanged'>,
): Promise<Row<'users'>> {
  const userId = requirePerson(ctx);
  const user = await ctx.db.transaction(async (tx) => {
    // Lock the account first, as other transactions that lock both do.
    const updated = await updateUser(tx, userId, { displayName: input.displayName.trim() });
    await recordChange(tx, ctx.clock.now(), { actorUserId: userId, action: 'profile.update', entityId: userId });
    announceSession(tx, userId);
    announceChange(tx, { collection: 'users', audience: `user:${userId}` });
    await onProfileChanged(tx, userId);
    return updated;
  });
  if (user === undefined) throw new AppError('unauthenticated');
  return user;
}

/** Stores whether the caller agreed to updates by email, and when. */
export async function updateMarketingConsent(ctx: Context, input: { marketingConsent: boolean }): Promise<void> {
  const userId = requirePerson(ctx);
  const now = ctx.clock.now();
  const change = { marketingConsent: input.marketingConsent ? 1 : 0, marketingConsentAt: now };
  await ctx.db.transaction(async (tx) => {
    await updateUser(tx, userId, change);
    await recordChange(tx, now, {
      actorUserId: userId,
      action: 'marketing-consent.update',
      entityId: userId,
      detail: { marketingConsent: input.marketingConsent },
    });
  });
}

/** Returns an account as its owner's browser receives it. */
export async function presentUser(ctx: Pick<Context, 'db'>, user: Row<'users'>): Promise<SessionUser> {
  return {
    uid: user.id,
    email: user.email,
    displayName: user.displayName,
    photoURL: user.photoUrl,
    isOperator: user.isOperator === 1,
    isEmailVerified: user.emailVerifiedAt !== null,
    hasPassword: (await findPassword(ctx.db.query, user.id)) !== undefined,
    tier: user.tier,
    createdAt: user.createdAt,
  };
}

type AccountDetails = OutputOf<typeof accountDetailEndpoints.getAccountDetails>;

/**
 * Returns the details of the caller's account screen beyond the session. Users who were never asked have not agreed to
 * updates.
 */
export async function getAccountDetails(
  ctx: Context,
  { providers }: Pick<SocialDependencies, 'providers'>,
): Promise<AccountDetails> {
  const userId = requirePerson(ctx);
  const user = await findUser(ctx.db.query, userId);
  if (user === undefined) throw new AppError('unauthenticated');
  // Omit identities issued by another server of the same provider, which no longer sign in.
  const identities = (await listIdentities(ctx.db.query, userId)).filter(
    ({ provider, subject }) => providers[provider]?.issued(subject) ?? true,
  );
  return {
    hasMarketingConsent: user.marketingConsent === 1,
    providers: identities.map(({ provider, createdAt }) => ({ provider, connectedAt: createdAt })),
  };
}
