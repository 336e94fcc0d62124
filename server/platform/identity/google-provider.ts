import { getValidatedIdTokenClaims } from 'oauth4webapi';
import { z } from 'zod';
import type { Outbound } from '../outbound/index.ts';
import { type CodeFlow, codeFlowUrl, exchangeCode } from './code-exchange.ts';
import {
  isSubjectAt,
  pictureAddress,
  type ServiceProvider,
  type SocialClient,
  SocialSignInError,
  subjectAt,
} from './social-provider.ts';

export const googleUrl = 'https://accounts.google.com';

const claimsSchema = z.object({
  // A non-ASCII id (not allowed by OpenID Connect Core 1.0, section 2) could be stored as another account's.
  sub: z.string().regex(/^[\x20-\x7e]{1,255}$/),
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
  name: z.string().optional(),
  picture: pictureAddress,
  /** The account's organization. */
  hd: z.string().min(1).optional(),
});

/**
 * Creates the sign-in at Google over OpenID Connect, or at a provider with the same paths below one address. The
 * endpoints are fixed rather than discovered, so that a start does not depend on Google and a sign-in needs no further
 * request.
 */
export function googleProvider(client: SocialClient, outbound: Outbound): ServiceProvider {
  const { url } = client;
  const isGoogle = url === googleUrl;
  const flow: CodeFlow = {
    server: {
      issuer: url,
      authorization_endpoint: `${url}/o/oauth2/v2/auth`,
      token_endpoint: isGoogle ? 'https://oauth2.googleapis.com/token' : `${url}/token`,
      jwks_uri: isGoogle ? 'https://www.googleapis.com/oauth2/v3/certs' : `${url}/oauth2/v3/certs`,
    },
    client,
    scope: 'openid email profile',
    outbound,
  };
  return {
    issued: (subject) => isSubjectAt(url, googleUrl, subject),
    authorizationUrl: (redirectUri, secrets) =>
      codeFlowUrl(flow, redirectUri, secrets, { nonce: secrets.nonce, prompt: 'select_account' }),
    async identify(query, redirectUri, secrets) {
      const tokens = await exchangeCode(flow, query, redirectUri, secrets, secrets.nonce);
      const claims = claimsSchema.safeParse(getValidatedIdTokenClaims(tokens));
      if (!claims.success) {
        throw new SocialSignInError('refused', 'Google described the account in a way that is not understood');
      }
      const { sub, email, email_verified: wasVerified = false, name, picture, hd } = claims.data;
      // For other accounts, the address may belong to someone else by now:
      // https://developers.google.com/identity/gsi/web/guides/verify-google-id-token
      const isOfGoogle = hd !== undefined || email?.toLowerCase().endsWith('@gmail.com') === true;
      return {
        subject: subjectAt(url, googleUrl, sub),
        email,
        isEmailVerified: wasVerified && isOfGoogle,
        displayName: name ?? '',
        photoUrl: picture,
      };
    },
  };
}
