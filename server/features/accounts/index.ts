export { getAccountDetails } from './account-details.ts';
export { type BackgroundWork, createBackgroundWork } from './background-work.ts';
export { type Browser, noBrowser } from './browser.ts';
export { changePassword } from './change-password.ts';
export { claimLocalOwner } from './claim-local-owner.ts';
export { type AccountDeletion, deleteAccount } from './delete-account.ts';
export { normalizeEmail } from './email-address.ts';
export { endAccess } from './end-access.ts';
export type { IdentityDependencies } from './identity-dependencies.ts';
export { holdUser, isNobodyElsesYet } from './identity-store.ts';
export { identityTokenPrefix, issueIdentityToken } from './identity-token.ts';
export { ensureLocalOwner } from './local-owner.ts';
export { createIdentityMails } from './mails.ts';
export { isOperator, requireOperatorAccount } from './operator-account.ts';
export { listOutboxMails, type OutboxReader, readOutboxMail } from './outbox.ts';
export { confirmReset, sendPasswordReset, verifyResetCode } from './password-reset.ts';
export { createPasswords } from './passwords.ts';
export { requireOperator, requirePerson, requireUserId } from './policy.ts';
export { presentUser, updateMarketingConsent, updateProfile } from './profile.ts';
export { type Attempt, countAttempts, requireWithinLimits, requireWithinRate, takeBack } from './rate-limits.ts';
export { replayErasures } from './replay-erasures.ts';
export { hashToken, newToken } from './secrets.ts';
export { createSignInLink, redeemSignInLink } from './sign-in-link.ts';
export { signInWithEmail } from './sign-in-with-email.ts';
export { signUpWithEmail } from './sign-up-with-email.ts';
export { attemptKeyOf, newSocialAttempt, packAttempt, type SocialAttempt } from './social-attempt.ts';
export {
  beginSocialSignIn,
  claimAttempt,
  emailOf,
  finishSocialSignIn,
  identify,
  type SocialDependencies,
  type SocialOutcome,
  signInIdentity,
} from './social-sign-in.ts';
export { listActionsOf } from './store.ts';
export {
  applyVerificationCode,
  disownAddress,
  onEmailVerified,
  sendVerification,
  type Verification,
  type VerifiedHook,
  verifyByProof,
} from './verify-email.ts';
export {
  actingUser,
  confirmSession,
  endSession,
  endWebSession,
  hasWebSession,
  listSessions,
  personOfIdentityToken,
  personOfWebSession,
} from './web-session.ts';
