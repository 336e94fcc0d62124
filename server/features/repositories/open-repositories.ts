import { join } from 'node:path';
import { repositoryEndpoints } from '#contract/repositories.ts';
import type { Context } from '#server/context.ts';
import { hostedIdOf } from '#server/features/catalog/index.ts';
import type { Indexing } from '#server/features/indexing/index.ts';
import { createGit, type KnownHosts } from '#server/platform/git/index.ts';
import type { Platform } from '#server/platform/open-platform.ts';
import { createGuardedExit } from '#server/platform/outbound/index.ts';
import { feature, serve } from '../feature.ts';
import { openCredential } from '../source-credentials/index.ts';
import { checkRepositories } from './check-repositories.ts';
import { createRepositoryCollector } from './collect-repository.ts';
import type { CredentialUse, RepositoryDependencies } from './dependencies.ts';
import { gitCredentialOf } from './find-place.ts';
import { forgetHostKey } from './forget-host-key.ts';
import { listRepositories } from './list-repositories.ts';
import { pushedTopic, receivePush } from './receive-push.ts';
import {
  getRepositoryWebhook,
  removeRepositoryWebhook,
  renewRepositoryWebhook,
  type WebhookDependencies,
} from './repository-webhook.ts';
import { keepKnownKeys, readKnownKeys } from './store.ts';

export type Repositories = ReturnType<typeof openRepositories>;

/** Access to repositories chosen at a code host, provided by a feature above. */
interface HostedRepositories {
  openHostedCredential(
    ctx: Context,
    use: Omit<CredentialUse, 'credentialId'> & { hostedId: string },
  ): Promise<{ username: string; password: string }>;
  tellsPushes: WebhookDependencies['toldByHost'];
}

const lookForDueEveryMs = 5_000;

/** Opens the sources that are git repositories. */
export function openRepositories(
  { config, db, clock, publicUrl, userAgent, sealingKeys, bus, scope }: Platform,
  { indexing }: { indexing: Indexing },
) {
  const { allowHosts, searchPath, dataFolder } = config;
  const exit = createGuardedExit({ allowHosts });
  scope.defer(() => exit.close());
  const knownHosts = createKnownHosts({ db, clock });
  const git = createGit({ exit, knownHosts, workFolder: join(dataFolder, 'git'), searchPath, userAgent });
  let hosted: HostedRepositories | undefined;
  const needs: RepositoryDependencies = {
    git,
    notices: indexing.notices,
    async openCredential(ctx, use) {
      const hostedId = hostedIdOf(use.credentialId);
      if (hostedId !== undefined && hosted !== undefined) {
        return { kind: 'basic', ...(await hosted.openHostedCredential(ctx, { ...use, hostedId })) };
      }
      return gitCredentialOf((await openCredential(ctx, use, { sealingKeys })).secret);
    },
  };
  const webhooks: WebhookDependencies = {
    sealingKeys,
    publicUrl,
    toldByHost: async (ctx, moduleId) => hosted?.tellsPushes(ctx, moduleId),
  };
  indexing.collectWith('git', createRepositoryCollector(needs));
  return feature({
    name: 'repositories',
    verbs: {
      /** Registers the access to a code host's repositories with its credentials. */
      readHostedWith: (reader: HostedRepositories) => void (hosted = reader),
      receivePush: (ctx: Context, delivery: Parameters<typeof receivePush>[1]) =>
        receivePush(ctx, delivery, { sealingKeys }),
    },
    endpoints: serve(repositoryEndpoints, {
      listRepositories: async (ctx) => ({ repositories: await listRepositories(ctx) }),
      getRepositoryWebhook: (ctx, input) => getRepositoryWebhook(ctx, input, webhooks),
      renewRepositoryWebhook: (ctx, input) => renewRepositoryWebhook(ctx, input, webhooks),
      removeRepositoryWebhook,
      forgetHostKey,
    }),
    scheduledJobs: [
      {
        name: 'check repositories',
        where: 'worker',
        everyMs: lookForDueEveryMs,
        wakeOn: (wake) => bus.subscribe(pushedTopic, wake),
        run: (ctx, signal) => checkRepositories(ctx, needs, signal),
      },
    ],
    beforeServing: () => git.sweep(),
  });
}

/** Stores SSH host keys in the database, so that all processes share them. */
function createKnownHosts({ db, clock }: Pick<Context, 'db' | 'clock'>): KnownHosts {
  return {
    read: (host) => readKnownKeys(db.query, host),
    keep: (host, lines) => keepKnownKeys(db.query, { host, knownKeys: lines, now: clock.now() }),
  };
}
