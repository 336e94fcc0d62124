import { createGit, type Git, type KnownHosts } from '#server/platform/git/index.ts';
import type { GitLimits } from '#server/platform/git/session.ts';
import type { NetworkPolicy } from '#server/platform/outbound/address-guard.ts';
import type { Resolve } from '#server/platform/outbound/checked-lookup.ts';
import { createGuardedExit, type GuardedExit } from '#server/platform/outbound/index.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface TestGit {
  git: Git;
  exit: GuardedExit;
  /** The folder of its temporary repositories. */
  workFolder: string;
  /** `known_hosts` lines by host. */
  hosts: Map<string, string>;
}

/** Opens git as the product runs it, with its own work folder. Close `exit` afterwards. */
export function openTestGit(
  options: {
    allowHosts?: string[];
    policy?: NetworkPolicy;
    resolve?: Resolve;
    limits?: Partial<GitLimits>;
    searchPath?: string;
  } = {},
): TestGit {
  const { allowHosts = [], policy, resolve, limits } = options;
  const exit = createGuardedExit({ allowHosts, policy, resolve, connectTimeoutMs: 2_000 });
  const hosts = new Map<string, string>();
  const knownHosts: KnownHosts = {
    read: async (host) => hosts.get(host),
    keep: async (host, lines) => void hosts.set(host, hosts.get(host) ?? lines),
  };
  const workFolder = temporaryFolder();
  const searchPath = options.searchPath ?? process.env['PATH'] ?? '';
  const git = createGit({ exit, knownHosts, workFolder, searchPath, userAgent: 'SampleBot/1', limits });
  return { git, exit, workFolder, hosts };
}
