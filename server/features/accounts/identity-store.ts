import { type SocialProvider, socialProviders } from '#contract/identity.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { NewRow, Row } from '#server/platform/db/schema.ts';
import { localOwnerId } from './store.ts';

export type CodePurpose = Row<'actionCodes'>['purpose'];

export async function findUserByEmail(db: Queries, email: string): Promise<Row<'users'> | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
}

/** Reads an account and keeps its deletion, and all else that holds it, waiting until the transaction ends. */
export async function holdUser(tx: Transaction, userId: string): Promise<Row<'users'> | undefined> {
  return tx
    .updateTable('users')
    .set(({ ref }) => ({ createdAt: ref('createdAt') }))
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirst();
}

/** Undefined when the address has an account already. */
export async function insertUser(db: Queries, row: NewRow<'users'>): Promise<Row<'users'> | undefined> {
  return db
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst();
}

export async function updateUser(
  db: Queries,
  userId: string,
  change: Partial<NewRow<'users'>>,
): Promise<Row<'users'> | undefined> {
  return db.updateTable('users').set(change).where('id', '=', userId).returningAll().executeTakeFirst();
}

/** Returns true while no one has signed up, nor signed in to the local owner's account. */
export async function isNobodyElsesYet(db: Queries): Promise<boolean> {
  const other = await db.selectFrom('users').select('id').where('id', '!=', localOwnerId).limit(1).executeTakeFirst();
  const session = await db.selectFrom('webSessions').select('id').limit(1).executeTakeFirst();
  return other === undefined && session === undefined;
}

/** False when the address was verified before, or is no longer the one of the account. */
export async function markEmailVerified(db: Queries, userId: string, email: string, now: number): Promise<boolean> {
  const row = await db
    .updateTable('users')
    .set({ emailVerifiedAt: now })
    .where('id', '=', userId)
    .where('email', '=', email)
    .where('emailVerifiedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** True once for an account with a verified address. */
export async function claimVerifiedNote(db: Queries, userId: string, now: number): Promise<boolean> {
  const row = await db
    .updateTable('users')
    .set({ emailVerifiedNotedAt: now })
    .where('id', '=', userId)
    .where('emailVerifiedAt', 'is not', null)
    .where('emailVerifiedNotedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function findPassword(db: Queries, userId: string): Promise<Row<'passwords'> | undefined> {
  return db.selectFrom('passwords').selectAll().where('userId', '=', userId).executeTakeFirst();
}

export async function putPassword(db: Queries, userId: string, hash: string, now: number): Promise<void> {
  await db
    .insertInto('passwords')
    .values({ userId, hash, changedAt: now, lastUsedAt: null })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ hash, changedAt: now }))
    .execute();
}

export async function deletePassword(db: Queries, userId: string): Promise<void> {
  await db.deleteFrom('passwords').where('userId', '=', userId).execute();
}

/**
 * Notes the use of a password that was checked against `hash`, and holds its row until the transaction ends, so that a
 * change at the same time comes before or after as a whole. False when it was changed meanwhile.
 */
export async function holdPassword(
  tx: Transaction,
  userId: string,
  hash: string,
  change: { now: number; newHash?: string },
): Promise<boolean> {
  const { now, newHash } = change;
  const row = await tx
    .updateTable('passwords')
    .set(newHash === undefined ? { lastUsedAt: now } : { lastUsedAt: now, hash: newHash })
    .where('userId', '=', userId)
    .where('hash', '=', hash)
    .returning('userId')
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertActionCode(db: Queries, row: NewRow<'actionCodes'>): Promise<void> {
  await db.insertInto('actionCodes').values(row).execute();
}

export async function findActionCode(
  db: Queries,
  purpose: CodePurpose,
  codeHash: string,
  now: number,
): Promise<Row<'actionCodes'> | undefined> {
  return db
    .selectFrom('actionCodes')
    .selectAll()
    .where('codeHash', '=', codeHash)
    .where('purpose', '=', purpose)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
}

/** Uses a code up. At most one caller gets its row. */
export async function claimActionCode(
  db: Queries,
  purpose: CodePurpose,
  codeHash: string,
  now: number,
): Promise<Row<'actionCodes'> | undefined> {
  return db
    .updateTable('actionCodes')
    .set({ usedAt: now })
    .where('codeHash', '=', codeHash)
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .returningAll()
    .executeTakeFirst();
}

export async function deleteActionCodes(db: Queries, userId: string, purpose: CodePurpose): Promise<void> {
  await db.deleteFrom('actionCodes').where('userId', '=', userId).where('purpose', '=', purpose).execute();
}

/** Makes the codes of mails that one session asked for those of the session that replaces it. */
export async function moveActionCodes(db: Queries, userId: string, fromId: string, toId: string): Promise<void> {
  await db
    .updateTable('actionCodes')
    .set({ sessionId: toId })
    .where('userId', '=', userId)
    .where('sessionId', '=', fromId)
    .execute();
}

export async function insertIdentityToken(db: Queries, row: NewRow<'identityTokens'>): Promise<void> {
  await db.insertInto('identityTokens').values(row).execute();
}

/** Deletes the account with all that hangs on it by foreign keys; false when it was deleted before. */
export async function deleteUser(db: Queries, userId: string): Promise<boolean> {
  const row = await db
    .deleteFrom('users')
    .where('id', '=', userId)
    .where('isOperator', '=', 0)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The social services an account is connected with, in the order of their names. */
export async function listIdentities(
  db: Queries,
  userId: string,
): Promise<{ provider: SocialProvider; subject: string; createdAt: number }[]> {
  const rows = await db
    .selectFrom('identities')
    .select(['provider', 'subject', 'createdAt'])
    .where('userId', '=', userId)
    .where('provider', 'in', [...socialProviders])
    .orderBy('provider')
    .execute();
  // Of these services only.
  return rows as { provider: SocialProvider; subject: string; createdAt: number }[];
}

/** The account that an identity at a provider signs in to. */
export async function findIdentityUser(
  db: Queries,
  provider: string,
  subject: string,
): Promise<Row<'users'> | undefined> {
  return db
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.userId')
    .selectAll('users')
    .where('identities.provider', '=', provider)
    .where('identities.subject', '=', subject)
    .executeTakeFirst();
}

/** False when the identity belongs to an account already. */
export async function insertIdentity(db: Queries, row: NewRow<'identities'>): Promise<boolean> {
  const inserted = await db
    .insertInto('identities')
    .values(row)
    .onConflict((conflict) => conflict.columns(['provider', 'subject']).doNothing())
    .returning('userId')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Unlinks an account from every social service and sign-on. */
export async function deleteIdentities(db: Queries, userId: string): Promise<void> {
  await db.deleteFrom('identities').where('userId', '=', userId).execute();
}

/** Takes the unverified address back that the operator's account was given; false when there is none. */
export async function releaseEmail(db: Queries, userId: string, email: string, now: number): Promise<boolean> {
  const row = await db
    .updateTable('users')
    .set({ email: null, emailVerifiedAt: now })
    .where('id', '=', userId)
    .where('isOperator', '=', 1)
    .where('email', '=', email)
    .where('emailVerifiedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Gives the operator's account an address, not verified, when it has none; undefined for everyone else. */
export async function claimEmail(db: Queries, userId: string, email: string): Promise<Row<'users'> | undefined> {
  return db
    .updateTable('users')
    .set({ email, emailVerifiedAt: null, emailVerifiedNotedAt: null })
    .where('id', '=', userId)
    .where('isOperator', '=', 1)
    .where('email', 'is', null)
    .returningAll()
    .executeTakeFirst();
}
