import { identityTexts } from '#contract/identity-texts.ts';
import * as limits from '#contract/limits.ts';

export interface NewPassword {
  password: string;
  confirmation: string;
}

/** What is wrong with a new password and its repetition, and in which field; undefined when nothing is. */
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

/** The first thing that is wrong with a sign-up form; undefined when nothing is. */
export function faultOfSignUp(input: SignUp): { field: keyof SignUp; sentence: string } | undefined {
  for (const field of ['email', 'password'] as const) {
    if (input[field].trim() === '') return { field, sentence: identityTexts.fillInAllFields };
  }
  return faultOfNewPassword(input);
}
