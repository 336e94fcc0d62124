import { type SocialProvider, socialProviders } from '#contract/identity.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { NewRow, Row } from '#server/platform/db/schema.ts';
import { localOwnerId } from './store.ts';

export type CodePurpose = Row<'actionCodes'>['purpose'];

export async function findUserByEmail(db: Queries, email: string): Promise<Row<'users'> | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
}

/** Reads and locks an account; its deletion and other locking transactions wait until this one ends. */
export async function holdUser(tx: Transaction, userId: string): Promise<Row<'users'> | undefined> {
  return tx
    .updateTable('users')
    .set(({ ref }) => ({ createdAt: ref('createdAt') }))
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirst();
}

/** Inserts an account; undefined if the address already has one. */
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

/** Returns true if no one has signed up or signed in to the local owner's account yet. */
export async function isNobodyElsesYet(db: Queries): Promise<boolean> {
  const other = await db.selectFrom('users').select('id').where('id', '!=', localOwnerId).limit(1).executeTakeFirst();
  const session = await db.selectFrom('webSessions').select('id').limit(1).executeTakeFirst();
  return other === undefined && session === undefined;
}

/** Marks the address as verified; returns false if it already was, or is no longer the account's address. */
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

/** Returns true exactly once per account with a verified address. */
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
 * Records the use of a password that was checked against `hash`, and locks its row until the transaction ends, so that
 * concurrent changes are serialized. Returns false if the password was changed meanwhile.
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

/** Consumes a code. At most one caller gets its row. */
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

/** Moves a session's email codes to the session that replaces it. */
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

/** Deletes an account with all rows that reference it; returns false if it was already deleted. */
export async function deleteUser(db: Queries, userId: string): Promise<boolean> {
  const row = await db
    .deleteFrom('users')
    .where('id', '=', userId)
    .where('isOperator', '=', 0)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the social services that an account is connected with, by name. */
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
  // The query returns only these services.
  return rows as { provider: SocialProvider; subject: string; createdAt: number }[];
}

/** Returns the account that an identity at a provider signs in to. */
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

/** Inserts an identity; returns false if it already belongs to an account. */
export async function insertIdentity(db: Queries, row: NewRow<'identities'>): Promise<boolean> {
  const inserted = await db
    .insertInto('identities')
    .values(row)
    .onConflict((conflict) => conflict.columns(['provider', 'subject']).doNothing())
    .returning('userId')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Removes all social and single sign-on identities of an account. */
export async function deleteIdentities(db: Queries, userId: string): Promise<void> {
  await db.deleteFrom('identities').where('userId', '=', userId).execute();
}

/** Removes an unverified address from the operator's account; returns false if there is none. */
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

/** Sets an unverified address on an operator's account that has none; undefined for all other accounts. */
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
