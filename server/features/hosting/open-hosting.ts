import { hostingEndpoints } from '#contract/hosting.ts';
import type { Context } from '#server/context.ts';
import type { Indexing } from '#server/features/indexing/index.ts';
import { createBackgroundWork } from '#server/platform/background-work.ts';
import { githubCodeHost } from '#server/platform/code-host/github/github-code-host.ts';
import { apiUrlOf } from '#server/platform/code-host/github/github-oauth.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Platform } from '#server/platform/open-platform.ts';
import type { Accounts } from '../accounts/index.ts';
import { bind, feature, serve } from '../feature.ts';
import type { Repositories } from '../repositories/index.ts';
import type { Teams } from '../teams/index.ts';
import { addRepository, removeRepository } from './add-repository.ts';
import { connectGithub, finishConnecting } from './connect.ts';
import {
  disconnectGithub,
  forgetConnection,
  pauseRepositoriesOfDisabled,
  pauseRepositoriesOfMember,
} from './disconnect.ts';
import { getHosting, listBranches, listInstallations, listRepositories } from './get-hosting.ts';
import { openHostedCredential } from './reading.ts';
import { receiveHostingEvent } from './receive-event.ts';
import { refreshRepositoryStats } from './refresh-stats.ts';
import { createRepositoryLists } from './repository-lists.ts';
import { findHostedOfModule, type HostedRow, listHosted } from './repository-store.ts';
import { resumeRepository } from './resume-repository.ts';
import { endRevocations } from './revocations.ts';
import { leaveWebhooks } from './webhooks.ts';

export type Hosting = ReturnType<typeof openHosting>;

interface Below {
  accounts: Accounts;
  teams: Teams;
  indexing: Indexing;
  repositories: Repositories;
}

/** Opens hosting: accounts at a code host, and the repositories that workspaces index from it. */
export function openHosting(platform: Platform, { accounts, teams, indexing, repositories }: Below) {
  const { config, clock, log, publicUrl, userAgent, sealingKeys, bus, scope } = platform;
  const host = config.codeHost;
  const outbound = platform.outboundTo(host === undefined ? [] : [host.url, apiUrlOf(host.url)]);
  // A separate instance, so that its work ends before the connections to the host are closed.
  const background = createBackgroundWork(log);
  scope.defer(() => background.settled());
  const needs = {
    codeHost: host && githubCodeHost(host, { outbound, userAgent, now: () => clock.now() }),
    publicUrl,
    sealingKeys,
    notices: indexing.notices,
    removeModule: indexing.removeModule,
    background,
    bus,
    lists: createRepositoryLists(),
    appWebhookSecret: host?.app?.webhookSecret,
  };
  accounts.linksEnded.on((tx, userId, now) => forgetConnection(tx, userId, now, needs));
  const leave = (tx: Transaction, rows: HostedRow[], now: number) => leaveWebhooks(tx, rows, now, needs);
  accounts.leaving.on(async (tx, userId, now) => {
    await leave(tx, await listHosted(tx, `user:${userId}`), now);
    await forgetConnection(tx, userId, now, needs);
  });
  teams.teamDeleted.first(async (tx, { id }, now) => leave(tx, await listHosted(tx, `team:${id}`), now));
  indexing.moduleRemoved.on(async (tx, { workspace, id }, now) => {
    const rows = await listHosted(tx, workspace);
    await leave(
      tx,
      rows.filter(({ moduleId }) => moduleId === id),
      now,
    );
  });
  accounts.disabled.on(pauseRepositoriesOfDisabled);
  teams.memberLeft.on(pauseRepositoriesOfMember);
  repositories.readHostedWith({
    openHostedCredential: (ctx, use) => openHostedCredential(ctx, use, needs),
    tellsPushes,
  });
  const verbs = bind(needs, {
    getHosting,
    connectGithub,
    finishConnecting,
    listInstallations,
    listRepositories,
    listBranches,
    addRepository,
    removeRepository,
    refreshRepositoryStats,
    resumeRepository,
    receiveHostingEvent,
  });
  return feature({
    name: 'hosting',
    verbs: { ...verbs, needs },
    endpoints: serve(hostingEndpoints, {
      getHosting: verbs.getHosting,
      connectGithub: verbs.connectGithub,
      disconnectGithub: (ctx) => disconnectGithub(ctx, needs),
      listInstallations: (ctx) => listInstallations(ctx, needs),
      listRepositories: verbs.listRepositories,
      listBranches: verbs.listBranches,
      addRepository: async (ctx, input) => ({ repository: await verbs.addRepository(ctx, input) }),
      removeRepository: verbs.removeRepository,
      refreshRepositoryStats: async (ctx, input) => ({ repository: await verbs.refreshRepositoryStats(ctx, input) }),
      resumeRepository: async (ctx, input) => ({ repository: await verbs.resumeRepository(ctx, input) }),
    }),
    scheduledJobs: [
      {
        name: 'revoke tokens and delete webhooks at the code host',
        where: 'worker',
        everyMs: 5 * 60_000,
        run: (ctx) => endRevocations(ctx, needs),
      },
    ],
    personalData: { codeHost: async (ctx) => (await verbs.getHosting(ctx, {})).connection },
  });
}

/**
 * Returns true if the host reports pushes of a module's repository; undefined if the module was not made from a
 * connected account's repository. The caller must have checked that the module can be read.
 */
async function tellsPushes(ctx: Pick<Context, 'db'>, moduleId: string): Promise<{ isTold: boolean } | undefined> {
  const row = await findHostedOfModule(ctx.db.query, moduleId);
  return row && { isTold: row.installationId !== null || row.webhookId !== null };
}
