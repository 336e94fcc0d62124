import type { Generated } from 'kysely';
import type { Workspace } from '../column-types.ts';

export interface CreditsTables {
  creditTransactions: CreditTransactionsTable;
  monthlyUsage: MonthlyUsageTable;
  callReceipts: CallReceiptsTable;
  callDays: CallDaysTable;
}

/** Append-only. Spent amounts are negative. */
interface CreditTransactionsTable {
  id: string;
  userId: string;
  teamId: string | null;
  /** A request paid from both allowance and balance has two rows. */
  requestId: string;
  /** Identical for a call and its retries; null for rows without a call. */
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

/** Allowance credits used in one billing cycle, which is named by the month it began in. */
interface MonthlyUsageTable {
  workspace: Workspace;
  year: number;
  month: number;
  day: number;
  creditsUsed: Generated<number>;
}

/**
 * Tokens sent by one search or read, and the tokens it would have sent without choosing passages. Tokens are
 * o200k_base.
 */
interface CallReceiptsTable {
  id: string;
  userId: string;
  teamId: string | null;
  keyId: string | null;
  /** The agent's conversation; null for a person, and in rows older than this column. */
  sessionId: string | null;
  tool: 'search' | 'read';
  at: number;
  /** Credits charged for the call, from allowance and balance. */
  credits: Generated<number>;
  tokens: Generated<number>;
  wholePageTokens: Generated<number>;
  withheldTokens: Generated<number>;
}

/** Receipts summed up by day. */
interface CallDaysTable {
  userId: string;
  /** Empty for calls outside teams. */
  teamId: string;
  /** Empty for calls by people. */
  keyId: string;
  /** Days since 1970, UTC. */
  day: number;
  tool: 'search' | 'read';
  calls: number;
  /** Calls with results, without retries. */
  answered: number;
  credits: number;
  tokens: number;
  wholePageTokens: number;
  withheldTokens: number;
  lastAt: number;
}
