import { z } from 'zod';

/** Any non-empty text. */
export const text = z.string().trim().min(1, 'must not be empty');
/** A key that is sent in a header, which limits its characters. */
export const headerKey = z
  .string()
  .trim()
  .regex(/^[!-~]+$/, 'must be one word of ASCII characters');
/** A number within these bounds, inclusive. */
export const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be between ${least} and ${most}`);
export const address = (...schemes: string[]) =>
  z.string().refine(
    (value) => URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1)),
    // Further checks apply only to a valid address.
    {
      abort: true,
      error: `must be an address that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
    },
  );
/** Removes trailing slashes from an address. */
export const withoutSlash = (value: string) => value.replace(/\/+$/, '');
/** Returns true if an address has no path, query, fragment, user or password. */
export const isOrigin = (value: string) => URL.canParse(value) && new URL(value).href === `${new URL(value).origin}/`;
/** A comma-separated list of parts of this shape; `what` describes it in words. */
export const listOf = (item: RegExp, what: string) =>
  z
    .string()
    .transform((value) =>
      value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .refine((parts) => parts.every((part) => item.test(part)), `must be ${what}, separated by commas`);

/** Keys that encrypt secrets: the current one, then former ones. */
export const secretKeys = z
  .string()
  .regex(
    /^[0-9a-f]{64}(\s*,\s*[0-9a-f]{64})*$/i,
    'must be 64 hexadecimal digits (for example from: openssl rand -hex 32), former ones after a comma',
  )
  .transform((value) => {
    const [current = '', ...former] = value.split(',').map((key) => key.trim());
    const bytes = (key: string): Uint8Array => Uint8Array.from(Buffer.from(key, 'hex'));
    return [bytes(current), ...former.map(bytes)] as [Uint8Array, ...Uint8Array[]];
  });

/** The text of a PEM file, in any of the forms used in variables. */
const pem = z
  .string()
  .transform((value) =>
    (value.includes('-----BEGIN') ? value : Buffer.from(value, 'base64').toString('utf8')).replaceAll('\\n', '\n'),
  );

export const certificate = pem.refine(
  (value) => value.includes('-----BEGIN CERTIFICATE-----'),
  'must be a certificate as PEM, or that in base64',
);

export const privateKey = pem.refine(
  (value) => /-----BEGIN (RSA )?PRIVATE KEY-----/.test(value),
  'must be a private key as PEM, or that in base64',
);

const prefix = 'LECTERN_';
/** Variables of the launcher and of the project's own programs; they do not configure a server. */
const otherNames = new Set(['LECTERN_DEV_SERVER', 'LECTERN_DRILL', 'LECTERN_FAULTS']);

/**
 * Returns a sentence for each name with our prefix that is not a known variable, which would otherwise be silently
 * ignored.
 */
export function unknownVariables(names: string[], known: readonly string[]): string[] {
  return names
    .filter((name) => name.startsWith(prefix) && !known.includes(name) && !otherNames.has(name))
    .map((name) => `${name} is not a variable of this program. Did you mean ${nearest(name, known)}?`);
}

function nearest(name: string, known: readonly string[]): string {
  const distances = known.map((other) => ({ other, distance: distanceOf(name, other) }));
  return distances.reduce((best, next) => (next.distance < best.distance ? next : best)).other;
}

/** Returns the edit distance: the number of characters to insert, delete or replace. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let place = 1; place <= other.length; place += 1) {
      const replaced = (row[place - 1] as number) + (one[at - 1] === other[place - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[place] as number) + 1, (next[place - 1] as number) + 1));
    }
    row = next;
  }
  return row[other.length] as number;
}
