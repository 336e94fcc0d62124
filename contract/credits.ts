import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import * as limits from './limits.ts';
import { tiers } from './plans.ts';

/** Where users get more credits. */
export const upgradePath = '/subscribe';

export const transactionSources = ['subscription', 'usage', 'initial', 'purchase'] as const;
export type TransactionSource = (typeof transactionSources)[number];

export const creditTransactionSchema = z.object({
  id: z.string(),
  userId: z.string(),
  teamId: z.string().nullable(),
  /** Credits; negative if spent. */
  amount: z.int(),
  /** Credits that the member's own account paid for a call in a team, negative like `amount`, which is then 0. */
  userAccountAmount: z.int().nullable(),
  source: z.enum(transactionSources),
  isFromMonthlyAllowance: z.boolean(),
  timestamp: z.int(),
  details: z.string(),
  metadata: z.object({
    /** The tool's arguments. */
    args: z.record(z.string(), z.unknown()).optional(),
    apiKeyName: z.string().optional(),
    /** Tokens of the response (o200k_base). */
    tokens: z.int().optional(),
    /** Addresses of pages in the response; only the first if there are many. */
    pages: z.array(z.string()).optional(),
    userEmail: z.string().optional(),
    /** The user's display name. */
    user: z.string().optional(),
  }),
});
export type CreditTransaction = z.infer<typeof creditTransactionSchema>;

/**
 * Returns the amount paid or received. If the team paid nothing for a call, returns what the member's own account paid.
 */
export function amountOf({
  amount,
  userAccountAmount,
}: Pick<CreditTransaction, 'amount' | 'userAccountAmount'>): number {
  return amount === 0 ? (userAccountAmount ?? 0) : amount;
}

export const creditInfoSchema = z.object({
  tier: z.enum(tiers),
  /** True for an installation's operator, who is not charged, and for everyone if credits are off. */
  isUnlimited: z.boolean(),
  /** True if this installation does not charge for calls. */
  areCreditsOff: z.boolean(),
  purchasedCredits: z.int(),
  /** Credits of the billing cycle that was paid last. */
  monthlyAllowance: z.int(),
  monthlyCreditsUsed: z.int(),
  monthlyCreditsRemaining: z.int(),
  totalCreditsAvailable: z.int(),
  /** When the next allowance is paid; null without one, after a cancellation, and after a failed payment. */
  renewsAt: z.int().nullable(),
});
export type CreditInfo = z.infer<typeof creditInfoSchema>;

export const monthlyUsageSchema = z.object({
  userId: z.string().nullable(),
  teamId: z.string().nullable(),
  year: z.int(),
  /** The month in which the cycle began, 1 to 12. */
  month: z.int(),
  /** Day of the month on which the subscription started, 1 to 31. */
  day: z.int(),
  creditsUsed: z.int(),
});
export type MonthlyUsage = z.infer<typeof monthlyUsageSchema>;

/** One day's calls (UTC), their cost and savings. */
export const usageDaySchema = z.object({
  /** Start of the day. */
  at: z.int(),
  searches: z.int(),
  /** Searches with results, retries excluded. */
  answeredSearches: z.int(),
  reads: z.int(),
  credits: z.int(),
  /** Tokens (o200k_base) of the responses. */
  tokensSent: z.int(),
  /** Tokens of the full pages that the responses were taken from. */
  wholePageTokens: z.int(),
  /** Tokens of passages left out because the conversation already had them. */
  withheldTokens: z.int(),
});
export type UsageDay = z.infer<typeof usageDaySchema>;

/** A team member's usage in this billing cycle. */
export const memberUsageSchema = z.object({
  userId: z.string(),
  /** Display name, or else the email address; null for a deleted account. */
  user: z.string().nullable(),
  userEmail: z.string().nullable(),
  /** Charged to the team's pool. */
  creditsUsed: z.int(),
  /** Charged to the member's own account because no paid seat was available. */
  accountCreditsUsed: z.int(),
});
export type MemberUsage = z.infer<typeof memberUsageSchema>;

/** Tokens that calls sent, and tokens saved against the baseline (o200k_base). */
const savingsSchema = z.object({
  searches: z.int(),
  /** Searches with results, retries excluded: each would have cost the baseline. */
  answeredSearches: z.int(),
  reads: z.int(),
  /** Tokens of searches and reads. */
  tokensSent: z.int(),
  wholePageTokens: z.int(),
  withheldTokens: z.int(),
  /** `answeredSearches` times the baseline, minus `tokensSent`; never below 0. */
  savedTokens: z.int(),
});
export type SavingsSum = z.infer<typeof savingsSchema>;

