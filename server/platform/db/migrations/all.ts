import { foundation } from './0001-foundation.ts';
import { identity } from './0002-identity.ts';
import { credits } from './0003-credits.ts';
import { connections } from './0005-connections.ts';
import { teams } from './0006-teams.ts';
import { billing } from './0008-billing.ts';
import { agentTeams } from './0009-agent-teams.ts';
import { teamSignOn } from './0010-team-sign-on.ts';
import { sourceCredentials } from './0011-source-credentials.ts';
import { repositories } from './0012-repositories.ts';
import { hosting } from './0013-hosting.ts';
import { pdfSets } from './0014-pdf-sets.ts';
import { jobLog } from './0016-job-log.ts';
import { chat } from './0017-chat.ts';
import { status } from './0018-status.ts';
import { profile } from './0019-profile.ts';
import { indexRequests } from './0020-index-requests.ts';
import { conf } from './0021-conf.ts';
import { agents } from './0022-agents.ts';
import { callKeys } from './0023-call-keys.ts';
import { repositoryWebhooks } from './0026-repository-webhooks.ts';
import { sources } from './0027-sources.ts';
import { waitingMails } from './0028-waiting-mails.ts';
import { clusterSegments } from './0029-cluster-segments.ts';
import { paidTime } from './0030-paid-time.ts';
import { codesKnowTheirSession } from './0034-codes-know-their-session.ts';
import { blobDeletions } from './0041-blob-deletions.ts';
import { disabledAccounts } from './0050-disabled-accounts.ts';
import { keyRights } from './0051-key-rights.ts';
import { callDays } from './0052-call-days.ts';
import { pageRetries } from './0053-page-retries.ts';
import { signOnChecks } from './0054-sign-on-checks.ts';
import { leftWebhooks } from './0055-left-webhooks.ts';
import type { Migration } from './migration.ts';

/** In the order they are applied. New ones go last. */
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
];
