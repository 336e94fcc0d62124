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
  /** Lower-cased by the writer. */
  email: string | null;
  displayName: Generated<string>;
  photoUrl: string | null;
  emailVerifiedAt: number | null;
  tier: Generated<string>;
  isOperator: Generated<number>;
  createdAt: number;
  /** Purchased and granted credits: the sum of the ledger rows that are not from the allowance. */
  credits: Generated<number>;
  /** Credits of the most recently paid billing cycle. */
  monthlyAllowance: Generated<number>;
  /** Start of that cycle; null without one. */
  allowanceStartAt: number | null;
  /** Billing cycles begin on its day of the month; null before the first subscription. */
  subscriptionStartAt: number | null;
  /** Null if the user was never asked. */
  marketingConsent: number | null;
  marketingConsentAt: number | null;
  /** When the follow-up work of an address verification was done. */
  emailVerifiedNotedAt: number | null;
  /** Id at the payment provider. */
  customerId: string | null;
  subscriptionId: string | null;
  subscriptionStatus: string | null;
  subscriptionEndAt: number | null;
  /** Set by the operator to disable the account: sign-in and its keys are refused. Null for a usable account. */
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
  /** Random id under which the owner sees the session. */
  id: string | null;
  userAgent: Generated<string>;
}

interface PasswordsTable {
  userId: string;
  /** Includes the algorithm and its parameters. */
  hash: string;
  changedAt: number;
  lastUsedAt: number | null;
}

interface IdentitiesTable {
  provider: string;
  /** The account id at the provider. */
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
  /** The browser session that requested the mail; null without one. */
  sessionId: string | null;
}

interface IdentityTokensTable {
  tokenHash: string;
  /** Session with which the token expires. */
  sessionTokenHash: string;
  createdAt: number;
  expiresAt: number;
}

interface RateCountsTable {
  /** The rule and the counted subject; users appear as a hash. */
  bucket: string;
  startedAt: number;
  endsAt: number;
  count: number;
}
