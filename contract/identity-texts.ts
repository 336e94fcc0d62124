import { type ErrorCode, sentenceOf } from './errors.ts';
import { verifiedText } from './verified-text.ts';

/** What the screens around an account say, beside the sentences of the error table. */
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

/** The codes that have a sentence of their own on the screens that sign in; all others say `sign-in-failed`. */
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

/** The sentence for a sign-in that failed with `code`; `otherwise` for a code that has none of its own. */
export function signInMessageOf(code: string | undefined, otherwise: string = sentenceOf('sign-in-failed')): string {
  // No answer at all is what people know as a fault of the network.
  const known = code === 'offline' ? 'network-request-failed' : code;
  return known !== undefined && signInCodes.has(known) ? sentenceOf(known as ErrorCode) : otherwise;
}
