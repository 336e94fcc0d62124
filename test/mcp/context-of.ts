import { randomUUID } from 'node:crypto';
import type { Actor, Context } from '#server/context.ts';
import { createLogger } from '#server/platform/log.ts';
import { type DatabaseKind, freshDatabase } from '#test/services/database.ts';
import { createSettableClock, type SettableClock } from '#test/services/settable-clock.ts';

export interface TestContext extends Context {
  clock: SettableClock;
}

/** Returns a context with its own database, acting with this user's key. */
export async function contextOf(
  userId = 'anna',
  actor: Partial<Actor> = {},
  database?: DatabaseKind,
): Promise<TestContext> {
  return {
    actor: { kind: 'key', userId, keyId: `key-of-${userId}`, clientKind: null, ...actor } as Actor,
    workspace: `user:${userId}`,
    db: await freshDatabase(database),
    clock: createSettableClock(),
    log: createLogger('silent'),
    requestId: randomUUID(),
  };
}

/** Returns a context with the same database and clock for another user. */
export function as(ctx: TestContext, userId: string): TestContext {
  return {
    ...ctx,
    actor: { kind: 'key', userId, keyId: `key-of-${userId}`, clientKind: null },
    workspace: `user:${userId}`,
  };
}
