import { z } from 'zod';
import { sessionUserSchema } from './accounts.ts';
import { endpoint } from './endpoint.ts';
import * as limits from './limits.ts';
import { nameLine } from './name-line.ts';

export const socialProviders = ['github', 'google'] as const;
export type SocialProvider = (typeof socialProviders)[number];
export const serviceNames: Record<SocialProvider, string> = { github: 'GitHub', google: 'Google' };

// Only sizes are checked here: an invalid address or password has its own error code.
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
  signInWithEmail: endpoint('POST /api/identity/sign-in', {
    summary: 'Signs in with email and password, and sets the session cookie.',
    access: 'anyone',
    input: z.object({ email, password }),
    output: user,
  }),
  signUpWithEmail: endpoint('POST /api/identity/sign-up', {
    summary: 'Creates an account, sets the session cookie and sends the verification email.',
    access: 'anyone',
    input: z.object({ email, password, displayName: displayName.optional() }),
    output: user,
  }),
  sendPasswordReset: endpoint('POST /api/identity/send-reset', {
    summary: 'Sends a password reset email if the account exists. The response is the same if it doesn’t.',
    access: 'anyone',
    input: z.object({ email }),
    output: empty,
  }),
  verifyResetCode: endpoint('POST /api/identity/verify-reset-code', {
    summary: 'Returns the account that a reset code belongs to, without using the code up.',
    access: 'anyone',
    input: z.object({ oobCode }),
    /** `apiKeys` and `connections` count those that the password change revokes. */
    output: z.object({ email: z.string(), apiKeys: z.int(), connections: z.int() }),
  }),
  confirmReset: endpoint('POST /api/identity/confirm-reset', {
    summary: 'Sets a new password with a reset code, and ends every session, API key and connected application.',
    /** `keepsAgents`: API keys and connected applications are kept. */
    access: 'anyone',
    input: z.object({ oobCode, newPassword: password, keepsAgents: z.boolean().optional() }),
    output: empty,
  }),
  sendVerification: endpoint('POST /api/identity/send-verification', {
    summary: 'Sends the verification email again. The earlier email’s code stops working.',
    output: empty,
  }),
  applyVerificationCode: endpoint('POST /api/identity/verify-email', {
    summary:
      'Verifies an email address with the code from the email. Outside the session that requested it, a new password is required, which ends all other access.',
    access: 'anyone',
    input: z.object({ oobCode, newPassword: password.optional() }),
    /** `wasVerified`: the address was already verified. */
    output: z.object({ wasVerified: z.boolean() }),
  }),
  disownAddress: endpoint('POST /api/identity/disown-address', {
    summary: 'Closes an account that someone created with your address, with the code from the verification email.',
    access: 'anyone',
    input: z.object({ oobCode }),
    output: empty,
  }),
  updateProfile: endpoint('POST /api/identity/profile', {
    summary: 'Changes your display name.',
    input: z.object({ displayName }),
    output: user,
  }),
  changePassword: endpoint('POST /api/identity/change-password', {
    summary: 'Changes your password and ends your other sessions.',
    input: z.object({ currentPassword: password, newPassword: password }),
    output: empty,
  }),
  claimLocalOwner: endpoint('POST /api/identity/claim', {
    summary: 'Operator: adds an email address and a password to the local owner’s account, once.',
    input: z.object({ email, password }),
    output: user,
  }),
  listSessions: endpoint('GET /api/identity/sessions', {
    summary: 'Lists the browsers in which you are signed in, the most recently used first.',
    output: z.object({ sessions: z.array(sessionEntrySchema) }),
  }),
  endSession: endpoint('POST /api/identity/sessions/:sessionId/end', {
    summary: 'Signs you out in one of your browsers.',
    input: z.object({ sessionId: z.string() }),
    output: empty,
  }),
  issueIdentityToken: endpoint('POST /api/identity/token', {
    summary: 'Returns an identity token (bearer token) for the signed-in user, valid for one hour or until sign-out.',
    output: z.object({ token: z.string(), expiresAt: z.int() }),
  }),
  getSignInMethods: endpoint('GET /api/identity/methods', {
    summary: 'Lists the sign-in methods that this installation offers.',
    access: 'anyone',
    output: z.object({
      emailPassword: z.boolean(),
      signUp: z.boolean(),
      github: z.boolean(),
      google: z.boolean(),
      /** New accounts must verify their address before they create keys. */
      asksVerification: z.boolean(),
    }),
  }),
};

/** Parameter in a verification link's address: the recipient says they did not sign up. */
export const notMineParameter = 'notMine';

/** Returns the path where a social sign-in's popup starts; `cont` is the next page if the popup has no opener. */
export function socialSignInPath(provider: SocialProvider, cont?: string): string {
  const query = cont === undefined ? '' : `?cont=${encodeURIComponent(cont)}`;
  return `/api/identity/oauth/${provider}/start${query}`;
}
