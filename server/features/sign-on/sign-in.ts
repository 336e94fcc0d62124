import * as limits from '#contract/limits.ts';
import { signOnCallbackPath } from '#contract/sign-on.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import {
  claimAttempt,
  countAttemptsIn,
  emailOf,
  identify,
  newSocialAttempt,
  normalizeEmail,
  packAttempt,
  requireEmail,
  requireWithinLimits,
  type SocialAttempt,
  type SocialOutcome,
  signInIdentity,
} from '#server/features/accounts/index.ts';
import { type Browser } from '#server/features/call.ts';
import { admitMember } from '#server/features/teams/index.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import { type SignOnDependencies } from './dependencies.ts';
import { domainOf } from './prove-domain.ts';
import { providerNameOf, providerOf, redirectUriOf } from './provider.ts';
import { findProvedSignOn, findSignOnOfTeam, type SignOnRow } from './store.ts';

/** Returns true if a team's provider signs in users with this address. */
export async function findSignOn(ctx: Context, input: { email: string }): Promise<boolean> {
  return (await signOnOf(ctx, normalizeEmail(input.email))) !== undefined;
}

/** Returns an address's domain for display; undefined if it is not an address. */
export function siteOf(text: string): string | undefined {
  try {
    return domainOf(normalizeEmail(text));
  } catch {
    return undefined;
  }
}

async function signOnOf(ctx: Context, email: string): Promise<SignOnRow | undefined> {
  const domain = domainOf(email);
  return domain === undefined ? undefined : findProvedSignOn(ctx.db.query, domain);
}

/**
 * Begins a sign-in with an address of a team's domain: returns the address to redirect to, and the attempt to keep in
 * the browser's cookie.
 */
export async function beginSignOn(
  ctx: Context,
  input: { email: string; cont: string },
  browser: Browser,
  deps: SignOnDependencies,
): Promise<{ redirectTo: string; attempt: SocialAttempt; cookie: string }> {
  const row = await signOnOf(ctx, normalizeEmail(input.email));
  if (row === undefined) throw new AppError('sign-on-not-found');
  // Each sign-in starts with a request to the provider.
  await requireWithinLimits(ctx, [['sign-on-address', browser.address]]);
  const attempt = newSocialAttempt(ctx.clock.now(), providerNameOf(row), input.cont);
  const redirectTo = await identify(ctx, async () => {
    const provider = await providerOf(row, deps);
    return provider.authorizationUrl(redirectUriOf(deps, signOnCallbackPath(row.teamId)), attempt);
  });
  const url = new URL(redirectTo);
  url.searchParams.set('login_hint', normalizeEmail(input.email));
  return { redirectTo: url.href, attempt, cookie: packAttempt(deps.social.attemptKey, attempt) };
}

/**
 * Finishes a sign-in; only addresses of the proved domain are accepted. Uses the account with that identity, else the
 * one with that address if it is verified, else a new one; adds the user to the team if necessary.
 */
export async function finishSignOn(
  ctx: Context,
  input: { teamId: string; query: URLSearchParams; cookie: string | undefined },
  browser: Browser,
  deps: SignOnDependencies,
): Promise<SocialOutcome> {
  const attempt = await claimAttempt(ctx, input, deps.social);
  const row = await requireSignOn(ctx.db.query, attempt.provider);
  // The response came to another team's address, so its code is from another provider.
  if (row.teamId !== input.teamId) throw new AppError('sign-in-failed');
  const profile = await identify(ctx, async () => {
    const provider = await providerOf(row, deps);
    return provider.identify(input.query, redirectUriOf(deps, signOnCallbackPath(row.teamId)), attempt);
  });
  const email = requireEmail(emailOf(profile), attempt.provider);
  if (domainOf(email) !== row.domain) {
    throw new AppError('sign-on-other-address', { values: { email, domain: row.domain } });
  }
  const candidate = { ...profile, email, provider: attempt.provider };
  const outcome = await signInIdentity(
    ctx,
    candidate,
    browser,
    // If sign-up is closed, the operator decides whose users get accounts; a team's own record is not enough.
    { ...deps.social, isSignUpOpen: deps.social.isSignUpOpen || row.isVouchedFor === 1 },
    async (tx, { user, isNewAccount }) => {
      // Check again, since the provider may have taken a while to respond.
      const { teamId } = await requireSignOn(tx, attempt.provider);
      if (isNewAccount) await requireFewNewAccounts(tx, ctx, { ...row, email }, browser);
      const member = { teamId, userId: user.id, email, role: row.defaultRole };
      if (profile.isEmailVerified) await admitMember(tx, member, ctx.clock.now());
    },
  );
  return { ...outcome, cont: attempt.cont };
}

/** Limits the accounts a team's provider can create: it can name any number of users, and each account gets credits. */
async function requireFewNewAccounts(
  tx: Transaction,
  ctx: Context,
  { teamId, domain, isVouchedFor, email }: SignOnRow & { email: string },
  { address }: Browser,
): Promise<void> {
  if (ctx.hasPlanLimits !== true || isVouchedFor === 1) return;
  const retryAfterSeconds = await countAttemptsIn(tx, ctx.clock.now(), [
    ['sign-on-made-team', teamId],
    ['sign-on-made-address', address],
  ]);
  if (retryAfterSeconds === undefined) return;
  const values = { domain, email, limit: limits.signOnAccountsPerDayMax, hours: Math.ceil(retryAfterSeconds / 3_600) };
  throw new AppError('sign-on-accounts-exceeded', { values, retryAfterSeconds });
}

/**
 * Returns the sign-on with this provider. Throws `sign-on-not-found` if it was removed or changed, or its proof has
 * ended.
 */
async function requireSignOn(queries: Queries, provider: string): Promise<SignOnRow> {
  const [, teamId = ''] = provider.split(':');
  const row = await findSignOnOfTeam(queries, teamId);
  if (row === undefined || row.verifiedAt === null || providerNameOf(row) !== provider) {
    throw new AppError('sign-on-not-found');
  }
  return row;
}
