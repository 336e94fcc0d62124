import type { Queries } from '#server/platform/db/database.ts';
import type { SealedValue } from '#server/platform/sealing.ts';
import { sealLabel } from './open-credential.ts';

export async function listSealedCredentials(db: Queries): Promise<SealedValue[]> {
  const rows = await db.selectFrom('sourceCredentials').select(['id', 'origin', 'sealed']).execute();
  return rows.map(({ id, origin, sealed: before }) => ({
    ...{ what: 'source credentials', label: sealLabel(id, origin), sealed: before },
    async replace(sealed) {
      const row = db.updateTable('sourceCredentials').set({ sealed });
      await row.where('id', '=', id).where('sealed', '=', before).execute();
    },
  }));
}
