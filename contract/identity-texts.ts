import { type ErrorCode, sentenceOf } from './errors.ts';
import { verifiedText } from './verified-text.ts';

/** Texts of the account screens, in addition to the messages of the error table. */
export const identityTexts = {
  fillInAllFields: 'Please fill in all fields',
  passwordsDoNotMatch: 'Passwords do not match',
  passwordTooShort: 'Password must be at least 6 characters',
  signUpFailed: 'Failed to create account. Please try again.',
  sendResetFailed: 'Failed to send reset email',
  resetFailed: 'Failed to reset password',
  checkYourEmail: 'Check your email',
  verifying: 'Verifying your email...',
  verified: verifiedText,
  wasVerified: 'Your email is already verified.',
  verificationError: 'An error occurred during verification.',
  actionFailed: "We couldn't process this link",
  actionUnsupported: 'Unsupported action for this link.',
  actionWithoutCode: 'This link is invalid. Please request a new one.',
} as const;

/** Codes with their own message on the sign-in screens; all others show `sign-in-failed`. */
const signInCodes: ReadonlySet<string> = new Set<ErrorCode>([
  'weak-password',
  'wrong-password',
  'invalid-email',
  'email-already-in-use',
  'user-not-found',
  'operation-not-allowed',
  'invalid-credential',
  'account-exists-with-different-credential',
  'account-disabled',
  'popup-blocked',
  'popup-closed-by-user',
  'unauthorized-domain',
  'too-many-requests',
  'network-request-failed',
  'missing-password',
  'missing-email',
  'github-not-configured',
]);

/**
 * Returns the message for a sign-in that failed with `code`; `otherwise` is used for codes without their own message.
 */
export function signInMessageOf(code: string | undefined, otherwise: string = sentenceOf('sign-in-failed')): string {
  // To users, a missing response is a network error.
  const known = code === 'offline' ? 'network-request-failed' : code;
  return known !== undefined && signInCodes.has(known) ? sentenceOf(known as ErrorCode) : otherwise;
}
