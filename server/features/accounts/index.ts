export { changePassword } from './change-password.ts';
export { type AccountDeletion, deleteAccount } from './delete-account.ts';
export { hasIgnorable, normalizeEmail, unmistakable } from './email-address.ts';
export { endAccess } from './end-access.ts';
export { holdUser } from './identity-store.ts';
export type { Accounts } from './open-accounts.ts';
export { isOperator, requireOperatorAccount, tellRefusal } from './operator-account.ts';
export { confirmReset, sendPasswordReset, verifyResetCode } from './password-reset.ts';
export { createPasswords } from './passwords.ts';
export { requireOperator, requirePerson, requireUserId } from './policy.ts';
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
export { claimLocalOwner, createSignInLink, redeemSignInLink } from './sign-in-link.ts';
export { signInWithEmail } from './sign-in-with-email.ts';
export { signUpWithEmail } from './sign-up-with-email.ts';
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
export { ensureLocalOwner, findUser } from './store.ts';
export {
  applyVerificationCode,
  disownAddress,
  onEmailVerified,
  sendVerification,
  type Verification,
  verifyByProof,
} from './verify-email.ts';
export {
  actingUser,
  confirmSession,
  endSession,
  endWebSession,
  hasWebSession,
  identityTokenPrefix,
  issueIdentityToken,
  listSessions,
  personOfIdentityToken,
  personOfWebSession,
} from './web-session.ts';
