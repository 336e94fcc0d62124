import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { recordAudit } from '#server/platform/db/audit.ts';
import { builtOnce } from '#server/platform/db/built-once.ts';
import type { Database } from '#server/platform/db/database.ts';
import { freshDatabase, onEachDatabase } from '#test/services/database.ts';
import { moduleRow } from '#test/services/rows.ts';

onEachDatabase('database', (kind) => {
  let db: Database;
  beforeEach(async () => {
    db = await freshDatabase(kind);
  });

  test('an inserted row is returned with its defaults, and its numbers as numbers', async () => {
    const createdAt = 1_799_999_999_999;
    const row = await db.query
      .insertInto('users')
      .values({ id: 'u1', email: 'a@example.org', createdAt })
      .returningAll()
      .executeTakeFirstOrThrow();
    expect({ ...row }).toMatchObject({
      id: 'u1',
      email: 'a@example.org',
      displayName: '',
      photoUrl: null,
      emailVerifiedAt: null,
      tier: 'Free',
      isOperator: 0,
      createdAt,
    });
  });

  test('counts, sums and averages are numbers', async () => {
    await db.query
      .insertInto('modules')
      .values([moduleRow({ id: 'a', pageCount: 3 }), moduleRow({ id: 'b', pageCount: 4 })])
      .execute();
    const row = await db.query
      .selectFrom('modules')
      .select(({ fn }) => [
        fn.countAll<number>().as('count'),
        fn.sum<number>('pageCount').as('sum'),
        fn.avg<number>('pageCount').as('average'),
      ])
      .executeTakeFirstOrThrow();
    expect({ ...row }).toEqual({ count: 2, sum: 7, average: 3.5 });
  });

  test('an empty list contains nothing', async () => {
    await db.query
      .insertInto('modules')
      .values(moduleRow({ id: 'a' }))
      .execute();
    const named = (how: 'in' | 'not in', ids: string[]) =>
      db.query.selectFrom('modules').select('id').where('id', how, ids).where('kind', '=', 'site').execute();
    expect([await named('in', []), await named('not in', [])]).toEqual([[], [{ id: 'a' }]]);
    expect([await named('in', ['a']), await named('not in', ['a'])]).toEqual([[{ id: 'a' }], []]);
    const change = db.query
      .updateTable('modules')
      .set({ slug: 'b' })
      .where(({ eb, or }) => or([eb('id', 'in', [])]));
    expect((await change.executeTakeFirstOrThrow()).numUpdatedRows).toBe(0n);
  });

  test('text is sorted and compared byte by byte', async () => {
    const slugs = ['b', 'B', 'a-b', 'a_b', 'ab', 'é', 'Z', 'z', '10', '9'];
    await db.query
      .insertInto('modules')
      .values(slugs.map((slug, at) => moduleRow({ id: `m${at}`, slug })))
      .execute();
    const rows = await db.query.selectFrom('modules').select('slug').orderBy('slug').execute();
    expect(rows.map((row) => row.slug)).toEqual(
      slugs.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
    );
  });

  test('booleans, nulls and the NUL character are stored alike', async () => {
    const values = {
      id: 'u1',
      email: undefined,
      displayName: 'a\0b',
      isOperator: true as unknown as number,
      createdAt: 1,
    };
    await db.query.insertInto('users').values(values).execute();
    const row = await db.query.selectFrom('users').selectAll().where('isOperator', '=', 1).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ email: null, displayName: 'a\uFFFDb', isOperator: 1 });
  });

  test('a statement returns how many rows it changed', async () => {
    await db.query
      .insertInto('modules')
      .values([moduleRow({ id: 'a' }), moduleRow({ id: 'b' })])
      .execute();
    const changed = await db.query.updateTable('modules').set({ displayName: 'x' }).executeTakeFirst();
    const removed = await db.query.deleteFrom('modules').where('id', '=', 'none').executeTakeFirst();
    expect([changed.numUpdatedRows, removed.numDeletedRows]).toEqual([2n, 0n]);
  });

  test('of many simultaneous claims exactly one succeeds', async () => {
    await db.query.insertInto('users').values({ id: 'u1', createdAt: 1 }).execute();
    await db.query
      .insertInto('signInLinks')
      .values({ tokenHash: 't', userId: 'u1', createdAt: 1, expiresAt: 9 })
      .execute();
    const claim = (usedAt: number) =>
      db.query
        .updateTable('signInLinks')
        .set({ usedAt })
        .where('tokenHash', '=', 't')
        .where('usedAt', 'is', null)
        .returning('userId')
        .executeTakeFirst();
    const claims = await Promise.all(Array.from({ length: 20 }, (_, at) => claim(at)));
    expect(claims.filter((row) => row !== undefined)).toHaveLength(1);
  });

  test('an insert with an existing key can update the row instead', async () => {
    const save = (value: string) =>
      db.query
        .insertInto('settings')
        .values({ name: 'n', value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute();
    await save('1');
    await save('2');
    expect(await db.query.selectFrom('settings').select('value').execute()).toMatchObject([{ value: '2' }]);
  });

  test.each([
    ['unique-violation', moduleRow({ id: 'b', slug: 'a' })],
    ['unique-violation', moduleRow({ id: 'a', slug: 'other' })],
    ['invalid-value', moduleRow({ id: 'b', kind: 'tape' as 'site' })],
    ['invalid-value', moduleRow({ id: 'b', pageCount: 1.5 })],
    ['invalid-value', moduleRow({ id: 'b', displayName: null as unknown as string })],
  ])('a refused row ends as %s', async (code, row) => {
    await db.query
      .insertInto('modules')
      .values(moduleRow({ id: 'a' }))
      .execute();
    await expect(db.query.insertInto('modules').values(row).execute()).rejects.toMatchObject({
      name: 'DatabaseError',
      code,
    });
  });

  test('a row cannot reference a missing row, and is deleted with the row it belongs to', async () => {
    const session = { tokenHash: 't', userId: 'u1', createdAt: 1, expiresAt: 2, lastSeenAt: 1 };
    const orphan = db.query.insertInto('webSessions').values(session).execute();
    await expect(orphan).rejects.toMatchObject({ code: 'foreign-key-violation' });
    await db.query.insertInto('users').values({ id: 'u1', createdAt: 1 }).execute();
    await db.query.insertInto('webSessions').values(session).execute();
    await db.query.deleteFrom('users').where('id', '=', 'u1').execute();
    expect(await db.query.selectFrom('webSessions').selectAll().execute()).toEqual([]);
  });

  test('a user’s email address is only stored in lower case', async () => {
    const insert = db.query.insertInto('users').values({ id: 'u', email: 'A@example.org', createdAt: 1 }).execute();
    await expect(insert).rejects.toMatchObject({ code: 'invalid-value' });
  });

  test('a database error contains no value of the statement', async () => {
    const insert = () =>
      db.query.insertInto('settings').values({ name: 'secret-name', value: 'secret-value' }).execute();
    await insert();
    await expect(insert()).rejects.toSatisfy((error: Error) => !error.message.includes('secret-'));
  });

  test('raw statements use the table names in snake case', async () => {
    await db.query
      .insertInto('modules')
      .values(moduleRow({ id: 'a', pageCount: 2 }))
      .execute();
    const { rows } = await sql<{ pageCount: number }>`select page_count from modules where id = ${'a'}`.execute(
      db.query,
    );
    expect(rows).toMatchObject([{ pageCount: 2 }]);
  });

  test('an audit row is written with its change or not at all', async () => {
    const change = db.transaction(async (tx) => {
      await recordAudit(tx, 5, { actorUserId: null, action: 'key.create', entityId: 'k1' });
      throw new Error('no');
    });
    await expect(change).rejects.toThrow('no');
    await db.transaction((tx) =>
      recordAudit(tx, 6, { actorUserId: null, action: 'key.revoke', entityId: 'k1', detail: { a: 1 } }),
    );
    const rows = await db.query.selectFrom('auditLog').selectAll().execute();
    expect(rows).toMatchObject([{ action: 'key.revoke', entityId: 'k1', detail: '{"a":1}', createdAt: 6 }]);
  });

  test('a prepared statement takes each call’s values, in transactions too', async () => {
    const served = builtOnce((queries, { slug, other }: { slug: string; other: string }) =>
      queries
        .selectFrom('modules')
        .select(['id', 'displayName'])
        .where('workspace', '=', 'public')
        .where(({ or, eb }) => or([eb('slug', '=', slug), eb('displayName', '=', slug), eb('slug', '=', other)]))
        .orderBy('slug')
        .limit(2),
    );
    await db.query
      .insertInto('modules')
      .values(['a', 'b', 'c'].map((slug) => moduleRow({ id: slug, slug, displayName: `name of ${slug}` })))
      .execute();
    const ids = async (values: { slug: string; other: string }) =>
      (await served(db.query, values)).map(({ id, displayName }) => `${id}: ${displayName}`);
    expect(await ids({ slug: 'a', other: 'c' })).toEqual(['a: name of a', 'c: name of c']);
    expect(await ids({ slug: 'name of b', other: "' or 1 = 1 --" })).toEqual(['b: name of b']);
    expect(await ids({ slug: 'none', other: 'none' })).toEqual([]);
    const inside = await db.transaction(async (tx) => {
      await tx.updateTable('modules').set({ slug: 'd' }).where('id', '=', 'b').execute();
      return served(tx, { slug: 'd', other: 'd' });
    });
    expect(inside.map(({ id }) => id)).toEqual(['b']);
  });

  test('a prepared statement that writes is refused outside a transaction', async () => {
    const rename = builtOnce((queries, { id, slug }: { id: string; slug: string }) =>
      queries.updateTable('modules').set({ slug }).where('id', '=', id).returning('slug'),
    );
    await db.query
      .insertInto('modules')
      .values(moduleRow({ id: 'm', slug: 'old' }))
      .execute();
    await expect(rename(db.query, { id: 'm', slug: 'new' })).rejects.toMatchObject({ code: 'outside-transaction' });
    const { slug } = await db.query.selectFrom('modules').select('slug').executeTakeFirstOrThrow();
    expect(slug).toBe('old');
    expect(await db.transaction((tx) => rename(tx, { id: 'm', slug: 'new' }))).toEqual([{ slug: 'new' }]);
    await expect(db.transaction((tx) => rename(tx, { id: 'none', slug: 'x' }))).resolves.toEqual([]);
  });
});
