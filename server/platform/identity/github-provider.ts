import { z } from 'zod';
import type { Outbound } from '../outbound/index.ts';
import { type CodeFlow, codeFlowUrl, exchangeCode, readWithToken } from './code-exchange.ts';
import {
  isSubjectAt,
  pictureAddress,
  type ServiceProvider,
  type SocialClient,
  SocialSignInError,
  subjectAt,
} from './social-provider.ts';

const githubUrl = 'https://github.com';

const userSchema = z.object({
  id: z.int(),
  login: z.string(),
  name: z.string().nullish(),
  avatar_url: pictureAddress,
});
const emailsSchema = z.array(z.object({ email: z.string(), primary: z.boolean() }));

/** Returns the authorization server of a GitHub. Its redirects back name the issuer, which is checked (RFC 9207). */
export function githubServer(url: string): CodeFlow['server'] {
  const issuer = `${url}/login/oauth`;
  return { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/access_token` };
}

/** Creates the sign-in at github.com, or at a self-hosted GitHub (`url`). The access token is discarded after use. */
export function githubProvider(client: SocialClient, outbound: Outbound): ServiceProvider {
  const { url } = client;
  // A self-hosted GitHub has its API below its own address.
  const api = url === githubUrl ? 'https://api.github.com' : `${url}/api/v3`;
  const flow: CodeFlow = {
    server: githubServer(url),
    client,
    scope: 'read:user user:email',
    outbound,
  };
  return {
    issued: (subject) => isSubjectAt(url, githubUrl, subject),
    authorizationUrl: (redirectUri, secrets) => codeFlowUrl(flow, redirectUri, secrets),
    async identify(query, redirectUri, secrets) {
      const { access_token: token } = await exchangeCode(flow, query, redirectUri, secrets);
      const user = userSchema.safeParse(await readWithToken(outbound, `${api}/user`, token));
      const emails = emailsSchema.safeParse(await readWithToken(outbound, `${api}/user/emails`, token));
      if (!user.success || !emails.success) {
        throw new SocialSignInError('refused', 'GitHub described the account in a way that is not understood');
      }
      const primary = emails.data.find((entry) => entry.primary);
      const { id, login, name, avatar_url: photoUrl } = user.data;
      return {
        subject: subjectAt(url, githubUrl, String(id)),
        email: primary?.email,
        // GitHub verifies an address only once, when it is added.
        isEmailVerified: false,
        displayName: name ?? login,
        photoUrl,
      };
    },
  };
}
