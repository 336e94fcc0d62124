import type { BackgroundWork } from '#server/platform/background-work.ts';
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
  /** Ends what a former member had in the team, such as their keys. */
  memberLeft(tx: Transaction, member: { teamId: string; userId: string }, now: number): Promise<void>;
  /** Ends what a member had begun who may no longer change the team's sources. */
  writingEnded(tx: Transaction, member: { teamId: string; userId: string }, now: number): Promise<void>;
  /** Removes what is kept for a team, before its row goes. */
  teamDeleted(tx: Transaction, team: TeamRow, now: number): Promise<void>;
}
