import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { isOperator, requireOperatorAccount, requirePerson } from '#server/features/accounts/index.ts';
import { requireRight } from '#server/features/teams/index.ts';
import type { SourceKind, Workspace } from '#server/platform/db/schema.ts';

/**
 * Returns the workspaces whose modules the actor can read: the current one, then the public one. Visitors read only the
 * public one.
 */
export function readableWorkspaces(ctx: Context): [Workspace] | [Workspace, Workspace] {
  requireRight(ctx, 'sources.read');
  return ctx.workspace === null ? ['public'] : [ctx.workspace, 'public'];
}

/**
 * Returns the workspace for a new module. Only the operator adds to the public index or indexes folders of this
 * machine; folders cannot be indexed with an API key, which may be used from anywhere.
 */
export async function workspaceForWriting(
  ctx: Context,
  visibility: 'public' | 'private',
  kind: SourceKind,
): Promise<Workspace> {
  const userId = requirePerson(ctx);
  if (kind === 'folder' && ctx.actor.kind === 'key') {
    throw new AppError('permission-denied', {
      values: { need: ' API keys cannot index folders on the server.' },
    });
  }
  if (kind === 'folder') await requireOperatorAccount(ctx, 'Only the operator can index folders on this machine.');
  if (visibility === 'public') {
    const instead = ctx.membership === undefined ? 'for yourself' : 'for your team';
    await requireOperatorAccount(ctx, `Only the operator can add to the public index. Index it as private ${instead}.`);
  }
  if (visibility === 'public') return 'public';
  requireRight(ctx, 'sources.write');
  return ctx.workspace ?? `user:${userId}`;
}

/**
 * Throws if the caller cannot remove a module in a workspace they can read, or stop its runs: the operator manages the
 * public index, a team's writers its documentation.
 */
export async function requireMayChange(ctx: Context, workspace: Workspace): Promise<void> {
  requirePerson(ctx);
  if (workspace !== 'public') return requireRight(ctx, 'sources.write');
  await requireOperatorAccount(ctx, 'Only the operator of this installation can change the public index.');
}

/** Returns the owner whose sources (projects, PDF sets) the user can view. */
export function ownerForReading(ctx: Context): { userId: string; workspace: Exclude<Workspace, 'public'> } {
  const userId = requirePerson(ctx);
  requireRight(ctx, 'sources.read');
  return { userId, workspace: ctx.workspace ?? `user:${userId}` };
}

/** Returns the owner whose sources the user can change. */
export function ownerForWriting(ctx: Context): ReturnType<typeof ownerForReading> {
  const owner = ownerForReading(ctx);
  requireRight(ctx, 'sources.write');
  return owner;
}

/** Returns true for the operator and the operator's agents: only they see folder paths of the server's machine. */
export async function seesServerPaths(ctx: Context): Promise<boolean> {
  return isOperator(ctx);
}

/** Returns true if showing this module or run could reveal the server's paths. */
export function namesPlaces(row: { kind: SourceKind; errorCode?: string | null }): boolean {
  return row.kind === 'folder' || tellsOfServer({ errorCode: row.errorCode ?? null });
}

/** Like `seesServerPaths`, but skips the account lookup if none of these rows could reveal a path. */
export async function seesPathsOf(
  ctx: Context,
  rows: readonly { kind: SourceKind; errorCode?: string | null }[],
): Promise<boolean> {
  return rows.some(namesPlaces) && (await seesServerPaths(ctx));
}

/** Prefix of error codes whose messages name the server's storage: a path, a bucket. */
export const storagePrefix = 'storage-';
/** Error code whose messages name the setting that allows an address. */
export const refusedCode = 'address-refused';

/** Returns true if a failed run's message must be hidden from callers other than the operator. */
export function tellsOfServer({ errorCode }: { errorCode: string | null }): boolean {
  return errorCode?.startsWith(storagePrefix) === true || errorCode === refusedCode;
}
