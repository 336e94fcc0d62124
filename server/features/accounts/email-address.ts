import { AppError } from '#server/app-error.ts';

// One @, a name of at most 64 characters without spaces and separators, and a domain of at least two labels.
const shape =
  /^[^\s@<>()[\]\\,;:"\p{C}]{1,64}@(?=.{1,255}$)[\p{L}\p{N}]([\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?(\.[\p{L}\p{N}]([\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?)+$/u;

/** The one form of an address that is stored and compared: trimmed, lower case. Refuses what is empty or no address. */
export function normalizeEmail(text: string): string {
  const email = text.trim().normalize('NFC').toLowerCase();
  if (email === '') throw new AppError('missing-email');
  if (!shape.test(email)) throw new AppError('invalid-email');
  return email;
}
