import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { newToken } from './secrets.ts';

/**
 * Browsers that someone signed in with before. Wrong passwords from elsewhere must not lock a person out, so a known browser has
 * a count of its own.
 */
export interface KnownDevices {
  /** The value of the cookie for the browser that a person has just signed in with. */
  tokenFor(userId: string): string;
  /** Returns what the browser is counted by; undefined when this person has not signed in with it. */
  idOf(token: string | undefined, userId: string): string | undefined;
}

/** Needs no rows: a token is signed with a key made from the secret of the installation. */
export function createKnownDevices(secret: Uint8Array): KnownDevices {
  const key = new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), 'known devices', 32));
  const signatureOf = (userId: string, id: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([userId, id]))
      .digest('base64url');
  return {
    tokenFor(userId) {
      const id = newToken();
      return `${id}.${signatureOf(userId, id)}`;
    },
    idOf(token = '', userId) {
      const [id = '', signature = ''] = token.split('.');
      const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(userId, id))];
      return given.length === right.length && timingSafeEqual(given, right) ? id : undefined;
    },
  };
}
