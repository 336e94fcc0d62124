import { sql } from 'kysely';
import type { Database } from '#server/platform/db/database.ts';
import { tablesOf } from '#server/platform/db/tables-of.ts';
import { requireLastingKey } from '#server/platform/lasting-key.ts';
import { type SealingKeys, seal } from '#server/platform/sealing.ts';
import { userRow } from './rows.ts';

const times = { createdAt: 1, updatedAt: 1 };

/** Inserts one of each encrypted value, under these keys. */
export async function fillSealed({ query }: Database, keys: SealingKeys): Promise<void> {
  await query
    .insertInto('users')
    .values(userRow({ id: 'anna' }))
    .execute();
  const key = { id: 'k1', userId: 'anna', name: 'k', keyHash: 'h', createdAt: 1, clientKind: null, teamId: null };
  await query
    .insertInto('apiKeys')
    .values({ ...key, keySealed: seal(keys, 'k1', 'lec_1') })
    .execute();
  const origin = 'https://docs.example';
  await query
    .insertInto('sourceCredentials')
    .values({
      ...{ id: 'c1', workspace: 'user:anna', kind: 'token', origin, label: 'l', createdAt: 1, createdByUserId: 'anna' },
      sealed: seal(keys, `source-credential:c1:${origin}`, '{}'),
    })
    .execute();
  await query.insertInto('teams').values({ id: 't1', name: 'Looms', createdAt: 1, createdBy: 'anna' }).execute();
  await query
    .insertInto('teamSignOns')
    .values({
      ...{ ...times, teamId: 't1', domain: 'docs.example', domainToken: 'd', issuer: 'i', clientId: 'c' },
      ...{ defaultRole: 'reader', clientSecretSealed: seal(keys, 'team-sign-on:t1', 'secret') },
    })
    .execute();
  await query
    .insertInto('codeHostConnections')
    .values({
      ...{ userId: 'anna', method: 'oauth', accountId: 'a1', login: 'anna', url: 'u', connectedAt: 1, updatedAt: 1 },
      accessTokenSealed: seal(keys, 'code-host:anna:a1:access', 'token'),
      refreshTokenSealed: seal(keys, 'code-host:anna:a1:refresh', 'token'),
    } as never)
    .execute();
  await query
    .insertInto('codeHostRevocations')
    .values({ id: 'r1', method: 'oauth', createdAt: 1, tokenSealed: seal(keys, 'code-host-revocation:r1', 'old') })
    .execute();
  const mail = { id: 'm1', recipientHash: 'h', createdAt: 1, nextAttemptAt: 1 };
  await query
    .insertInto('waitingMails')
    .values({ ...mail, sealed: seal(keys, 'waiting-mail:m1', '{}') })
    .execute();
  await query
    .insertInto('codeHostAttempts')
    .values({
      ...{ stateHash: 's1', userId: 'anna', sessionId: 'one', method: 'oauth', cont: '/', createdAt: 1, expiresAt: 2 },
      ...{ usedAt: null, verifierSealed: seal(keys, 'code-host-attempt:s1', 'verifier') },
    })
    .execute();
  await requireLastingKey(query, keys);
}

/** Returns all columns named as sealed, and the one sealed setting, by table and column. */
export async function sealedColumns(db: Database): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const { name, columns } of await tablesOf(db)) {
    for (const column of columns.filter((one) => one.name.includes('sealed'))) {
      const { rows } = await sql<{ value: string | null }>`
        select ${sql.ref(column.name)} as value from ${sql.table(name)}`.execute(db.query);
      found.set(
        `${name}.${column.name}`,
        rows.flatMap(({ value }) => value ?? []),
      );
    }
  }
  const settings = await db.query.selectFrom('settings').select('value').where('name', '=', 'lasting-key').execute();
  return found.set(
    'settings.lasting-key',
    settings.map(({ value }) => value),
  );
}
