import type { BackgroundWork } from '#server/features/accounts/index.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { InviteMails } from './invite-mails.ts';
import type { TeamRow } from './team-store.ts';

/** What the verbs of teams need beside their context, much of it from features above; wired by the composition root. */
export interface TeamDependencies {
  inviteMails: InviteMails;
  background: BackgroundWork;
  /** Ends a person's sessions but for the one named, and their API keys and connected applications. */
  endOtherAccess(tx: Transaction, userId: string, now: number, exceptSessionId: string | undefined): Promise<void>;
  /** Moves the private modules of a person into a team, with their runs. */
  moveLibrary(tx: Transaction, move: { userId: string; teamId: string }, now: number): Promise<void>;
  /** Run in order when somebody is no longer in a team: each ends what they had there, such as their keys. */
  memberRemovals: ((tx: Transaction, member: { teamId: string; userId: string }, now: number) => Promise<void>)[];
  /** Run in order before the row of a team goes: each removes what it keeps for the team. */
  teamRemovals: ((tx: Transaction, team: TeamRow, now: number) => Promise<void>)[];
}
