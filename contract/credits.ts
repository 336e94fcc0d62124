import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import * as limits from './limits.ts';
import { tiers } from './plans.ts';

/** Where people get more credits. */
export const upgradePath = '/subscribe';

export const transactionSources = ['subscription', 'usage', 'initial', 'purchase'] as const;
export type TransactionSource = (typeof transactionSources)[number];

export const creditTransactionSchema = z.object({
  id: z.string(),
  userId: z.string(),
  teamId: z.string().nullable(),
  /** Credits; below 0 where they were spent. */
  amount: z.int(),
  /** What the member's own account paid for a call in a team, below 0 as `amount` would be; then `amount` is 0. */
  userAccountAmount: z.int().nullable(),
  source: z.enum(transactionSources),
  isFromMonthlyAllowance: z.boolean(),
  timestamp: z.int(),
  details: z.string(),
  metadata: z.object({
    /** What the tool was called with. */
    args: z.record(z.string(), z.unknown()).optional(),
    apiKeyName: z.string().optional(),
    /** Of the response (o200k_base). */
    tokens: z.int().optional(),
    /** Addresses of pages in the response, the first ones of many. */
    pages: z.array(z.string()).optional(),
    userEmail: z.string().optional(),
    /** Display name. */
    user: z.string().optional(),
  }),
});
export type CreditTransaction = z.infer<typeof creditTransactionSchema>;

/** What was paid or received: a team that paid nothing for a call shows what the member's own account paid. */
export function amountOf({
  amount,
  userAccountAmount,
}: Pick<CreditTransaction, 'amount' | 'userAccountAmount'>): number {
  return amount === 0 ? (userAccountAmount ?? 0) : amount;
}

export const creditInfoSchema = z.object({
  tier: z.enum(tiers),
  /** The operator of an installation is not charged on it, and no one is where credits are off. */
  isUnlimited: z.boolean(),
  /** This installation does not charge for calls. */
  areCreditsOff: z.boolean(),
  purchasedCredits: z.int(),
  /** Credits of the billing cycle that was paid for last. */
  monthlyAllowance: z.int(),
  monthlyCreditsUsed: z.int(),
  monthlyCreditsRemaining: z.int(),
  totalCreditsAvailable: z.int(),
  /** When the next allowance is paid for; null without one, after a cancellation and after a failed payment. */
  renewsAt: z.int().nullable(),
});
export type CreditInfo = z.infer<typeof creditInfoSchema>;

export const monthlyUsageSchema = z.object({
  userId: z.string().nullable(),
  teamId: z.string().nullable(),
  year: z.int(),
  /** 1 to 12: the month the cycle began in. */
  month: z.int(),
  /** Day of the month of the subscription's start, 1 to 31. */
  day: z.int(),
  creditsUsed: z.int(),
});
export type MonthlyUsage = z.infer<typeof monthlyUsageSchema>;

/** What the calls of one day (UTC) were, cost and saved. */
export const usageDaySchema = z.object({
  /** Beginning of the day. */
  at: z.int(),
  searches: z.int(),
  /** Searches that found something; a retry is none. */
  answeredSearches: z.int(),
  reads: z.int(),
  credits: z.int(),
  /** Tokens (o200k_base) of the answers. */
  tokensSent: z.int(),
  /** Tokens of the whole pages that the answers were taken from. */
  wholePageTokens: z.int(),
  /** Tokens of passages not sent again because the conversation had them. */
  withheldTokens: z.int(),
});
export type UsageDay = z.infer<typeof usageDaySchema>;

/** What the calls of one member of a team took in this billing cycle. */
export const memberUsageSchema = z.object({
  userId: z.string(),
  /** Display name, else address; null for an account that has been deleted. */
  user: z.string().nullable(),
  userEmail: z.string().nullable(),
  /** From the team's pool. */
  creditsUsed: z.int(),
  /** From the member's own account, for lack of a paid seat. */
  accountCreditsUsed: z.int(),
});
export type MemberUsage = z.infer<typeof memberUsageSchema>;

