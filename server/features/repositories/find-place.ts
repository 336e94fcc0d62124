import type { SourceSecret } from '#contract/source-credentials.ts';
import { sourceRefused } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import type { SourceOf } from '#server/features/catalog/index.ts';
import {
  type FoundRef,
  type GitCredential,
  GitError,
  type GitRemote,
  type RemoteRefs,
} from '#server/platform/git/index.ts';
import type { CredentialUse, RepositoryDependencies } from './dependencies.ts';

/** Returns the remote of a source, with its credential opened. */
export async function remoteOf(
  ctx: Context,
  { url, credentialId }: SourceOf<'git'>,
  { workspace, readsFiles }: Pick<CredentialUse, 'workspace' | 'readsFiles'>,
  deps: RepositoryDependencies,
): Promise<GitRemote> {
  if (credentialId === undefined) return { url };
  return { url, credential: await deps.openCredential(ctx, { credentialId, workspace, url, readsFiles }) };
}

/** The part of a repository that a source refers to, at its newest revision. */
interface FoundPlace {
  ref: FoundRef;
  folder: string | undefined;
}

/**
 * Finds the branch or tag of a source. In an address with `…/tree/a/b/c`, the branch or tag may be `a`, `a/b` or
 * `a/b/c`, followed by a folder: only the repository can tell. Throws GitError if none of these exist.
 */
export async function findPlace(
  remote: GitRemote,
  { ref, folder }: Pick<SourceOf<'git'>, 'ref' | 'folder'>,
  { git }: Pick<RepositoryDependencies, 'git'>,
  signal?: AbortSignal,
): Promise<FoundPlace> {
  try {
    return { ref: await git.findRef(remote, ref, signal), folder };
  } catch (error) {
    if (!(error instanceof GitError) || error.code !== 'ref-not-found' || ref === undefined) throw error;
    const place = placeIn(await git.listRefs(remote, signal), ref.name, folder);
    if (place === undefined) throw error;
    return place;
  }
}

function placeIn({ branches, tags }: RemoteRefs, name: string, folder: string | undefined): FoundPlace | undefined {
  const parts = [name, ...(folder?.split('/') ?? [])];
  for (let length = 1; length <= parts.length; length += 1) {
    const wanted = parts.slice(0, length).join('/');
    const rest = parts.slice(length).join('/') || undefined;
    const isIt = (one: { name: string }) => one.name === wanted;
    const branch = branches.find(isIt);
    if (branch) return { ref: { kind: 'branch', ...branch }, folder: rest };
    const tag = tags.find(isIt);
    if (tag) return { ref: { kind: 'tag', ...tag }, folder: rest };
  }
  return undefined;
}

/** Converts a stored secret to git's form; cookies and headers only work for sites. */
export function gitCredentialOf(secret: SourceSecret): GitCredential {
  switch (secret.kind) {
    case 'basic':
      return { kind: 'basic', username: secret.username, password: secret.password };
    case 'token':
      // Hosts that ignore the user name accept any; GitHub documents this one.
      return { kind: 'basic', username: secret.username || 'x-access-token', password: secret.token };
    case 'ssh-key':
      return { kind: 'ssh-key', privateKey: secret.privateKey };
    case 'header':
    case 'cookie': {
      const reason = `A ${secret.kind} does not give access to a repository. Store a token, a password or an SSH key instead.`;
      throw sourceRefused(reason);
    }
  }
}
