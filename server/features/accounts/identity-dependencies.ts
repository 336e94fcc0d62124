import type { BackgroundWork } from '#server/platform/background-work.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { Row } from '#server/platform/db/schema.ts';
import type { KnownDevices } from './known-devices.ts';
import type { IdentityMails } from './mails.ts';
import type { Passwords } from './passwords.ts';

/** Dependencies of the sign-up and sign-in calls besides the context; wired by the composition root. */
export interface IdentityDependencies {
  /** True if anyone can create an account. */
  isSignUpOpen: boolean;
  /** True if the server is reachable from this machine only and has no mail server. */
  isForThisMachine: boolean;
  passwords: Passwords;
  devices: KnownDevices;
  mails: IdentityMails;
  background: BackgroundWork;
  /** Lets features above accounts add to a new account, in the transaction that creates it. */
  onAccountCreated(tx: Transaction, user: Row<'users'>): Promise<void>;
  /** Revokes a user's API keys and disconnects their applications, in teams too. */
  endAgentAccess(tx: Transaction, userId: string, now: number): Promise<void>;
  /** Counts the active keys and connections that `endAgentAccess` would end. */
  countAgentAccess(db: Queries, userId: string, now: number): Promise<{ apiKeys: number; connections: number }>;
  /** Notifies features above accounts that the name shown to others changed. */
  onProfileChanged(tx: Transaction, userId: string): Promise<void>;
  /** Stops activities of features above accounts on behalf of a disabled account. */
  onDisabled(tx: Transaction, userId: string, now: number): Promise<void>;
  /** Removes other links that a stranger may have added to an account that is handed to its address's owner. */
  endLinks(tx: Transaction, userId: string, now: number): Promise<void>;
}
