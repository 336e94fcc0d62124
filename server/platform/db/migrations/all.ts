import { foundation } from './0001-foundation.ts';
import { identity } from './0002-identity.ts';
import { credits } from './0003-credits.ts';
import { connections } from './0005-connections.ts';
import { teams } from './0006-teams.ts';
import { billing } from './0008-billing.ts';
import { repositories } from './0012-repositories.ts';
import { hosting } from './0013-hosting.ts';
import { pdfSets } from './0014-pdf-sets.ts';
import { chat } from './0017-chat.ts';
import { status } from './0018-status.ts';
import { profile } from './0019-profile.ts';
import { indexRequests } from './0020-index-requests.ts';
import { agents } from './0022-agents.ts';
import { callDays } from './0052-call-days.ts';
import {
  agentTeams,
  blobDeletions,
  callKeys,
  clusterSegments,
  codesKnowTheirSession,
  conf,
  disabledAccounts,
  jobLog,
  keyRights,
  leftWebhooks,
  pageRetries,
  paidTime,
  profileCounts,
  repositoryWebhooks,
  signOnChecks,
  sourceCredentials,
  sources,
  teamSignOn,
  waitingMails,
} from './additions.ts';
import type { Migration } from './migration.ts';

/** In the order of application. New migrations go last. */
export const migrations: Migration[] = [
  foundation,
  identity,
  credits,
  connections,
  teams,
  billing,
  agentTeams,
  teamSignOn,
  sourceCredentials,
  repositories,
  hosting,
  pdfSets,
  jobLog,
  chat,
  status,
  profile,
  indexRequests,
  conf,
  agents,
  callKeys,
  repositoryWebhooks,
  sources,
  waitingMails,
  clusterSegments,
  paidTime,
  codesKnowTheirSession,
  blobDeletions,
  disabledAccounts,
  keyRights,
  callDays,
  pageRetries,
  signOnChecks,
  leftWebhooks,
  profileCounts,
];
