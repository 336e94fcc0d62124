import { createHash } from 'node:crypto';
import { AppError } from '#server/app-error.ts';
import { openidProvider } from '#server/platform/identity/openid-provider.ts';
import { type SocialProvider, SocialSignInError } from '#server/platform/identity/social-provider.ts';
import { unseal } from '#server/platform/sealing.ts';
import type { SignOnDependencies } from './dependencies.ts';
import type { SignOnRow } from './store.ts';

/** Label under which a client secret is sealed, so that it cannot be moved to another team. */
export const secretLabel = (teamId: string) => `team-sign-on:${teamId}`;

/**
 * Returns a provider's address in the form that is stored and compared. Throws unless it is https, or http where
 * allowed.
 */
export function normalizeIssuer(text: string, { allowHosts }: Pick<SignOnDependencies, 'allowHosts'>): string {
  const url = URL.parse(text.trim());
  const refuse = (reason: string) =>
    new AppError('issuer-unusable', { values: { issuer: text.slice(0, 200), reason } });
  if (url === null) throw refuse('it is not an address');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowHosts.includes(url.host))) {
    throw refuse('it must begin with https://');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw refuse('it must have no user, query or fragment');
  }
  // With a path, the trailing slash is significant.
  return url.pathname === '/' ? url.href.slice(0, -1) : url.href;
}

/** Returns a team's provider with its current metadata. Throws SocialSignInError. */
export async function providerOf(row: SignOnRow, deps: SignOnDependencies): Promise<SocialProvider> {
  const clientSecret = unseal(deps.sealingKeys, secretLabel(row.teamId), row.clientSecretSealed);
  if (clientSecret === undefined) {
    throw new SocialSignInError('refused', 'the client secret was stored under a secret that is lost');
  }
  return openidProvider({ clientId: row.clientId, clientSecret, url: row.issuer }, deps.outbound);
}

/**
 * Returns the provider's name among identities. Another issuer or client is another provider, whose ids may belong to
 * other people. So is another domain: the team may have lost the previous one.
 */
export function providerNameOf({ teamId, issuer, clientId, domain }: SignOnRow): string {
  const source = createHash('sha256')
    .update(JSON.stringify([issuer, clientId, domain]))
    .digest('base64url')
    .slice(0, 16);
  return `sign-on:${teamId}:${source}`;
}

/** Returns the redirect address for a provider, built from the configured address, never from a request. */
export function redirectUriOf({ social }: SignOnDependencies, path: string): string {
  return `${social.publicUrl}${path}`;
}
