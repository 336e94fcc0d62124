import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import type { Owner } from './store.ts';

/**
 * Returns the owner of the actor's conversations: the user in the current workspace. Throws for visitors and agents.
 */
export function requireOwner(ctx: Context): Owner {
  const userId = requirePerson(ctx);
  return { userId, workspace: ctx.workspace ?? `user:${userId}` };
}

/**
 * Returns the owner under which a question is stored; undefined for visitors, for whom nothing is. Throws for agents,
 * which should search.
 */
export function ownerOf(ctx: Context): Owner | undefined {
  if (ctx.actor.kind === 'anonymous') return undefined;
  return requireOwner(ctx);
}

/** Returns the context as that of a visitor, who reads only the public index. */
export function asVisitor(ctx: Context): Context {
  const { membership: _, ...rest } = ctx;
  return { ...rest, actor: { kind: 'anonymous' }, workspace: null };
}
