import type { Generated } from 'kysely';
import type { Workspace } from '../column-types.ts';

export interface CreditsTables {
  creditTransactions: CreditTransactionsTable;
  monthlyUsage: MonthlyUsageTable;
  callReceipts: CallReceiptsTable;
  callDays: CallDaysTable;
}

/** Append-only. Spent amounts are below 0. */
interface CreditTransactionsTable {
  id: string;
  userId: string;
  teamId: string | null;
  /** One request that is paid from allowance and balance has two rows. */
  requestId: string;
  /** What a call and its retries have in common; null for what is no call. */
  fingerprint: string | null;
  amount: Generated<number>;
  userAccountAmount: number | null;
  source: Generated<'subscription' | 'usage' | 'initial' | 'purchase'>;
  isFromMonthlyAllowance: Generated<number>;
  timestamp: number;
  details: Generated<string>;
  /** JSON object. */
  metadata: Generated<string>;
}

/** Credits of the allowance used in one billing cycle, named by the month it began in. */
interface MonthlyUsageTable {
  workspace: Workspace;
  year: number;
  month: number;
  day: number;
  creditsUsed: Generated<number>;
}

/** What one search or read sent, and what it would have been without choosing passages. Tokens are o200k_base. */
interface CallReceiptsTable {
  id: string;
  userId: string;
  teamId: string | null;
  keyId: string | null;
  /** The agent's conversation; null for a person, and before conversations were written down here. */
  sessionId: string | null;
  tool: 'search' | 'read';
  at: number;
  /** Charged for it, wherever they came from. */
  credits: Generated<number>;
  tokens: Generated<number>;
  wholePageTokens: Generated<number>;
  withheldTokens: Generated<number>;
}

/** Receipts added up by day. */
interface CallDaysTable {
  userId: string;
  /** Empty for calls outside of teams. */
  teamId: string;
  /** Empty for calls of people. */
  keyId: string;
  /** Counted from 1970, UTC. */
  day: number;
  tool: 'search' | 'read';
  calls: number;
  /** Calls that found something, without retries. */
  answered: number;
  credits: number;
  tokens: number;
  wholePageTokens: number;
  withheldTokens: number;
  lastAt: number;
}
