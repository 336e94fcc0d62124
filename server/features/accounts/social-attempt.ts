import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { newToken } from './secrets.ts';

const lifetimeMs = 10 * 60_000;

const attemptSchema = z.object({
  /** The identity provider: a social provider, or a team's sign-on. */
  provider: z.string(),
  state: z.string(),
  codeVerifier: z.string(),
  nonce: z.string(),
  cont: z.string(),
  expiresAt: z.int(),
});

/**
 * An attempt at a social sign-in, kept in a cookie of the browser that started it, so that no other browser can finish
 * it.
 */
export type SocialAttempt = z.infer<typeof attemptSchema>;

/** Returns the key that signs attempts, derived from the installation's secret. */
export function attemptKeyOf(secret: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), 'social sign-in attempts', 32));
}

export function newSocialAttempt(now: number, provider: string, cont: string): SocialAttempt {
  const [state, codeVerifier, nonce] = [newToken(), newToken(), newToken()];
  return { provider, state, codeVerifier, nonce, cont, expiresAt: now + lifetimeMs };
}

/** Returns the value of the attempt's cookie. */
export function packAttempt(key: Uint8Array, attempt: SocialAttempt): string {
  const text = Buffer.from(JSON.stringify(attempt)).toString('base64url');
  return `${text}.${signatureOf(key, text)}`;
}

/** Reads the cookie; undefined if its signature is invalid or it has expired. */
export function unpackAttempt(key: Uint8Array, now: number, value: string): SocialAttempt | undefined {
  const [text = '', signature = ''] = value.split('.');
  const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(key, text))];
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
  const attempt = attemptSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  return attempt.expiresAt > now ? attempt : undefined;
}

function signatureOf(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}
