import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

/** 32-byte keys: the first seals, and every one opens what it has sealed. */
export type SealingKeys = readonly [current: Uint8Array, ...former: Uint8Array[]];

/** AES-256-GCM under the current key, bound to `label` so that a sealed value cannot be moved to another row. */
export function seal([key]: SealingKeys, label: string, value: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(label));
  const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Opens what `seal` made under one of these keys with this label; undefined when the keys or the label are others, or the text was changed. */
export function unseal(keys: SealingKeys, label: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  for (const key of keys) {
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
        .setAAD(Buffer.from(label))
        .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8');
    } catch {
      // Not sealed with this key: the tag does not fit. Another one may.
    }
  }
  return undefined;
}

/** A sealed value as it is stored, for looking after all of them. */
export interface SealedValue {
  /** What it is, in the plural: "API keys". */
  what: string;
  label: string;
  sealed: string;
  /** Writes another text in its place, unless it was changed or removed meanwhile. */
  replace(sealed: string): Promise<void>;
}

/** Which of the keys opens a value: the current one, a former one, or none. */
export function keyOfSealed(keys: SealingKeys, { label, sealed }: SealedValue): 'current' | 'former' | 'none' {
  if (unseal([keys[0]], label, sealed) !== undefined) return 'current';
  return unseal(keys, label, sealed) === undefined ? 'none' : 'former';
}
