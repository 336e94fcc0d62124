import { AppError } from '#server/app-error.ts';
import { type Context, credentialOf, type Workspace } from '#server/context.ts';

export interface Asker {
  userId: string;
  workspace: Workspace;
  credential: { id: string; name: string };
}

/** Returns true if the actor's key or connection was created with the permission to request sources. */
export function mayAskToIndex(ctx: Context): boolean {
  const { actor } = ctx;
  return (actor.kind === 'key' || actor.kind === 'connection') && actor.mayAskToIndex === true;
}

/** Returns the requesting key or connection; throws for those created without the permission. */
export function requireAsker(ctx: Context): Asker {
  const credential = credentialOf(ctx.actor);
  if (!mayAskToIndex(ctx) || credential === undefined || ctx.actor.kind === 'anonymous' || ctx.workspace === null) {
    const need = ' It requires an API key or a connection that can request sources.';
    throw new AppError('permission-denied', { values: { need } });
  }
  const { id, name } = credential;
  return { userId: ctx.actor.userId, workspace: ctx.workspace, credential: { id, name: name ?? 'An API key' } };
}
