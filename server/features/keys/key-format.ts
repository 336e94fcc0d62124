import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefix = 'lec_';
const randomCharacters = 32;
const checksumCharacters = 6;

/**
 * Returns a new key: `lec_`, 32 random base62 characters (190 bits), then the CRC-32 of the preceding text as 6 base62
 * characters.
 */
export function newApiKey(): string {
  let body = prefix;
  for (let i = 0; i < randomCharacters; i += 1) body += alphabet[randomInt(alphabet.length)];
  return body + checksumOf(body);
}

/**
 * Returns true if a text has the form and checksum of a key: distinguishes typos from unknown keys without a lookup.
 */
export function isWellFormedApiKey(secret: string): boolean {
  if (!/^lec_[0-9A-Za-z]{38}$/.test(secret)) return false;
  const body = secret.slice(0, prefix.length + randomCharacters);
  return secret.slice(body.length) === checksumOf(body);
}

/** Shown for a key that cannot be decrypted. */
export const unreadableMask = `${prefix}????…????`;

const headerNames = ['x-api-key', 'x-lectern-api-key', 'x-ref-api-key'];

/**
 * Returns the API key of a request: from `Authorization: Bearer`, one of the key headers, or the `apiKey` query
 * parameter, in this order. Undefined if there is none.
 */
export function readApiKey(request: Pick<Request, 'headers' | 'url'>): string | undefined {
  const bearer = /^Bearer\s+(\S.*)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  const headers = headerNames.map((name) => request.headers.get(name)?.trim());
  const parameter = new URL(request.url).searchParams.get('apiKey')?.trim();
  return [bearer, ...headers, parameter].find((secret) => secret !== undefined && secret !== '' && secret !== null);
}

function checksumOf(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let i = 0; i < checksumCharacters; i += 1) {
    digits = alphabet[rest % alphabet.length] + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}
