import { randomUUID } from 'node:crypto';
import type { Actor, Context } from '#server/context.ts';
import { createLogger } from '#server/platform/log.ts';
import { type DatabaseKind, freshDatabase } from '#test/services/database.ts';
import { createSettableClock, type SettableClock } from '#test/services/settable-clock.ts';

export interface TestContext extends Context {
  clock: SettableClock;
}

/** A context over a database of its own, acting with a key of this user. */
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

/** The same database and time for someone else. */
export function as(ctx: TestContext, userId: string): TestContext {
  return {
    ...ctx,
    actor: { kind: 'key', userId, keyId: `key-of-${userId}`, clientKind: null },
    workspace: `user:${userId}`,
  };
}
