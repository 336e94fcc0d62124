import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { refusalForOthers } from '#server/platform/refusal-for-others.ts';
import { actingUser } from './web-session.ts';

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

/** Returns true for who runs this installation, at its command line or signed in to its account. */
export async function isOperator(ctx: Context): Promise<boolean> {
  return ctx.actor.kind === 'operator' || (await actingUser(ctx))?.isOperator === 1;
}

/** Returns why an address is not contacted, as the caller may know it. */
export async function tellRefusal(ctx: Context, sentence: string): Promise<string> {
  const forOthers = refusalForOthers(sentence);
  return forOthers === sentence || (await isOperator(ctx)) ? sentence : forOthers;
}

/** Returns the operator's id; refuses everyone else, saying whom it is for and what they can do instead. */
export async function requireOperatorAccount(
  ctx: Context,
  instead = 'It is for the operator of this installation.',
): Promise<string> {
  const userId = requirePerson(ctx);
  if (await isOperator(ctx)) return userId;
  throw new AppError('permission-denied', { values: { need: ` ${instead}` } });
}
