import { identityTexts } from '#contract/identity-texts.ts';
import * as limits from '#contract/limits.ts';

export interface NewPassword {
  password: string;
  confirmation: string;
}

/** Returns the error in a new password or its repetition, and its field, or undefined if both are valid. */
export function faultOfNewPassword(input: NewPassword): { field: keyof NewPassword; sentence: string } | undefined {
  if (input.password !== input.confirmation) {
    return { field: 'confirmation', sentence: identityTexts.passwordsDoNotMatch };
  }
  if (input.password.length < limits.passwordCharactersMin) {
    return { field: 'password', sentence: identityTexts.passwordTooShort };
  }
  return undefined;
}

interface SignUp extends NewPassword {
  email: string;
}

/** Returns the first error in a sign-up form, or undefined if it is valid. */
export function faultOfSignUp(input: SignUp): { field: keyof SignUp; sentence: string } | undefined {
  for (const field of ['email', 'password'] as const) {
    if (input[field].trim() === '') return { field, sentence: identityTexts.fillInAllFields };
  }
  return faultOfNewPassword(input);
}
