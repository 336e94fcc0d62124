import { onTestFinished } from 'vitest';
import { checkRepositories } from '#server/features/repositories/check-repositories.ts';
import { createRepositoryCollector } from '#server/features/repositories/collect-repository.ts';
import type { RepositoryDependencies } from '#server/features/repositories/dependencies.ts';
import { gitCredentialOf } from '#server/features/repositories/find-place.ts';
import { openCredential } from '#server/features/source-credentials/index.ts';
import { createSourceCredential } from '#server/features/source-credentials/source-credentials.ts';
import type { GitLimits } from '#server/platform/git/session.ts';
import { openTestGit } from '#test/services/git-client.ts';
import { type GitServer, startGitServer } from '#test/services/git-server.ts';
import { temporaryFolder } from '#test/services/temporary-folder.ts';
import { openRig, type Rig, type RigOptions } from './rig.ts';

/** A library that reads repositories, and a server that provides them. */
export interface RepositoryRig extends Rig {
  server: GitServer;
  repositories: RepositoryDependencies;
  /** The folder of its temporary repositories. */
  workFolder: string;
  /** Stores a token for the server in a workspace; returns its id. */
  storeToken(ctx: Rig['ctx'], token: string): Promise<string>;
  check(): Promise<number>;
}

export async function openRepositoryRig(
  options: RigOptions & { limits?: Partial<GitLimits> } = {},
): Promise<RepositoryRig> {
  const server = await startGitServer(temporaryFolder());
  onTestFinished(() => server.stop());
  const allowHosts = [server.host];
  const rig = await openRig({ ...options, allowHosts });
  const { git, exit, workFolder } = openTestGit({ allowHosts, limits: options.limits });
  onTestFinished(() => exit.close());
  const sealing = { sealingKeys: [new Uint8Array(32).fill(7)] as const, allowHosts };
  const repositories: RepositoryDependencies = {
    git,
    notices: rig.notices,
    openCredential: async (ctx, use) => gitCredentialOf((await openCredential(ctx, use, sealing)).secret),
  };
  rig.deps.collectors = { git: createRepositoryCollector(repositories) };
  return {
    ...rig,
    ...{ server, repositories, workFolder },
    async storeToken(ctx, token) {
      const secret = { kind: 'token' as const, token };
      return (await createSourceCredential(ctx, { url: server.origin, secret }, sealing)).id;
    },
    check: () => checkRepositories(rig.ctx, repositories),
  };
}
