import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { refusalForOthers } from '#server/platform/refusal-for-others.ts';
import { requirePerson } from './policy.ts';
import { actingUser } from './web-session.ts';

/** Returns true if the caller operates this installation, at the command line or signed in. */
export async function isOperator(ctx: Context): Promise<boolean> {
  return ctx.actor.kind === 'operator' || (await actingUser(ctx))?.isOperator === 1;
}

/** Returns the reason why an address is not contacted, as detailed as the caller may see it. */
export async function tellRefusal(ctx: Context, sentence: string): Promise<string> {
  const forOthers = refusalForOthers(sentence);
  return forOthers === sentence || (await isOperator(ctx)) ? sentence : forOthers;
}

/** Returns the operator's id; throws for everyone else, with a message that names the alternative. */
export async function requireOperatorAccount(
  ctx: Context,
  instead = 'It is for the operator of this installation.',
): Promise<string> {
  const userId = requirePerson(ctx);
  if (await isOperator(ctx)) return userId;
  throw new AppError('permission-denied', { values: { need: ` ${instead}` } });
}
