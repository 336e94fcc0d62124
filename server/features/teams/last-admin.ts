import { AppError } from '#server/app-error.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { countAdmins, type MembershipRow } from './store.ts';

/** Refuses to take the last admin from a team that is held. */
export async function requireOtherAdmin(tx: Transaction, membership: MembershipRow): Promise<void> {
  if (membership.role !== 'admin' || membership.state !== 'accepted') return;
  if ((await countAdmins(tx, membership.teamId)) <= 1) throw new AppError('last-admin');
}
