import { join } from 'node:path';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { type HostingDependencies, isHostedCredential, openHostedCredential } from '#server/features/hosting/index.ts';
import type { LibraryNotices } from '#server/features/library/index.ts';
import { createKnownHosts, gitCredentialOf, type RepositoryDependencies } from '#server/features/repositories/index.ts';
import { openCredential } from '#server/features/source-credentials/index.ts';
import { createGit } from '#server/platform/git/index.ts';
import { createGuardedExit } from '#server/platform/outbound/index.ts';
import type { SealingKeys } from '#server/platform/sealing.ts';

/** Opens what repositories are read with. */
export function wireRepositories(
  { allowHosts, searchPath, dataFolder }: Pick<Config, 'allowHosts' | 'searchPath' | 'dataFolder'>,
  parts: {
    base: Pick<Context, 'db' | 'clock'>;
    userAgent: string;
    notices: LibraryNotices;
    sealingKeys: SealingKeys;
    hosting: HostingDependencies;
  },
): { repositories: RepositoryDependencies; close(): Promise<void> } {
  const { base, userAgent, notices, sealingKeys, hosting } = parts;
  const exit = createGuardedExit({ allowHosts });
  const workFolder = join(dataFolder, 'git');
  const git = createGit({ exit, knownHosts: createKnownHosts(base), workFolder, searchPath, userAgent });
  return {
    repositories: {
      git,
      notices,
      async openCredential(ctx, use) {
        if (isHostedCredential(use.credentialId))
          return { kind: 'basic', ...(await openHostedCredential(ctx, use, hosting)) };
        return gitCredentialOf((await openCredential(ctx, use, { sealingKeys })).secret);
      },
    },
    close: () => exit.close(),
  };
}
