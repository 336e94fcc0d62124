export { hasIgnorable, normalizeEmail, unmistakable } from './email-address.ts';
export { holdUser } from './identity-store.ts';
export type { Accounts } from './open-accounts.ts';
export { isOperator, requireOperatorAccount, tellRefusal } from './operator-account.ts';
export { requirePerson, requireUserId } from './policy.ts';
export {
  type Attempt,
  countAttempts,
  countAttemptsIn,
  networkOf,
  recordChange,
  requireWithinLimits,
  requireWithinOwnRate,
  requireWithinRate,
  takeBack,
} from './rate-limits.ts';
export { hashToken, newToken } from './secrets.ts';
export { newSocialAttempt, packAttempt, type SocialAttempt, unpackAttempt } from './social-attempt.ts';
export {
  claimAttempt,
  emailOf,
  identify,
  requireEmail,
  type SocialDependencies,
  type SocialOutcome,
  signInIdentity,
} from './social-sign-in.ts';
export { findUser } from './store.ts';
export { verifyByProof } from './verify-email.ts';
export { actingUser, confirmSession, hasWebSession, identityTokenPrefix } from './web-session.ts';
