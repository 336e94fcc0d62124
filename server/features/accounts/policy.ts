import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';

/** The acting person's id; refuses visitors. */
export function requireUserId(ctx: Context): string {
  if (ctx.actor.kind === 'anonymous') throw new AppError('unauthenticated');
  return ctx.actor.userId;
}

/** The acting person's id when it is the person who acts, not an agent with one of their API keys or an application they let in. */
export function requirePerson(ctx: Context): string {
  const { kind } = ctx.actor;
  if (kind === 'key' || kind === 'connection') {
    const what = kind === 'key' ? 'An API key' : 'A connected application';
    throw new AppError('permission-denied', {
      values: { need: ` ${what} only searches and reads. Sign in to do this.` },
    });
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
