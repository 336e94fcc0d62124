import { randomBytes } from 'node:crypto';
import type { Queries } from './db/database.ts';
import { type SealedValue, type SealingKeys, seal, unseal } from './sealing.ts';

const settingName = 'lasting-key';
const keyBytes = 32;

/**
 * Returns the installation's key for secrets that others store: webhook secrets at their hosts, links in sent mails.
 * The key is stored encrypted and survives a change of LECTERN_SECRET, so these stay valid. Undefined before its first
 * use, or if no secret decrypts it.
 */
export async function findLastingKey(db: Queries, keys: SealingKeys): Promise<Uint8Array | undefined> {
  const row = await findRow(db);
  const text = row === undefined ? undefined : unseal(keys, settingName, row.value);
  return text === undefined ? undefined : Buffer.from(text, 'base64url');
}

/** Same as `findLastingKey`, but creates the key on first use. Throws if LECTERN_SECRET does not decrypt it. */
export async function requireLastingKey(db: Queries, keys: SealingKeys): Promise<Uint8Array> {
  const value = newKey(keys);
  // Of several concurrent processes, only one inserts the key.
  const insert = db.insertInto('settings').values({ name: settingName, value });
  if ((await findRow(db)) === undefined) {
    await insert.onConflict((conflict) => conflict.column('name').doNothing()).execute();
  }
  const key = await findLastingKey(db, keys);
  if (key === undefined) throw new Error('LECTERN_SECRET does not open the key of webhooks and links');
  return key;
}

/**
 * Replaces a key that no secret decrypts; everything derived from the old key becomes invalid. Returns true if it was
 * replaced.
 */
export async function replaceLostLastingKey(db: Queries, keys: SealingKeys): Promise<boolean> {
  const row = await findRow(db);
  if (row === undefined || unseal(keys, settingName, row.value) !== undefined) return false;
  const other = db.updateTable('settings').set({ value: newKey(keys) });
  // Of several concurrent commands, only one replaces the key.
  const { numUpdatedRows } = await other
    .where('name', '=', settingName)
    .where('value', '=', row.value)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

function newKey(keys: SealingKeys): string {
  return seal(keys, settingName, randomBytes(keyBytes).toString('base64url'));
}

export async function listSealedLastingKey(db: Queries): Promise<SealedValue[]> {
  const row = await findRow(db);
  if (row === undefined) return [];
  return [
    {
      ...{ what: 'keys of webhooks and links', label: settingName, sealed: row.value },
      async replace(sealed) {
        const other = db.updateTable('settings').set({ value: sealed });
        await other.where('name', '=', settingName).where('value', '=', row.value).execute();
      },
    },
  ];
}

async function findRow(db: Queries): Promise<{ value: string } | undefined> {
  return db.selectFrom('settings').select('value').where('name', '=', settingName).executeTakeFirst();
}
