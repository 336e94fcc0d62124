import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import { requireRight } from '#server/features/teams/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { findProfile, type Owner, type ProfileRow } from './store.ts';

/** Whose projects the person acting sees. */
export function ownerForReading(ctx: Context): { userId: string; workspace: Owner } {
  const userId = requirePerson(ctx);
  requireRight(ctx, 'sources.read');
  return { userId, workspace: ctx.workspace ?? `user:${userId}` };
}

/** Whose projects the person acting changes. */
export function ownerForWriting(ctx: Context): { userId: string; workspace: Owner } {
  const owner = ownerForReading(ctx);
  requireRight(ctx, 'sources.write');
  return owner;
}

/** A project of the workspace; one of another looks like one that does not exist. */
export async function requireProfile(ctx: Context, workspace: Owner, profileId: string): Promise<ProfileRow> {
  const row = await findProfile(ctx.db.query, workspace, profileId);
  if (row === undefined) throw new AppError('profile-not-found');
  return row;
}

export function announceProfiles(tx: Transaction, workspace: Owner): void {
  announceChange(tx, { collection: 'profiles', audience: workspace });
}
