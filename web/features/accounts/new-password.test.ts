import { expect, test } from 'vitest';
import { faultOfNewPassword, faultOfSignUp } from './new-password.ts';

test.each([
  [{ email: '', password: 'secret1', confirmation: 'secret1' }, 'email', 'Please fill in all fields'],
  [{ email: '  ', password: 'secret1', confirmation: 'secret1' }, 'email', 'Please fill in all fields'],
  [{ email: 'a@b.example', password: '', confirmation: '' }, 'password', 'Please fill in all fields'],
  [{ email: 'a@b.example', password: 'secret1', confirmation: 'secret2' }, 'confirmation', 'Passwords do not match'],
  [
    { email: 'a@b.example', password: 'short', confirmation: 'short' },
    'password',
    'Password must be at least 6 characters',
  ],
  [{ email: 'a@b.example', password: 'short', confirmation: 'other' }, 'confirmation', 'Passwords do not match'],
] as const)('signing up with %j is rejected at the field %s', (input, field, sentence) => {
  expect(faultOfSignUp(input)).toEqual({ field, sentence });
});

test('a repeated password of six characters is valid, also with spaces and emoji', () => {
  expect(faultOfSignUp({ email: 'a@b.example', password: 'secret', confirmation: 'secret' })).toBeUndefined();
  expect(faultOfNewPassword({ password: 'a 🔑 b', confirmation: 'a 🔑 b' })).toBeUndefined();
});
