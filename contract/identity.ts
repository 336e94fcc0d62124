import { z } from 'zod';
import { sessionUserSchema } from './accounts.ts';
import { endpoint } from './endpoint.ts';
import * as limits from './limits.ts';
import { nameLine } from './name-line.ts';

export const socialProviders = ['github', 'google'] as const;
export type SocialProvider = (typeof socialProviders)[number];
export const serviceNames: Record<SocialProvider, string> = { github: 'GitHub', google: 'Google' };

// Sizes only: an invalid address or password has its own error code.
const password = z.string().max(limits.passwordCharactersMax);
const email = z.string().max(limits.emailCharactersMax);
const oobCode = z.string().max(200);
const displayName = z.string().overwrite(nameLine).max(limits.displayNameCharactersMax);
const empty = z.object({});
const user = z.object({ user: sessionUserSchema });

export const sessionEntrySchema = z.object({
  id: z.string(),
  createdAt: z.int(),
  lastSeenAt: z.int(),
  userAgent: z.string(),
  isThisOne: z.boolean(),
});
export type SessionEntry = z.infer<typeof sessionEntrySchema>;

export const identityEndpoints = {
  signInWithEmail: endpoint({
    method: 'POST',
    path: '/api/identity/sign-in',
    summary: 'Signs in with e-mail and password; sets the session cookie.',
    access: 'anyone',
    input: z.object({ email, password }),
    output: user,
  }),
  signUpWithEmail: endpoint({
    method: 'POST',
    path: '/api/identity/sign-up',
    summary: 'Creates an account; sets the session cookie and sends the verification mail.',
    access: 'anyone',
    input: z.object({ email, password, displayName: displayName.optional() }),
    output: user,
  }),
  sendPasswordReset: endpoint({
    method: 'POST',
    path: '/api/identity/send-reset',
    summary: 'Sends a reset mail when there is such an account; answers the same when there is not.',
    access: 'anyone',
    input: z.object({ email }),
    output: empty,
  }),
  verifyResetCode: endpoint({
    method: 'POST',
    path: '/api/identity/verify-reset-code',
    summary: 'Whose password a reset code is for; does not use it up.',
    access: 'anyone',
    input: z.object({ oobCode }),
    /** `apiKeys` and `connections` are those that the new password ends. */
    output: z.object({ email: z.string(), apiKeys: z.int(), connections: z.int() }),
  }),
  confirmReset: endpoint({
    method: 'POST',
    path: '/api/identity/confirm-reset',
    summary: 'Sets a new password with a reset code; ends every session, API key and connected application.',
    /** `keepsAgents`: API keys and connected applications stay. */
    access: 'anyone',
    input: z.object({ oobCode, newPassword: password, keepsAgents: z.boolean().optional() }),
    output: empty,
  }),
  sendVerification: endpoint({
    method: 'POST',
    path: '/api/identity/send-verification',
    summary: 'Sends the verification mail again; the code of the mail before it is void.',
    input: empty,
    output: empty,
  }),
  applyVerificationCode: endpoint({
    method: 'POST',
    path: '/api/identity/verify-email',
    summary:
      'Verifies an e-mail address with the code of a mail; outside the session that asked for it only with a new password, which ends all other access.',
    access: 'anyone',
    input: z.object({ oobCode, newPassword: password.optional() }),
    /** `wasVerified`: the address had been verified before. */
    output: z.object({ wasVerified: z.boolean() }),
  }),
  disownAddress: endpoint({
    method: 'POST',
    path: '/api/identity/disown-address',
    summary: 'Closes an account that was made with your address, with the code of the verification mail.',
    access: 'anyone',
    input: z.object({ oobCode }),
    output: empty,
  }),
  updateProfile: endpoint({
    method: 'POST',
    path: '/api/identity/profile',
    summary: 'Changes your display name.',
    input: z.object({ displayName }),
    output: user,
  }),
  changePassword: endpoint({
    method: 'POST',
    path: '/api/identity/change-password',
    summary: 'Changes your password; your other sessions end.',
    input: z.object({ currentPassword: password, newPassword: password }),
    output: empty,
  }),
  claimLocalOwner: endpoint({
    method: 'POST',
    path: '/api/identity/claim',
    summary: 'Operator: gives the local owner an e-mail address and a password, once.',
    input: z.object({ email, password }),
    output: user,
  }),
  listSessions: endpoint({
    method: 'GET',
    path: '/api/identity/sessions',
    summary: 'Browsers you are signed in with, the last seen first.',
    input: empty,
    output: z.object({ sessions: z.array(sessionEntrySchema) }),
  }),
  endSession: endpoint({
    method: 'POST',
    path: '/api/identity/sessions/:sessionId/end',
    summary: 'Signs one of your browsers out.',
    input: z.object({ sessionId: z.string() }),
    output: empty,
  }),
  issueIdentityToken: endpoint({
    method: 'POST',
    path: '/api/identity/token',
    summary: 'A bearer token of the signed-in person for callable functions, good for one hour or until signing out.',
    input: empty,
    output: z.object({ token: z.string(), expiresAt: z.int() }),
  }),
  getSignInMethods: endpoint({
    method: 'GET',
    path: '/api/identity/methods',
    summary: 'Which ways of signing in this installation offers.',
    access: 'anyone',
    input: empty,
    output: z.object({
      emailPassword: z.boolean(),
      signUp: z.boolean(),
      github: z.boolean(),
      google: z.boolean(),
      mailIsOutbox: z.boolean(),
      /** New accounts must verify their address before they create keys. */
      asksVerification: z.boolean(),
    }),
  }),
};

/** In the address of a verification link: the reader says that they did not sign up. */
export const notMineParameter = 'notMine';

/** Where the popup of a social sign-in begins; `cont` is where the page goes on when it has no opener. */
export function socialSignInPath(provider: SocialProvider, cont?: string): string {
  const query = cont === undefined ? '' : `?cont=${encodeURIComponent(cont)}`;
  return `/api/identity/oauth/${provider}/start${query}`;
}
