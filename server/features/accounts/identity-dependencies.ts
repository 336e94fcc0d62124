import type { BackgroundWork } from '#server/platform/background-work.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { Row } from '#server/platform/db/schema.ts';
import type { KnownDevices } from './known-devices.ts';
import type { IdentityMails } from './mails.ts';
import type { Passwords } from './passwords.ts';

/** What the verbs of signing up and in need beside their context; wired by the composition root. */
export interface IdentityDependencies {
  /** Whether strangers may make accounts. */
  isSignUpOpen: boolean;
  /** Reached from this machine alone, and without a mail server. */
  isForThisMachine: boolean;
  passwords: Passwords;
  devices: KnownDevices;
  mails: IdentityMails;
  background: BackgroundWork;
  /** What an account gets from features above this one, in the transaction that makes it. */
  onAccountCreated(tx: Transaction, user: Row<'users'>): Promise<void>;
  /** Revokes the API keys that a person made and ends the applications they connected, in teams too. */
  endAgentAccess(tx: Transaction, userId: string, now: number): Promise<void>;
  /** How many of these there are that still work. */
  countAgentAccess(db: Queries, userId: string, now: number): Promise<{ apiKeys: number; connections: number }>;
  /** Tells features above this one that others may see a different name. */
  onProfileChanged(tx: Transaction, userId: string): Promise<void>;
  /** Stops what features above this one do in the name of an account that is disabled. */
  onDisabled(tx: Transaction, userId: string, now: number): Promise<void>;
  /** Forgets what else a stranger linked to an account that is handed to the owner of its address. */
  endLinks(tx: Transaction, userId: string, now: number): Promise<void>;
}
