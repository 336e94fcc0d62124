import { domainToASCII, domainToUnicode } from 'node:url';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';

// Matches one @, a name of at most 64 characters without spaces and separators, and a domain of at least two labels.
const shape =
  /^[^\s@<>()[\]\\,;:"\p{C}]{1,64}@(?=.{1,255}$)[\p{L}\p{N}]([\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?(\.[\p{L}\p{N}]([\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?)+$/u;

/**
 * Returns true if the text contains compatibility characters, such as the Kelvin sign or full-width letters, which
 * allow two spellings of one mailbox.
 */
function hasStandIns(text: string, composed: string): boolean {
  const isOneForm = text === composed || text === text.normalize('NFD');
  return !isOneForm || composed.normalize('NFKC') !== composed;
}

/** Matches invisible characters, such as variation selectors, which a domain's ASCII form omits. */
const ignorable = /\p{Default_Ignorable_Code_Point}/u;

/** Returns true if an address or a domain contains invisible characters and thus looks like another one. */
export function hasIgnorable(text: string): boolean {
  return ignorable.test(text);
}

/** Converts a punycode domain to its letters, since both spellings are the same mailbox. */
function inOneSpelling(email: string): string {
  const [name, domain] = [email.slice(0, email.lastIndexOf('@') + 1), email.slice(email.lastIndexOf('@') + 1)];
  return /(^|\.)xn--/.test(domain) ? name + domainToUnicode(domain) : email;
}

/**
 * Returns the form of an address that is stored and compared: trimmed, lower case. Throws for an empty or invalid
 * address.
 */
export function normalizeEmail(text: string): string {
  // Normalizing a long run of combining marks takes minutes.
  if (text.length > limits.emailCharactersMax) throw new AppError('invalid-email');
  const composed = text.trim().normalize('NFC');
  const email = inOneSpelling(composed.toLowerCase());
  if (email === '') throw new AppError('missing-email');
  if (!shape.test(email) || hasIgnorable(email) || hasStandIns(text.trim(), composed))
    throw new AppError('invalid-email');
  return email;
}

/** Returns an address for display, followed by its domain's ASCII form if that differs, since letters can look alike. */
export function unmistakable(email: string): string {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  const ascii = domainToASCII(domain);
  return ascii === domain ? email : `${email} [${ascii}]`;
}
