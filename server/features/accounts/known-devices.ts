import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { newToken } from './secrets.ts';

/**
 * Recognizes browsers that a user has signed in with before. Their failed sign-ins are counted separately, so that
 * wrong passwords from elsewhere do not lock the user out.
 */
export interface KnownDevices {
  /** Returns the cookie value for a browser that the user has just signed in with. */
  tokenFor(userId: string): string;
  /**
   * Returns the id under which the browser's attempts are counted; undefined if this user has not signed in with it.
   */
  idOf(token: string | undefined, userId: string): string | undefined;
}

/**
 * Creates the recognition without database rows: tokens are signed with a key derived from the installation's secret.
 */
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
