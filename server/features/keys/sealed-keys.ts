import type { Queries } from '#server/platform/db/database.ts';
import type { SealedValue } from '#server/platform/sealing.ts';

/** API keys that can be shown again, of everyone. */
export async function listSealedKeys(db: Queries): Promise<SealedValue[]> {
  const rows = await db.selectFrom('apiKeys').select(['id', 'keySealed']).where('keySealed', '<>', '').execute();
  return rows.map(({ id, keySealed }) => ({
    ...{ what: 'API keys', label: id, sealed: keySealed },
    async replace(sealed) {
      const row = db.updateTable('apiKeys').set({ keySealed: sealed });
      await row.where('id', '=', id).where('keySealed', '=', keySealed).execute();
    },
  }));
}
