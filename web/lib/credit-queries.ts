import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { creditEndpoints, type UsageDay } from '#contract/credits.ts';
import type { InputOf } from '#contract/endpoint.ts';
import * as limits from '#contract/limits.ts';
import { savedTokensOf } from '#contract/savings.ts';
import { callApi } from './api-client.ts';

export function creditInfoOptions(workspace: string) {
  return queryOptions({
    queryKey: ['credits', workspace, 'info'],
    queryFn: async ({ signal }) => (await callApi(creditEndpoints.getCreditInfo, {}, signal, workspace)).credits,
  });
}

export type TransactionQuery = InputOf<typeof creditEndpoints.listTransactions>;

/** Keeps the previous rows visible while other filters load. */
export function transactionsOptions(workspace: string, query: TransactionQuery) {
  return queryOptions({
    queryKey: ['credits', workspace, 'transactions', query],
    queryFn: async ({ signal }) =>
      (await callApi(creditEndpoints.listTransactions, query, signal, workspace)).transactions,
    placeholderData: keepPreviousData,
  });
}

/** Usage of the last 30 days, oldest first. */
export function usageOptions(workspace: string) {
  return queryOptions({
    queryKey: ['credits', workspace, 'usage'],
    queryFn: async ({ signal }) =>
      (await callApi(creditEndpoints.getUsage, { days: limits.usageDaysDefault }, signal, workspace)).days,
  });
}

/** Savings of the last 30 days, by key and conversation. */
export function savingsOptions(workspace: string) {
  return queryOptions({
    queryKey: ['credits', workspace, 'savings'],
    queryFn: async ({ signal }) =>
      (await callApi(creditEndpoints.getSavings, { days: limits.usageDaysDefault }, signal, workspace)).savings,
  });
}

/** Each member's usage since the cycle began; kept current by the team's credit changes. */
export function memberUsageOptions(teamId: string) {
  return queryOptions({
    queryKey: ['credits', teamId, 'members'],
    queryFn: ({ signal }) => callApi(creditEndpoints.getMemberUsage, { teamId }, signal),
  });
}

/** Tokens saved, measured in two ways. */
export interface Savings {
  searches: number;
  reads: number;
  sent: number;
  wholePages: number;
  /** Tokens of the full pages minus tokens sent. */
  saved: number;
  /** Share of the full pages' tokens that was saved, 0 to 1. */
  savedShare: number;
  /** Baseline cost of the searches with results, minus tokens sent. */
  belowBaseline: number;
  withheld: number;
}

export function savingsOf(days: UsageDay[]): Savings {
  const sum = (read: (day: UsageDay) => number) => days.reduce((total, day) => total + read(day), 0);
  const sent = sum((day) => day.tokensSent);
  const wholePages = sum((day) => day.wholePageTokens);
  const saved = Math.max(0, wholePages - sent);
  return {
    searches: sum((day) => day.searches),
    reads: sum((day) => day.reads),
    sent,
    wholePages,
    saved,
    savedShare: wholePages === 0 ? 0 : saved / wholePages,
    belowBaseline: savedTokensOf(
      sum((day) => day.answeredSearches),
      sent,
    ),
    withheld: sum((day) => day.withheldTokens),
  };
}
