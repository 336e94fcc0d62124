import { z } from 'zod';
import type { HostingInstallation } from '#contract/hosting.ts';
import type { HostRepository } from '../code-host.ts';

/** Restricted to web addresses, because it becomes a link. */
const webAddress = z.url({ protocol: /^https?$/ });

/** The parts of GitHub's responses that are read; other fields are dropped. */
export const repositoryAnswer = z.object({
  id: z.int(),
  full_name: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  html_url: webAddress,
  description: z.string().nullish(),
  private: z.boolean(),
  fork: z.boolean(),
  archived: z.boolean().default(false),
  default_branch: z.string(),
  /** Kilobytes. */
  size: z.number(),
  pushed_at: z.iso.datetime({ offset: true }).nullish(),
});

export function repositoryOf(answer: unknown, url: string): HostRepository {
  const said = repositoryAnswer.parse(answer);
  return {
    repositoryId: String(said.id),
    fullName: said.full_name,
    url: said.html_url,
    // Built from the configured address: a token is sent nowhere else.
    cloneUrl: `${url}/${said.full_name}.git`,
    description: said.description ?? null,
    isPrivate: said.private,
    isFork: said.fork,
    isArchived: said.archived,
    defaultBranch: said.default_branch,
    sizeBytes: Math.round(said.size * 1024),
    pushedAt: said.pushed_at ? Date.parse(said.pushed_at) : null,
  };
}

export const accountAnswer = z.object({ id: z.int(), login: z.string(), html_url: webAddress });

export const installationAnswer = z.object({
  id: z.int(),
  account: z.object({ login: z.string(), type: z.string().default('User') }),
  repository_selection: z.string().default('selected'),
  suspended_at: z.string().nullish(),
  html_url: webAddress,
});

export function installationOf(answer: unknown): HostingInstallation {
  const said = installationAnswer.parse(answer);
  return {
    installationId: String(said.id),
    accountLogin: said.account.login,
    accountKind: said.account.type === 'Organization' ? 'organization' : 'person',
    readsAllRepositories: said.repository_selection === 'all',
    isSuspended: Boolean(said.suspended_at),
    settingsUrl: said.html_url,
  };
}

export const refAnswer = z.object({ name: z.string() });

/** For an annotated tag this is the tag object's id, which GitHub resolves to its commit. */
export const refTargetAnswer = z.object({ object: z.object({ sha: z.string() }) });

export const treeAnswer = z.object({
  truncated: z.boolean(),
  tree: z.array(z.object({ path: z.string(), type: z.string() })),
});

export const hookAnswer = z.object({ id: z.int() });
export const hooksAnswer = z.array(hookAnswer.extend({ config: z.object({ url: z.string().optional() }) }));

const named = z.object({ id: z.int() });

/** An event of any kind; only ids are read. */
export const eventAnswer = z.object({
  action: z.string().optional(),
  repository: named.nullish(),
  installation: named.nullish(),
  sender: named.nullish(),
  repositories: z.array(named).optional(),
  repositories_added: z.array(named).optional(),
  repositories_removed: z.array(named).optional(),
});
