import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from './policy.ts';
import { actingUser } from './web-session.ts';

/** The id of who runs this installation, at its command line or signed in to its account; refuses everybody else. */
export async function requireOperatorAccount(ctx: Context): Promise<string> {
  const userId = requirePerson(ctx);
  if (ctx.actor.kind === 'operator' || (await actingUser(ctx))?.isOperator === 1) return userId;
  throw new AppError('permission-denied');
}
