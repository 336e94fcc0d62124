import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import type { Owner } from './store.ts';

/** Whose conversations the actor may see: their own, in the workspace they act in. Refuses visitors and agents. */
export function requireOwner(ctx: Context): Owner {
  const userId = requirePerson(ctx);
  return { userId, workspace: ctx.workspace ?? `user:${userId}` };
}

/** The owner of what is kept of a question; undefined for a visitor, of whom nothing is. Refuses agents, which search. */
export function ownerOf(ctx: Context): Owner | undefined {
  if (ctx.actor.kind === 'anonymous') return undefined;
  return requireOwner(ctx);
}

/** The same request as a visitor's: the public index alone. */
export function asVisitor(ctx: Context): Context {
  const { membership: _, ...rest } = ctx;
  return { ...rest, actor: { kind: 'anonymous' }, workspace: null };
}
