import type { Transaction } from '#server/platform/db/database.ts';
import type { Row } from '#server/platform/db/schema.ts';
import type { BackgroundWork } from './background-work.ts';
import type { IdentityMails } from './mails.ts';
import type { Passwords } from './passwords.ts';

/** What the verbs of signing up and in need beside their context; wired by the composition root. */
export interface IdentityDependencies {
  /** Whether strangers may make accounts. */
  isSignUpOpen: boolean;
  passwords: Passwords;
  mails: IdentityMails;
  background: BackgroundWork;
  /** What an account gets from features above this one, in the transaction that makes it. */
  onAccountCreated(tx: Transaction, user: Row<'users'>): Promise<void>;
}
