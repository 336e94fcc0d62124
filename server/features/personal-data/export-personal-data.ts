import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import {
  actingUser,
  getAccountDetails,
  listActionsOf,
  listSessions,
  presentUser,
  requirePerson,
} from '#server/features/accounts/index.ts';
import { exportChats } from '#server/features/chat/index.ts';
import { listConnections } from '#server/features/connections/index.ts';
import { listTransactionsOfPerson } from '#server/features/credits/index.ts';
import { getHosting, type HostingDependencies } from '#server/features/hosting/index.ts';
import { listIndexRequests } from '#server/features/index-requests/index.ts';
import { listKeysOfMaker } from '#server/features/keys/index.ts';
import { getPrivateIndex } from '#server/features/library/index.ts';
import { listPdfSets } from '#server/features/pdf-sets/index.ts';
import { listProfiles } from '#server/features/profile/index.ts';
import { listCallsOf } from '#server/features/search/index.ts';
import { listSourceCredentials } from '#server/features/source-credentials/index.ts';
import { type AccountCredits, listMemberships } from '#server/features/teams/index.ts';
import type { SealingKeys } from '#server/platform/sealing.ts';

export interface PersonalDataDependencies {
  sealingKeys: SealingKeys;
  bucketName: string;
  accountCredits: AccountCredits;
  hosting: HostingDependencies;
}

/**
 * All that is kept of the acting person, as the text of a JSON file: what their screens show and what was recorded of
 * what they did. Of keys, credentials and sessions it says that they exist; secrets are in no export.
 */
export async function exportPersonalData(ctx: Context, deps: PersonalDataDependencies): Promise<string> {
  const userId = requirePerson(ctx);
  const user = await actingUser(ctx);
  if (user === undefined) throw new AppError('unauthenticated');
  // Whatever team one acts in: this is about the person.
  const { membership: _, ...rest } = ctx;
  const own: Context = { ...rest, workspace: `user:${userId}` };
  const data = {
    account: { ...(await presentUser(own, user)), ...(await getAccountDetails(own)) },
    sessions: await listSessions(own),
    teams: await listMemberships(own, deps),
    apiKeys: await listKeysOfMaker(own, deps.sealingKeys),
    applications: await listConnections(own),
    codeHost: (await getHosting(own, {}, deps.hosting)).connection,
    credits: await listTransactionsOfPerson(own),
    index: await getPrivateIndex(own),
    pdfSets: (await listPdfSets(own, deps)).sets,
    sourceCredentials: await listSourceCredentials(own),
    indexRequests: await listIndexRequests(own),
    projects: await listProfiles(own),
    agentCalls: await listCallsOf(own.db.query, userId),
    chats: (JSON.parse(await exportChats(own)) as { chats: unknown }).chats,
    actions: await listActionsOf(own.db.query, userId),
  };
  return `${JSON.stringify(data, null, 2)}\n`;
}
