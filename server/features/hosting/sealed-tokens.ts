import type { Queries } from '#server/platform/db/database.ts';
import type { SealedValue } from '#server/platform/sealing.ts';
import { verifierLabel } from './connect.ts';
import { tokenLabel } from './person-token.ts';
import { revocationLabel } from './revocations.ts';

/**
 * Returns all sealed values: connected accounts' tokens, verifiers of connection attempts, and tokens to revoke at the
 * host.
 */
export async function listSealedTokens(db: Queries): Promise<SealedValue[]> {
  const connections = await db.selectFrom('codeHostConnections').selectAll().execute();
  const revocations = await db.selectFrom('codeHostRevocations').select(['id', 'tokenSealed']).execute();
  const attempts = await db.selectFrom('codeHostAttempts').select(['stateHash', 'verifierSealed']).execute();
  const values: SealedValue[] = attempts.map(({ stateHash, verifierSealed }) => ({
    ...{ what: 'connections being made', label: verifierLabel(stateHash), sealed: verifierSealed },
    async replace(sealed) {
      const row = db.updateTable('codeHostAttempts').set({ verifierSealed: sealed });
      await row.where('stateHash', '=', stateHash).execute();
    },
  }));
  for (const { userId, accountId, accessTokenSealed, refreshTokenSealed } of connections) {
    values.push({
      ...{ what: 'code host tokens', label: tokenLabel(userId, accountId, 'access'), sealed: accessTokenSealed },
      async replace(sealed) {
        const row = db.updateTable('codeHostConnections').set({ accessTokenSealed: sealed });
        await row.where('userId', '=', userId).where('accessTokenSealed', '=', accessTokenSealed).execute();
      },
    });
    if (refreshTokenSealed === null) continue;
    values.push({
      ...{ what: 'code host tokens', label: tokenLabel(userId, accountId, 'refresh'), sealed: refreshTokenSealed },
      async replace(sealed) {
        const row = db.updateTable('codeHostConnections').set({ refreshTokenSealed: sealed });
        await row.where('userId', '=', userId).where('refreshTokenSealed', '=', refreshTokenSealed).execute();
      },
    });
  }
  for (const { id, tokenSealed } of revocations) {
    values.push({
      ...{ what: 'tokens to be ended', label: revocationLabel(id), sealed: tokenSealed },
      async replace(sealed) {
        await db.updateTable('codeHostRevocations').set({ tokenSealed: sealed }).where('id', '=', id).execute();
      },
    });
  }
  return values;
}
