import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import type { Actor, Context } from '#server/context.ts';
import { onceSteady } from '#server/platform/db/has-come.ts';
import { freshDatabase, onEachDatabase } from '#test/services/database.ts';
import { silentLog } from '#test/services/log.ts';
import { createSettableClock, type SettableClock } from '#test/services/settable-clock.ts';
import { actingUser, hasWebSession, requirePerson } from './index.ts';
import { createSignInLink, redeemSignInLink } from './sign-in-link.ts';
import { endSessionsInTime, ensureLocalOwner } from './store.ts';
import { endWebSession, personOfWebSession } from './web-session.ts';

type Sample = Context & { clock: SettableClock };
const visitor: Actor = { kind: 'anonymous' };
const refused = { code: 'sign-in-link-refused' };

onEachDatabase('signing in', (kind) => {
  async function operator(): Promise<Sample> {
    const db = await freshDatabase(kind);
    const clock = createSettableClock();
    const userId = await ensureLocalOwner(db, clock);
    const actor: Actor = { kind: 'operator', userId };
    return { actor, workspace: `user:${userId}`, db, clock, log: silentLog, requestId: randomUUID() };
  }
  const asVisitor = (ctx: Sample): Sample => ({ ...ctx, actor: visitor, workspace: null });

  test('a link signs the local owner in once', async () => {
    const ctx = await operator();
    const code = await createSignInLink(ctx);
    const { user, sessionToken, expiresAt } = await redeemSignInLink(asVisitor(ctx), { code });
    expect(user).toMatchObject({ id: ctx.actor.kind === 'operator' ? ctx.actor.userId : '', isOperator: 1 });
    expect(expiresAt - ctx.clock.now()).toBe(limits.webSessionLifetimeDays * 86_400_000);
    expect(await personOfWebSession(ctx, sessionToken)).toMatchObject({ kind: 'user', userId: user.id });
    await expect(redeemSignInLink(asVisitor(ctx), { code })).rejects.toMatchObject(refused);
    expect(await personOfWebSession(ctx, sessionToken)).toMatchObject({ kind: 'user', userId: user.id });
  });

  test('one of two concurrent uses of a link succeeds', async () => {
    const ctx = asVisitor(await operator());
    const code = await createSignInLink({ ...ctx, actor: { kind: 'operator', userId: 'local-owner' } });
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => redeemSignInLink(ctx, { code })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(refused);
    expect(await ctx.db.query.selectFrom('webSessions').selectAll().execute()).toHaveLength(1);
  });

  test('an expired link and an unknown link get the same refusal', async () => {
    const ctx = await operator();
    const code = await createSignInLink(ctx);
    ctx.clock.advance(limits.signInLinkLifetimeMinutes * 60_000);
    const late = await redeemSignInLink(asVisitor(ctx), { code }).catch((error: unknown) => error);
    const unknown = await redeemSignInLink(asVisitor(ctx), { code: 'nonsense' }).catch((error: unknown) => error);
    expect(late).toMatchObject(refused);
    expect((unknown as Error).message).toBe((late as Error).message);
  });

  test('a session ends when it expires and when it is ended; ending it again is not an error', async () => {
    const ctx = await operator();
    const open = async () => (await redeemSignInLink(ctx, { code: await createSignInLink(ctx) })).sessionToken;
    const [first, second] = [await open(), await open()];
    await endWebSession(ctx, first);
    await endWebSession(ctx, first);
    expect(await personOfWebSession(ctx, first)).toBeUndefined();
    expect(await personOfWebSession(ctx, second)).toBeDefined();
    expect(await hasWebSession(ctx)).toBe(true);
    ctx.clock.advance(limits.webSessionLifetimeDays * 86_400_000);
    expect(await personOfWebSession(ctx, second)).toBeUndefined();
    await createSignInLink(ctx);
    expect(await hasWebSession(ctx)).toBe(false);
  });

  test('sessions and links created while the clock was ahead last no longer than new ones', async () => {
    const ctx = await operator();
    const lifeMs = limits.webSessionLifetimeDays * 86_400_000;
    ctx.clock.set(ctx.clock.now() + 300 * 86_400_000);
    const { sessionToken } = await redeemSignInLink(ctx, { code: await createSignInLink(ctx) });
    const code = await createSignInLink(ctx);
    ctx.clock.set(ctx.clock.now() - 300 * 86_400_000);
    await endSessionsInTime(ctx.db.query, ctx.clock.now());
    expect(await personOfWebSession(ctx, sessionToken)).toBeDefined();
    ctx.clock.advance(limits.signInLinkLifetimeMinutes * 60_000);
    await expect(redeemSignInLink(asVisitor(ctx), { code })).rejects.toMatchObject(refused);
    ctx.clock.advance(lifeMs);
    expect(await personOfWebSession(ctx, sessionToken)).toBeUndefined();
  });

  test('a clock that is behind until synchronized ends no session; late expiries are capped once the clock is steady', async () => {
    const ctx = await operator();
    const [hourMs, dayMs] = [3_600_000, 86_400_000];
    const { sessionToken } = await redeemSignInLink(asVisitor(ctx), { code: await createSignInLink(ctx) });
    const [right, expiryOf] = [
      ctx.clock.now(),
      async () => (await ctx.db.query.selectFrom('webSessions').select('expiresAt').executeTakeFirst())?.expiresAt,
    ];
    const expiry = await expiryOf();
    let elapsed = 0;
    ctx.clock.set(right - 400 * dayMs);
    const clock = { now: () => ctx.clock.now(), elapsed: () => elapsed };
    const job = onceSteady(clock, (now: number) => endSessionsInTime(ctx.db.query, now));
    const everyHour = async (hours: number) => {
      for (let hour = 0; hour < hours; hour += 1) {
        elapsed += hourMs;
        ctx.clock.set(ctx.clock.now() + hourMs);
        await job(ctx.clock.now());
      }
    };
    await everyHour(3);
    ctx.clock.set(right);
    await everyHour(5);
    expect(await expiryOf()).toBe(expiry);
    expect(await personOfWebSession(ctx, sessionToken)).toBeDefined();
    await ctx.db.query
      .updateTable('webSessions')
      .set({ expiresAt: right + 400 * dayMs })
      .execute();
    await everyHour(1);
    expect(await expiryOf()).toBe(right + 400 * dayMs);
    await everyHour(1);
    expect(await expiryOf()).toBe(ctx.clock.now() + limits.webSessionLifetimeDays * dayMs);
  });

  test('the database contains neither the code nor the session token', async () => {
    const ctx = await operator();
    const code = await createSignInLink(ctx);
    const { sessionToken } = await redeemSignInLink(ctx, { code });
    const rows = JSON.stringify([
      await ctx.db.query.selectFrom('signInLinks').selectAll().execute(),
      await ctx.db.query.selectFrom('webSessions').selectAll().execute(),
    ]);
    expect(rows).not.toContain(code);
    expect(rows).not.toContain(sessionToken);
  });

  test('two concurrent first starts create one account', async () => {
    const db = await freshDatabase(kind);
    const clock = createSettableClock();
    const ids = await Promise.all([1, 2, 3].map(() => ensureLocalOwner(db, clock)));
    expect(new Set(ids).size).toBe(1);
    expect(await db.query.selectFrom('users').selectAll().execute()).toHaveLength(1);
  });
});

test('only the operator can create links, and only signed-in users count as people', async () => {
  const db = await freshDatabase();
  const clock = createSettableClock();
  const userId = await ensureLocalOwner(db, clock);
  const as = (actor: Actor): Context => ({ actor, workspace: null, db, clock, log: silentLog, requestId: 'r' });
  const key = as({ kind: 'key', userId, keyId: 'k', clientKind: null });
  const user = as({ kind: 'user', userId });
  for (const ctx of [key, user]) {
    await expect(createSignInLink(ctx)).rejects.toMatchObject({ code: 'permission-denied' });
  }
  await expect(createSignInLink(as(visitor))).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(() => requirePerson(key)).toThrow(expect.objectContaining({ code: 'permission-denied' }));
  expect(() => requirePerson(as(visitor))).toThrow(expect.objectContaining({ code: 'unauthenticated' }));
  expect(requirePerson(user)).toBe(userId);
  expect(await actingUser(as(visitor))).toBeUndefined();
  expect(await actingUser(as({ kind: 'user', userId: 'deleted' }))).toBeUndefined();
});
