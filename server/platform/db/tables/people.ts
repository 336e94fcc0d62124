import type { Generated } from 'kysely';

export interface PeopleTables {
  users: UsersTable;
  signInLinks: SignInLinksTable;
  webSessions: WebSessionsTable;
  passwords: PasswordsTable;
  identities: IdentitiesTable;
  actionCodes: ActionCodesTable;
  identityTokens: IdentityTokensTable;
  rateCounts: RateCountsTable;
}

interface UsersTable {
  id: string;
  /** Lower case; the writer lowers it. */
  email: string | null;
  displayName: Generated<string>;
  photoUrl: string | null;
  emailVerifiedAt: number | null;
  tier: Generated<string>;
  isOperator: Generated<number>;
  createdAt: number;
  /** Purchased and given credits: the sum of the ledger rows that are not from the allowance. */
  credits: Generated<number>;
  /** Credits of the billing cycle that was paid for last. */
  monthlyAllowance: Generated<number>;
  /** When that cycle began; null without one. */
  allowanceStartAt: number | null;
  /** The day of its month is when billing cycles begin; null: there was no subscription yet. */
  subscriptionStartAt: number | null;
  /** Null: never asked. */
  marketingConsent: number | null;
  marketingConsentAt: number | null;
  /** When what follows a verified address was done. */
  emailVerifiedNotedAt: number | null;
  /** At the payment provider. */
  customerId: string | null;
  subscriptionId: string | null;
  subscriptionStatus: string | null;
  subscriptionEndAt: number | null;
  /** Null: the account may be used. Set by the operator: no one signs in to it, and its keys are refused. */
  disabledAt: number | null;
}

interface SignInLinksTable {
  tokenHash: string;
  userId: string;
  createdAt: number;
  expiresAt: number;
  usedAt: number | null;
}

interface WebSessionsTable {
  tokenHash: string;
  userId: string;
  createdAt: number;
  expiresAt: number;
  lastSeenAt: number;
  /** Names the session to its owner; random. */
  id: string | null;
  userAgent: Generated<string>;
}

interface PasswordsTable {
  userId: string;
  /** With its algorithm and parameters. */
  hash: string;
  changedAt: number;
  lastUsedAt: number | null;
}

interface IdentitiesTable {
  provider: string;
  /** The account's id at the provider. */
  subject: string;
  userId: string;
  createdAt: number;
}

interface ActionCodesTable {
  codeHash: string;
  purpose: 'reset-password' | 'verify-email';
  userId: string;
  /** The address the code was sent to. */
  email: string;
  createdAt: number;
  expiresAt: number;
  usedAt: number | null;
  /** The browser session that asked for the mail; null when none did. */
  sessionId: string | null;
}

interface IdentityTokensTable {
  tokenHash: string;
  /** The token ends with this session. */
  sessionTokenHash: string;
  createdAt: number;
  expiresAt: number;
}

interface RateCountsTable {
  /** What is counted, for whom; people are named by a hash. */
  bucket: string;
  startedAt: number;
  endsAt: number;
  count: number;
}
