import { type SignOn, signOnCallbackPath } from '#contract/sign-on.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { newToken, tellRefusal } from '#server/features/accounts/index.ts';
import { changeTeam, enterTeamAs } from '#server/features/teams/index.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import { openidProvider } from '#server/platform/identity/openid-provider.ts';
import { SocialSignInError } from '#server/platform/identity/social-provider.ts';
import { seal, unseal } from '#server/platform/sealing.ts';
import { type SignOnDependencies } from './dependencies.ts';
import { enterToAsk, entryOf, normalizeDomain, presentSignOn } from './prove-domain.ts';
import { normalizeIssuer, redirectUriOf, secretLabel } from './provider.ts';
import { deleteSignOn, findSignOnOfTeam, putSignOn, type SignOnRow } from './store.ts';

/** Returns a team's single sign-on, for its admins, without the client secret. */
export async function getSignOn(
  ctx: Context,
  { teamId }: { teamId: string },
  deps: SignOnDependencies,
): Promise<{ signOn: SignOn | null; redirectUri: string }> {
  await enterTeamAs(ctx, teamId, 'sso.manage');
  const row = await findSignOnOfTeam(ctx.db.query, teamId);
  return {
    signOn: row === undefined ? null : presentSignOn(row),
    redirectUri: redirectUriOf(deps, signOnCallbackPath(teamId)),
  };
}

/**
 * Sets up or changes single sign-on. The provider's metadata is read at once, so that only working settings are stored.
 * With another domain, issuer or client the domain must be proved again.
 */
export async function setSignOn(
  ctx: Context,
  input: {
    teamId: string;
    domain: string;
    issuer: string;
    clientId: string;
    clientSecret?: string;
    defaultRole: SignOnRow['defaultRole'];
  },
  deps: SignOnDependencies,
): Promise<SignOn> {
  const { teamId, clientId, defaultRole } = input;
  await enterToAsk(ctx, teamId);
  const domain = normalizeDomain(input.domain);
  const issuer = normalizeIssuer(input.issuer, deps);
  const before = await findSignOnOfTeam(ctx.db.query, teamId);
  const clientSecret = input.clientSecret?.trim() || secretBefore(before, { issuer, clientId }, deps);
  if (clientSecret === undefined) throw new AppError('client-secret-missing');
  await requireUsable(ctx, { issuer, clientId, clientSecret }, deps);
  return changeTeam(ctx, teamId, 'sso.manage', async ({ tx, now, membership }) => {
    const current = await findSignOnOfTeam(tx, teamId);
    // The proof is bound to this provider: another admin must not redirect the domain's users to their own.
    const isSame = current?.domain === domain && current.issuer === issuer && current.clientId === clientId;
    const row = await putSignOn(tx, {
      ...(isSame ? current : unproved(newToken())),
      ...{ teamId, domain, issuer, clientId, defaultRole },
      clientSecretSealed: seal(deps.sealingKeys, secretLabel(teamId), clientSecret),
      createdAt: current?.createdAt ?? now,
      updatedAt: now,
    });
    const detail = { domain, issuer, clientId, defaultRole };
    await recordAudit(tx, now, { ...entryOf(teamId, membership.userId), action: 'sign-on.set', detail });
    return presentSignOn(row);
  });
}

function unproved(domainToken: string) {
  return { domainToken, verifiedAt: null, checkedAt: null, missingSince: null, isVouchedFor: 0 };
}

/** Returns the stored secret, only for the provider it was given for. */
function secretBefore(
  before: SignOnRow | undefined,
  { issuer, clientId }: { issuer: string; clientId: string },
  { sealingKeys }: SignOnDependencies,
): string | undefined {
  if (before === undefined || before.issuer !== issuer || before.clientId !== clientId) return undefined;
  return unseal(sealingKeys, secretLabel(before.teamId), before.clientSecretSealed);
}

async function requireUsable(
  ctx: Context,
  client: { issuer: string; clientId: string; clientSecret: string },
  deps: SignOnDependencies,
): Promise<void> {
  const { issuer, ...secrets } = client;
  try {
    await openidProvider({ ...secrets, url: issuer }, deps.outbound);
  } catch (error) {
    if (!(error instanceof SocialSignInError)) throw error;
    const reason = (await tellRefusal(ctx, error.message)).replace(/\.$/, '').slice(0, 300);
    throw new AppError('issuer-unusable', { values: { issuer, reason }, cause: error });
  }
}

/** Ends single sign-on. Members stay members, and sign in another way. Idempotent. */
export async function removeSignOn(ctx: Context, { teamId }: { teamId: string }): Promise<void> {
  await changeTeam(ctx, teamId, 'sso.manage', async ({ tx, now, membership }) => {
    if (!(await deleteSignOn(tx, teamId))) return;
    await recordAudit(tx, now, { ...entryOf(teamId, membership.userId), action: 'sign-on.remove' });
  });
}
