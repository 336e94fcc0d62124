import { createHash, randomBytes } from 'node:crypto';

/** Returns 256 random bits as base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the SHA-256 as hex; sufficient for random tokens, which cannot be guessed. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
