import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { ownerForWriting } from '#server/features/catalog/index.ts';
import { confirmRight } from '#server/features/teams/index.ts';
import { auditTeamOf, recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { deleteProfile, deleteProfiles, moveProfileRows, type Owner } from './store.ts';
import { announceProfiles } from './workspace.ts';

/** Forgets what a project pins. Modules that were indexed for it stay. Removing it twice is refused with `profile-not-found`. */
export async function removeProfile(ctx: Context, input: { profileId: string }): Promise<void> {
  const { userId, workspace } = ownerForWriting(ctx);
  await ctx.db.transaction(async (tx) => {
    await confirmRight(tx, ctx, 'sources.write');
    const row = await deleteProfile(tx, workspace, input.profileId);
    if (row === undefined) throw new AppError('profile-not-found');
    await recordAudit(tx, ctx.clock.now(), {
      ...{ actorUserId: userId, action: 'profile.remove', entityId: row.id },
      detail: { name: row.name },
      ...auditTeamOf(workspace),
    });
    announceProfiles(tx, workspace);
  });
}

/** Removes a person's projects, for a deleted account. */
export async function removePersonalProfiles(tx: Transaction, userId: string): Promise<void> {
  await deleteProfiles(tx, `user:${userId}`);
}

/** The same for a team that is deleted. */
export async function removeTeamProfiles(tx: Transaction, teamId: string): Promise<void> {
  await deleteProfiles(tx, `team:${teamId}`);
}

/** Gives projects to a new team together with the modules; those whose name it has stay. */
export async function moveProfiles(tx: Transaction, from: Owner, to: Owner): Promise<void> {
  await moveProfileRows(tx, from, to);
  for (const workspace of [from, to]) announceProfiles(tx, workspace);
}