/** Savings of one key, application or conversation, or of the calls without any. */
export const savingsRowSchema = savingsSchema.extend({
  id: z.string().nullable(),
  /** Name of the key or application, or the name the agent's client reports; null if no longer known. */
  name: z.string().nullable(),
  lastAt: z.int(),
});
export type SavingsRow = z.infer<typeof savingsRowSchema>;

export const savingsLedgerSchema = z.object({
  /** Start of the first day, UTC. */
  since: z.int(),
  /** Tokens that a look-up costs an agent without documentation search. */
  baselineTokens: z.int(),
  /** Totals of the workspace; in a team, of the calls that you may see. */
  total: savingsSchema,
  /** Ordered by savings, highest first. */
  keys: z.array(savingsRowSchema),
  /** The most recent conversations, newest first. */
  sessions: z.array(savingsRowSchema),
});
export type SavingsLedger = z.infer<typeof savingsLedgerSchema>;

const filters = {
  type: z.enum(['all', ...transactionSources]).default('all'),
  /** First instant, epoch milliseconds. */
  from: z.coerce.number().int().optional(),
  /** Last instant, epoch milliseconds. */
  to: z.coerce.number().int().optional(),
};

export const creditEndpoints = {
  adjustCredits: endpoint('POST /api/credits/adjust', {
    summary: 'Operator: grants credits to a user or a team, or takes them back.',
    access: 'operator',
    input: z.object({
      /** An email address, or an account's or team's id. */
      whose: z.string().trim().min(1).max(limits.emailCharactersMax),
      /** Negative amounts remove credits, but never more than the balance. */
      amount: z
        .int()
        .min(-limits.creditsAdjustedMax)
        .max(limits.creditsAdjustedMax)
        .refine((amount) => amount !== 0, 'must not be 0'),
    }),
    output: z.object({
      payer: z.string(),
      /** Credits given; negative if removed. */
      amount: z.int(),
      purchasedCredits: z.int(),
    }),
  }),
  getCreditInfo: endpoint('GET /api/credits', {
    summary: 'Returns your balance, or the team’s: purchased credits and the rest of the monthly allowance.',
    keyRight: 'search',
    output: z.object({ credits: creditInfoSchema }),
  }),
  getMonthlyUsage: endpoint('GET /api/credits/monthly-usage', {
    summary: 'Returns the allowance credits used in this billing cycle; null before the first cycle.',
    keyRight: 'search',
    output: z.object({ usage: monthlyUsageSchema.nullable() }),
  }),
  listTransactions: endpoint('GET /api/credits/transactions', {
    summary:
      'Lists your credit transactions, newest first. In a team: those of your own calls, and for admins everyone’s.',
    input: z.object({
      ...filters,
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(limits.creditTransactionsShellMax)
        .default(limits.creditTransactionsDefault),
    }),
    output: z.object({ transactions: z.array(creditTransactionSchema) }),
  }),
  exportTransactions: endpoint('GET /api/credits/transactions.csv', {
    summary: 'Returns your newest 10,000 credit transactions as CSV (RFC 4180).',
    input: z.object(filters),
    output: z.custom<AsyncIterable<Uint8Array>>(),
    attachment: { mediaType: 'text/csv; charset=utf-8; header=present', fileName: 'credit-transactions.csv' },
  }),
  getMemberUsage: endpoint('GET /api/teams/:teamId/member-usage', {
    summary:
      'Returns the credits that each member has used since the team’s billing cycle began; only yours unless you are an admin.',
    input: z.object({ teamId: z.string().min(1).max(100) }),
    output: z.object({
      /** Start of the cycle. */
      since: z.int(),
      members: z.array(memberUsageSchema),
    }),
  }),
  getUsage: endpoint('GET /api/credits/usage', {
    summary: 'Returns searches, reads, credits and tokens for each of the last days (UTC), oldest first.',
    input: z.object({
      days: z.coerce.number().int().min(1).max(limits.usageDaysMax).default(limits.usageDaysDefault),
    }),
    output: z.object({ days: z.array(usageDaySchema) }),
  }),
  getSavings: endpoint('GET /api/credits/savings', {
    summary:
      'Returns the tokens saved by the last days’ calls, in total, by key and by conversation. In a team, admins get everyone’s.',
    input: z.object({
      days: z.coerce.number().int().min(1).max(limits.usageDaysMax).default(limits.usageDaysDefault),
    }),
    output: z.object({ savings: savingsLedgerSchema }),
  }),
};
