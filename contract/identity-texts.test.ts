import { expect, test } from 'vitest';
import { signInMessageOf } from './identity-texts.ts';

test.each([
  ['weak-password', 'Password must be at least 6 characters long'],
  ['wrong-password', 'Incorrect password. Please try again'],
  ['invalid-email', 'Please enter a valid email address'],
  ['email-already-in-use', 'An account with this email already exists'],
  ['user-not-found', 'No account found with this email address'],
  ['operation-not-allowed', 'This sign-in method is not enabled'],
  ['invalid-credential', 'Invalid email or password'],
  ['account-exists-with-different-credential', 'An account already exists with this email'],
  ['popup-blocked', 'Sign-in popup was blocked. Please allow popups and try again'],
  ['popup-closed-by-user', 'Sign-in was cancelled'],
  ['unauthorized-domain', 'This domain is not authorized for sign-in'],
  ['too-many-requests', 'Too many failed attempts. Please try again later'],
  ['network-request-failed', 'Network error. Please check your connection'],
  ['missing-password', 'Please enter a password'],
  ['missing-email', 'Please enter an email address'],
  ['anything-else', 'An error occurred. Please try again'],
  [undefined, 'An error occurred. Please try again'],
  ['offline', 'Network error. Please check your connection'],
  ['internal', 'An error occurred. Please try again'],
])('the sign-in error %s has the right message', (code, sentence) => {
  expect(signInMessageOf(code)).toBe(sentence);
});

test('a screen can pass its own message for errors without one', () => {
  expect(signInMessageOf('internal', 'Failed to create account. Please try again.')).toBe(
    'Failed to create account. Please try again.',
  );
});
