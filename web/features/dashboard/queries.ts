import { queryOptions } from '@tanstack/react-query';
import { insightEndpoints } from '#contract/insights.ts';
import { keyEndpoints } from '#contract/keys.ts';
import * as limits from '#contract/limits.ts';
import { endpointOptions } from '../../kit/endpoint-query.ts';
import { callApi } from '../../lib/api-client.ts';
import { creditInfoOptions, savingsOptions, transactionsOptions, usageOptions } from '../../lib/credit-queries.ts';
import { jobsOptions, modulesOptions } from '../../lib/library-queries.ts';

/**
 * The workspace's keys for the overview. Its key has the same prefix as other key queries, so that it is invalidated
 * with them.
 */
export function keyOverviewOptions(workspace: string) {
  return queryOptions({
    queryKey: ['apiKeys', workspace, 'overview'],
    queryFn: async ({ signal }) => (await callApi(keyEndpoints.listKeys, {}, signal, workspace)).keys,
  });
}

/** Reads whether an agent has called yet. */
export const agentCallOptions = (workspace: string) =>
  endpointOptions(insightEndpoints.listAgentCalls, { limit: 1 }, workspace);

export const recentOptions = (workspace: string) =>
  transactionsOptions(workspace, { limit: limits.recentTransactions });

export const insightOptions = (workspace: string) =>
  endpointOptions(insightEndpoints.getInsights, { days: limits.usageDaysDefault }, workspace);

export const overviewQueries = (workspace: string) =>
  [
    keyOverviewOptions,
    agentCallOptions,
    creditInfoOptions,
    usageOptions,
    modulesOptions,
    jobsOptions,
    savingsOptions,
    recentOptions,
    insightOptions,
  ].map((optionsOf) => optionsOf(workspace));
