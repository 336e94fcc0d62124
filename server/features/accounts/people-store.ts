import { sql } from 'kysely';
import type { Queries } from '#server/platform/db/database.ts';
import type { Row } from '#server/platform/db/schema.ts';

/** An account with the details shown in the operator's list. */
export interface PersonRow extends Row<'users'> {
  hasPassword: boolean;
  sessions: number;
  apiKeys: number;
  lastSeenAt: number | null;
}

export interface PeopleFilter {
  /** Part of an email address or name, in any case. */
  query?: string | undefined;
  /** The last row of the previous page. */
  after?: { createdAt: number; id: string } | undefined;
}

/** Returns accounts, newest first, and the total number of matches. */
export async function listPeopleRows(
  db: Queries,
  { query, after }: PeopleFilter,
  { rowsMax, now }: { rowsMax: number; now: number },
): Promise<{ rows: PersonRow[]; count: number }> {
  const matching = usersMatching(db, query);
  const { count } = await matching
    .select((builder) => builder.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const page = after === undefined ? matching : matching.where(isBefore(after));
  const users = await page.selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(rowsMax).execute();
  return { rows: await withDetails(db, users, now), count };
}

/** Returns these accounts with the list's details. */
export async function withDetails(db: Queries, users: Row<'users'>[], now: number): Promise<PersonRow[]> {
  if (users.length === 0) return [];
  const ids = users.map(({ id }) => id);
  const passwords = await db.selectFrom('passwords').select('userId').where('userId', 'in', ids).execute();
  const sessions = await db
    .selectFrom('webSessions')
    .select(({ fn }) => ['userId', fn.countAll<number>().as('count'), fn.max('lastSeenAt').as('lastAt')])
    .where('userId', 'in', ids)
    .where('expiresAt', '>', now)
    .groupBy('userId')
    .execute();
  const keys = await db
    .selectFrom('apiKeys')
    .select(({ fn }) => ['userId', fn.countAll<number>().as('count'), fn.max('lastUsedAt').as('lastAt')])
    .where('userId', 'in', ids)
    .where('revokedAt', 'is', null)
    .groupBy('userId')
    .execute();
  return users.map((user) => {
    const [session, key] = [sessions, keys].map((rows) => rows.find(({ userId }) => userId === user.id));
    const lastSeenAt = Math.max(session?.lastAt ?? 0, key?.lastAt ?? 0);
    return {
      ...user,
      hasPassword: passwords.some(({ userId }) => userId === user.id),
      sessions: session?.count ?? 0,
      apiKeys: key?.count ?? 0,
      lastSeenAt: lastSeenAt === 0 ? null : lastSeenAt,
    };
  });
}

/** Returns the account with this email address or id. */
export async function findPerson(db: Queries, whose: string): Promise<Row<'users'> | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where(({ eb, or }) => or([eb('email', '=', whose.toLowerCase()), eb('id', '=', whose)]))
    .executeTakeFirst();
}

function usersMatching(db: Queries, query: string | undefined) {
  const users = db.selectFrom('users');
  if (query === undefined || query === '') return users;
  const pattern = `%${query.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  return users.where(
    sql<boolean>`(lower(coalesce(email, '')) like ${pattern} escape '\\' or lower(display_name) like ${pattern} escape '\\')`,
  );
}

function isBefore({ createdAt, id }: { createdAt: number; id: string }) {
  return sql<boolean>`(created_at < ${createdAt} or (created_at = ${createdAt} and id < ${id}))`;
}
