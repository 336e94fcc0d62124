import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

/** 32-byte keys: the first encrypts, all of them decrypt. */
export type SealingKeys = readonly [current: Uint8Array, ...former: Uint8Array[]];

/**
 * Encrypts with AES-256-GCM under the current key, bound to `label` so that a sealed value cannot be moved to another
 * row.
 */
export function seal([key]: SealingKeys, label: string, value: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(label));
  const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/**
 * Decrypts a value that `seal` created with one of these keys and this label; undefined for another key or label, or
 * changed text.
 */
export function unseal(keys: SealingKeys, label: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  for (const key of keys) {
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
        .setAAD(Buffer.from(label))
        .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8');
    } catch {
      // Authentication failed: the value was sealed with another key. Try the next.
    }
  }
  return undefined;
}

/** A sealed value in storage, for checking and re-encrypting all of them. */
export interface SealedValue {
  /** The kind of value, in the plural: "API keys". */
  what: string;
  label: string;
  sealed: string;
  /** Replaces the stored text, unless it was changed or removed in the meantime. */
  replace(sealed: string): Promise<void>;
}

/** Returns which key decrypts a value: the current one, a former one, or none. */
export function keyOfSealed(keys: SealingKeys, { label, sealed }: SealedValue): 'current' | 'former' | 'none' {
  if (unseal([keys[0]], label, sealed) !== undefined) return 'current';
  return unseal(keys, label, sealed) === undefined ? 'none' : 'former';
}
