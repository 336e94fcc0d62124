import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { refusalForOthers } from '#server/platform/refusal-for-others.ts';
import { requirePerson } from './policy.ts';
import { actingUser } from './web-session.ts';

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
