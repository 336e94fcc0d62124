import { createHash } from 'node:crypto';
import { AppError } from '#server/app-error.ts';
import { openidProvider } from '#server/platform/identity/openid-provider.ts';
import { type SocialProvider, SocialSignInError } from '#server/platform/identity/social-provider.ts';
import { unseal } from '#server/platform/sealing.ts';
import type { SignOnDependencies } from './dependencies.ts';
import type { SignOnRow } from './store.ts';

/** What a client secret is sealed for: it cannot be moved to another team. */
export const secretLabel = (teamId: string) => `team-sign-on:${teamId}`;

/** The address of a provider in the form it is compared and kept in. Refuses all but https, and http where it is allowed. */
export function normalizeIssuer(text: string, { allowHosts }: Pick<SignOnDependencies, 'allowHosts'>): string {
  const url = URL.parse(text.trim());
  const refuse = (reason: string) =>
    new AppError('issuer-unusable', { values: { issuer: text.slice(0, 200), reason } });
  if (url === null) throw refuse('this is no address');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowHosts.includes(url.host))) {
    throw refuse('it must begin with https://');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw refuse('it must have no user, query or fragment');
  }
  // With a path, the slash is part of the name.
  return url.pathname === '/' ? url.href.slice(0, -1) : url.href;
}

/** The provider of a team, its description read now. Throws SocialSignInError. */
export async function providerOf(row: SignOnRow, deps: SignOnDependencies): Promise<SocialProvider> {
  const clientSecret = unseal(deps.sealingKeys, secretLabel(row.teamId), row.clientSecretSealed);
  if (clientSecret === undefined) {
    throw new SocialSignInError('refused', 'the client secret was stored under a secret that is lost');
  }
  return openidProvider({ clientId: row.clientId, clientSecret, url: row.issuer }, deps.outbound);
}

/**
 * Names the provider among identities. Another issuer or client is another provider: its ids may be those of other
 * people. So is another domain: the team may have lost the one that it vouched for before.
 */
export function providerNameOf({ teamId, issuer, clientId, domain }: SignOnRow): string {
  const source = createHash('sha256')
    .update(JSON.stringify([issuer, clientId, domain]))
    .digest('base64url')
    .slice(0, 16);
  return `sign-on:${teamId}:${source}`;
}

/** Where a provider sends the browser back to; made from the configured address, never from what a request says. */
export function redirectUriOf({ social }: SignOnDependencies, path: string): string {
  return `${social.publicUrl}${path}`;
}
