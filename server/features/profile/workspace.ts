import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { findProfile, type Owner, type ProfileRow } from './store.ts';

/** Returns a project of the workspace; another workspace's is reported as not found. */
export async function requireProfile(ctx: Context, workspace: Owner, profileId: string): Promise<ProfileRow> {
  const row = await findProfile(ctx.db.query, workspace, profileId);
  if (row === undefined) throw new AppError('profile-not-found');
  return row;
}

export function announceProfiles(tx: Transaction, workspace: Owner): void {
  announceChange(tx, { collection: 'profiles', audience: workspace });
}
