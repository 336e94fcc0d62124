import { creditEndpoints } from '../contract/credits.ts';
import { type Endpoint, type InputOf, toRequest } from '../contract/endpoint.ts';
import { insightEndpoints } from '../contract/insights.ts';
import { keyEndpoints } from '../contract/keys.ts';
import { libraryEndpoints } from '../contract/library.ts';
import * as limits from '../contract/limits.ts';
import { teamEndpoints } from '../contract/teams.ts';

const days = limits.usageDaysDefault;

/** The user data that all screens of a signed-in user read. */
export const firstCallsOfUser = [pathOf(teamEndpoints.listTeams, {}), pathOf(teamEndpoints.listMemberships, {})];

/**
 * The workspace data that a screen's first view reads, by the screen's path. The routes wait for the same calls
 * (`readFirstView`).
 */
export const firstCalls: Record<string, string[]> = {
  '/dashboard': [
    pathOf(keyEndpoints.listKeys, {}),
    pathOf(insightEndpoints.listAgentCalls, { limit: 1 }),
    pathOf(creditEndpoints.getCreditInfo, {}),
    pathOf(creditEndpoints.getUsage, { days }),
    pathOf(libraryEndpoints.listModules, {}),
    pathOf(libraryEndpoints.listJobs, { withCurrent: true }),
    pathOf(creditEndpoints.getSavings, { days }),
    pathOf(creditEndpoints.listTransactions, { limit: limits.recentTransactions }),
    pathOf(insightEndpoints.getInsights, { days }),
  ],
  '/search': [pathOf(libraryEndpoints.listModules, {})],
  '/welcome': [
    pathOf(libraryEndpoints.listModules, {}),
    pathOf(keyEndpoints.listKeys, {}),
    pathOf(libraryEndpoints.listJobs, { withCurrent: true }),
  ],
};

function pathOf<E extends Endpoint>(endpoint: E, input: InputOf<E>): string {
  return toRequest(endpoint, input as Record<string, unknown>).path;
}
