import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';

/** Returns the caller's user id; throws for visitors. */
export function requireUserId(ctx: Context): string {
  if (ctx.actor.kind === 'anonymous') throw new AppError('unauthenticated');
  return ctx.actor.userId;
}

/**
 * Returns the user id if the user acts in person, or through a program whose key covers the call; throws for other API
 * keys and connected applications.
 */
export function requirePerson(ctx: Context): string {
  const { actor } = ctx;
  const { kind } = actor;
  if (kind === 'connection' || (kind === 'key' && actor.isActing !== true)) {
    const what = kind === 'key' ? 'API keys cannot do this.' : 'Connected applications can only search and read.';
    throw new AppError('permission-denied', { values: { need: ` ${what} Sign in to do this.` } });
  }
  return requireUserId(ctx);
}

/** Throws unless the caller is the operator at the command line. */
export function requireOperator(ctx: Context): string {
  if (ctx.actor.kind !== 'operator') {
    throw new AppError(ctx.actor.kind === 'anonymous' ? 'unauthenticated' : 'permission-denied');
  }
  return ctx.actor.userId;
}
