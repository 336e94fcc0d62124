import { domainToUnicode } from 'node:url';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';

// One @, a name of at most 64 characters without spaces and separators, and a domain of at least two labels.
const shape =
  /^[^\s@<>()[\]\\,;:"\p{C}]{1,64}@(?=.{1,255}$)[\p{L}\p{N}]([\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?(\.[\p{L}\p{N}]([\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?)+$/u;

/** Returns true for characters that others stand for, such as the Kelvin sign and full-width letters: two spellings of one mailbox. */
function hasStandIns(text: string, composed: string): boolean {
  const isOneForm = text === composed || text === text.normalize('NFD');
  return !isOneForm || composed.normalize('NFKC') !== composed;
}

/** Characters that no one sees, such as variation selectors, and that the form of a domain in ASCII leaves out. */
const ignorable = /\p{Default_Ignorable_Code_Point}/u;

/** Returns true if an address or a domain has characters that no one sees: it looks like another one. */
export function hasIgnorable(text: string): boolean {
  return ignorable.test(text);
}

/** An address whose domain is spelled in ASCII (punycode), in its letters: the same mailbox has both spellings. */
function inOneSpelling(email: string): string {
  const [name, domain] = [email.slice(0, email.lastIndexOf('@') + 1), email.slice(email.lastIndexOf('@') + 1)];
  return /(^|\.)xn--/.test(domain) ? name + domainToUnicode(domain) : email;
}

/** The one form of an address that is stored and compared: trimmed, lower case. Refuses what is empty or no address. */
export function normalizeEmail(text: string): string {
  // Composing a long run of marks takes minutes.
  if (text.length > limits.emailCharactersMax) throw new AppError('invalid-email');
  const composed = text.trim().normalize('NFC');
  const email = inOneSpelling(composed.toLowerCase());
  if (email === '') throw new AppError('missing-email');
  if (!shape.test(email) || hasIgnorable(email) || hasStandIns(text.trim(), composed))
    throw new AppError('invalid-email');
  return email;
}
