import type { accountDetailEndpoints } from '#contract/account-details.ts';
import type { OutputOf } from '#contract/endpoint.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { listIdentities } from './identity-store.ts';
import { requirePerson } from './policy.ts';
import type { SocialDependencies } from './social-sign-in.ts';
import { findUser } from './store.ts';

type AccountDetails = OutputOf<typeof accountDetailEndpoints.getAccountDetails>;

/** What the acting person's account screen shows beyond the session. Who was never asked has not agreed to updates. */
export async function getAccountDetails(
  ctx: Context,
  { providers }: Pick<SocialDependencies, 'providers'>,
): Promise<AccountDetails> {
  const userId = requirePerson(ctx);
  const user = await findUser(ctx.db.query, userId);
  if (user === undefined) throw new AppError('unauthenticated');
  // Those of another server of the same kind sign no one in.
  const identities = (await listIdentities(ctx.db.query, userId)).filter(
    ({ provider, subject }) => providers[provider]?.issued(subject) ?? true,
  );
  return {
    hasMarketingConsent: user.marketingConsent === 1,
    providers: identities.map(({ provider, createdAt }) => ({ provider, connectedAt: createdAt })),
  };
}
