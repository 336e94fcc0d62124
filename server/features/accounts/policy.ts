import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';

/** The acting person's id; refuses visitors. */
export function requireUserId(ctx: Context): string {
  if (ctx.actor.kind === 'anonymous') throw new AppError('unauthenticated');
  return ctx.actor.userId;
}

/**
 * The acting person's id when it is the person who acts, or a program with a key whose rights cover the call; not another agent
 * with one of their API keys or an application they let in.
 */
export function requirePerson(ctx: Context): string {
  const { actor } = ctx;
  const { kind } = actor;
  if (kind === 'connection' || (kind === 'key' && actor.isActing !== true)) {
    const what = kind === 'key' ? 'API keys do not cover it.' : 'A connected application only searches and reads.';
    throw new AppError('permission-denied', { values: { need: ` ${what} Sign in to do this.` } });
  }
  return requireUserId(ctx);
}

/** Refuses everyone who does not run this installation. */
export function requireOperator(ctx: Context): string {
  if (ctx.actor.kind !== 'operator') {
    throw new AppError(ctx.actor.kind === 'anonymous' ? 'unauthenticated' : 'permission-denied');
  }
  return ctx.actor.userId;
}
