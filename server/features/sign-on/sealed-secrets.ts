import type { Queries } from '#server/platform/db/database.ts';
import type { SealedValue } from '#server/platform/sealing.ts';
import { secretLabel } from './provider.ts';

/** Returns the client secrets of all teams' sign-ons. */
export async function listSealedSignOns(db: Queries): Promise<SealedValue[]> {
  const rows = await db.selectFrom('teamSignOns').select(['teamId', 'clientSecretSealed']).execute();
  return rows.map(({ teamId, clientSecretSealed }) => ({
    ...{ what: 'sign-on secrets', label: secretLabel(teamId), sealed: clientSecretSealed },
    async replace(sealed) {
      const row = db.updateTable('teamSignOns').set({ clientSecretSealed: sealed });
      await row.where('teamId', '=', teamId).where('clientSecretSealed', '=', clientSecretSealed).execute();
    },
  }));
}
