import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { newToken } from './secrets.ts';

const lifetimeMs = 10 * 60_000;

const attemptSchema = z.object({
  /** Who is asked: a social provider, or the sign-on of a team. */
  provider: z.string(),
  state: z.string(),
  codeVerifier: z.string(),
  nonce: z.string(),
  cont: z.string(),
  expiresAt: z.int(),
});

/** One attempt at a social sign-in, kept in a cookie of the browser that began it, so that no other can finish it. */
export type SocialAttempt = z.infer<typeof attemptSchema>;

/** The key that attempts are signed with, from the secret of the installation. */
export function attemptKeyOf(secret: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), 'social sign-in attempts', 32));
}

export function newSocialAttempt(now: number, provider: string, cont: string): SocialAttempt {
  const [state, codeVerifier, nonce] = [newToken(), newToken(), newToken()];
  return { provider, state, codeVerifier, nonce, cont, expiresAt: now + lifetimeMs };
}

/** The value of its cookie. */
export function packAttempt(key: Uint8Array, attempt: SocialAttempt): string {
  const text = Buffer.from(JSON.stringify(attempt)).toString('base64url');
  return `${text}.${signatureOf(key, text)}`;
}

/** Undefined when the cookie was not made here, or is over. */
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
