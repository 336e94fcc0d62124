import type { BackgroundWork } from '#server/platform/background-work.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { InviteMails } from './invite-mails.ts';
import type { TeamRow } from './team-store.ts';

/** Dependencies of the team calls besides the context, many from features above; wired by the composition root. */
export interface TeamDependencies {
  inviteMails: InviteMails;
  background: BackgroundWork;
  /** Ends a user's sessions except the given one, and their API keys and connected applications. */
  endOtherAccess(tx: Transaction, userId: string, now: number, exceptSessionId: string | undefined): Promise<void>;
  /** Moves a user's private modules into a team, with their runs. */
  moveLibrary(tx: Transaction, move: { userId: string; teamId: string }, now: number): Promise<void>;
  /** Ends a former member's access in the team, such as keys. */
  memberLeft(tx: Transaction, member: { teamId: string; userId: string }, now: number): Promise<void>;
  /** Ends activities of a member who may no longer change the team's sources. */
  writingEnded(tx: Transaction, member: { teamId: string; userId: string }, now: number): Promise<void>;
  /** Removes a team's data, before its row is deleted. */
  teamDeleted(tx: Transaction, team: TeamRow, now: number): Promise<void>;
}