/** What calls together sent, and what they saved against the baseline. Tokens are o200k_base. */
const savingsSchema = z.object({
  searches: z.int(),
  /** Searches that found something, without retries: each would have cost the baseline. */
  answeredSearches: z.int(),
  reads: z.int(),
  /** Of searches and reads. */
  tokensSent: z.int(),
  wholePageTokens: z.int(),
  withheldTokens: z.int(),
  /** `answeredSearches` times the baseline, minus `tokensSent`; not below 0. */
  savedTokens: z.int(),
});
export type SavingsSum = z.infer<typeof savingsSchema>;

/** Of one key, application or conversation, or of the calls that had none. */
export const savingsRowSchema = savingsSchema.extend({
  id: z.string().nullable(),
  /** Of the key or application, or as the agent's client calls itself; null where it is not known any more. */
  name: z.string().nullable(),
  lastAt: z.int(),
});
export type SavingsRow = z.infer<typeof savingsRowSchema>;

export const savingsLedgerSchema = z.object({
  /** Beginning of the first day, UTC. */
  since: z.int(),
  /** Tokens that one look-up costs an agent without a documentation search. */
  baselineTokens: z.int(),
  /** Of the workspace: yours, or in a team those that you may see. */
  total: savingsSchema,
  /** Most saved first. */
  keys: z.array(savingsRowSchema),
  /** The last conversations, newest first. */
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
  adjustCredits: endpoint({
    method: 'POST',
    path: '/api/credits/adjust',
    summary: 'Operator: grants credits to a user or a team, or takes them back.',
    access: 'operator',
    input: z.object({
      /** An email address, or the id of an account or a team. */
      whose: z.string().trim().min(1).max(limits.emailCharactersMax),
      /** Below 0 takes; never more than there are. */
      amount: z
        .int()
        .min(-limits.creditsAdjustedMax)
        .max(limits.creditsAdjustedMax)
        .refine((amount) => amount !== 0, 'must not be 0'),
    }),
    output: z.object({
      payer: z.string(),
      /** What was given; below 0 what was taken. */
      amount: z.int(),
      purchasedCredits: z.int(),
    }),
  }),
  getCreditInfo: endpoint({
    method: 'GET',
    path: '/api/credits',
    summary: 'Returns your balance, or the team’s: purchased credits and the rest of the monthly allowance.',
    keyRight: 'search',
    input: z.object({}),
    output: z.object({ credits: creditInfoSchema }),
  }),
  getMonthlyUsage: endpoint({
    method: 'GET',
    path: '/api/credits/monthly-usage',
    summary: 'Returns the allowance credits used in this billing cycle; null before the first cycle.',
    keyRight: 'search',
    input: z.object({}),
    output: z.object({ usage: monthlyUsageSchema.nullable() }),
  }),
  listTransactions: endpoint({
    method: 'GET',
    path: '/api/credits/transactions',
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
  exportTransactions: endpoint({
    method: 'GET',
    path: '/api/credits/transactions.csv',
    summary: 'Returns your newest 10,000 credit transactions as CSV (RFC 4180).',
    input: z.object(filters),
    output: z.string(),
    attachment: { mediaType: 'text/csv; charset=utf-8; header=present', fileName: 'credit-transactions.csv' },
  }),
  getMemberUsage: endpoint({
    method: 'GET',
    path: '/api/teams/:teamId/member-usage',
    summary:
      'Returns the credits that each member has used since the team’s billing cycle began; only yours unless you are an admin.',
    input: z.object({ teamId: z.string().min(1).max(100) }),
    output: z.object({
      /** Beginning of the cycle. */
      since: z.int(),
      members: z.array(memberUsageSchema),
    }),
  }),
  getUsage: endpoint({
    method: 'GET',
    path: '/api/credits/usage',
    summary: 'Returns searches, reads, credits and tokens for each of the last days (UTC), oldest first.',
    input: z.object({
      days: z.coerce.number().int().min(1).max(limits.usageDaysMax).default(limits.usageDaysDefault),
    }),
    output: z.object({ days: z.array(usageDaySchema) }),
  }),
  getSavings: endpoint({
    method: 'GET',
    path: '/api/credits/savings',
    summary:
      'Returns the tokens saved by the last days’ calls, in total, by key and by conversation. In a team, admins get everyone’s.',
    input: z.object({
      days: z.coerce.number().int().min(1).max(limits.usageDaysMax).default(limits.usageDaysDefault),
    }),
    output: z.object({ savings: savingsLedgerSchema }),
  }),
};
