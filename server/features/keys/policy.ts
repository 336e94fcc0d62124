import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { actingUser, requirePerson } from '#server/features/accounts/index.ts';
import type { Row } from '#server/platform/db/schema.ts';

/** Whose keys are meant: those of one person, or those of a team they belong to. */
export interface KeyOwner {
  userId: string;
  teamId: string | null;
}

/**
 * The owner of the keys an input speaks of: the acting person, or the team it names. A key never looks after keys. Nobody
 * belongs to a team yet, so each of them looks like one that does not exist.
 */
export function requireKeyOwner(ctx: Context, input: { teamId?: string | undefined }): KeyOwner {
  const userId = requirePerson(ctx);
  if (input.teamId !== undefined) throw new AppError('team-not-found');
  return { userId, teamId: null };
}

/** Refuses people whose e-mail address is not verified; the person who runs the installation always is. */
export async function requireVerifiedEmail(ctx: Context): Promise<void> {
  const user = await actingUser(ctx);
  if (user === undefined) throw new AppError('unauthenticated');
  if (user.emailVerifiedAt === null) throw new AppError('email-not-verified');
}

/** Whether a key may be shown in full after it was made. A revoked one never is. */
export function isRevealable(row: Pick<Row<'apiKeys'>, 'revokedAt'>): boolean {
  return row.revokedAt === null;
}
