import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { isOperator, requireOperatorAccount, requirePerson } from '#server/features/accounts/index.ts';
import { requireRight } from '#server/features/teams/index.ts';
import type { SourceKind, Workspace } from '#server/platform/db/schema.ts';

/** Workspaces whose modules the actor may read: the one they act in, then the public one. Visitors read that alone. */
export function readableWorkspaces(ctx: Context): [Workspace] | [Workspace, Workspace] {
  requireRight(ctx, 'sources.read');
  return ctx.workspace === null ? ['public'] : [ctx.workspace, 'public'];
}

/**
 * The workspace a new module goes into. The public index and folders of this machine are the operator's; folders are never
 * reached with a key, which may be anywhere.
 */
export async function workspaceForWriting(
  ctx: Context,
  visibility: 'public' | 'private',
  kind: SourceKind,
): Promise<Workspace> {
  const userId = requirePerson(ctx);
  if (kind === 'folder' && ctx.actor.kind === 'key') {
    throw new AppError('permission-denied', {
      values: { need: ' Folders of the server cannot be reached with an API key.' },
    });
  }
  if (kind === 'folder') await requireOperatorAccount(ctx, 'Folders of this machine are for its operator.');
  if (visibility === 'public') {
    const instead = ctx.membership === undefined ? 'for yourself' : 'for your team';
    await requireOperatorAccount(
      ctx,
      `The public index is for the operator. Index it as private to have it ${instead}.`,
    );
  }
  if (visibility === 'public') return 'public';
  requireRight(ctx, 'sources.write');
  return ctx.workspace ?? `user:${userId}`;
}

/**
 * Refuses who may not remove what is in a workspace they read, or stop its runs: the public index is the operator's, a
 * team's documentation its writers'.
 */
export async function requireMayChange(ctx: Context, workspace: Workspace): Promise<void> {
  requirePerson(ctx);
  if (workspace !== 'public') return requireRight(ctx, 'sources.write');
  await requireOperatorAccount(ctx, 'The public index is for the operator of this installation.');
}

/** Whose own sources (projects, PDF sets) the person acting sees. */
export function ownerForReading(ctx: Context): { userId: string; workspace: Exclude<Workspace, 'public'> } {
  const userId = requirePerson(ctx);
  requireRight(ctx, 'sources.read');
  return { userId, workspace: ctx.workspace ?? `user:${userId}` };
}

/** Whose own sources the person acting changes. */
export function ownerForWriting(ctx: Context): ReturnType<typeof ownerForReading> {
  const owner = ownerForReading(ctx);
  requireRight(ctx, 'sources.write');
  return owner;
}

/** Where folders lie on the machine of the server is for its operator and the operator's agents. */
export async function seesServerPaths(ctx: Context): Promise<boolean> {
  return isOperator(ctx);
}

/** Returns true if a module or run may be shown with paths of the server. */
export function namesPlaces(row: { kind: SourceKind; errorCode?: string | null }): boolean {
  return row.kind === 'folder' || tellsOfServer({ errorCode: row.errorCode ?? null });
}

/** The same as `seesServerPaths`, without a look at the account where none of these names a place. */
export async function seesPathsOf(
  ctx: Context,
  rows: readonly { kind: SourceKind; errorCode?: string | null }[],
): Promise<boolean> {
  return rows.some(namesPlaces) && (await seesServerPaths(ctx));
}

/** Begins the codes of runs whose sentences say where the server keeps what it has: a path, a bucket. */
export const storagePrefix = 'storage-';
/** The code of runs whose sentences say which setting allows an address. */
export const refusedCode = 'address-refused';

/** Returns true if the message of a run that failed so depends on the caller. */
export function tellsOfServer({ errorCode }: { errorCode: string | null }): boolean {
  return errorCode?.startsWith(storagePrefix) === true || errorCode === refusedCode;
}
