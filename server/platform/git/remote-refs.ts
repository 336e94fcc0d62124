import { nameLine } from '#contract/name-line.ts';
import { inTurn } from '../in-turn.ts';
import { GitError } from './git-error.ts';
import { fullNameOf, type GitRef } from './git-remote.ts';
import type { Session } from './session.ts';

/** A branch or tag with the id of its commit. */
export interface FoundRef extends GitRef {
  revision: string;
}

export interface RemoteRefs {
  /** Name of the default branch; undefined if that branch does not exist. */
  defaultBranch: string | undefined;
  branches: { name: string; revision: string }[];
  tags: { name: string; revision: string }[];
}

/** Returns the commit that a name, by default `HEAD`, points to. */
export async function findRef(session: Session, ref: GitRef | undefined): Promise<FoundRef> {
  const name = ref && fullNameOf(ref);
  const patterns = name === undefined ? ['HEAD'] : ref?.kind === 'tag' ? [name, `${name}^{}`] : [name];
  const { names, head } = await lsRemote(session, patterns);
  // For an annotated tag, the name with ^{} points to its commit.
  const revision = name === undefined ? names.get('HEAD') : (names.get(`${name}^{}`) ?? names.get(name));
  if (revision !== undefined) {
    return ref ? { ...ref, revision } : { kind: 'branch', name: head?.slice('refs/heads/'.length) ?? 'HEAD', revision };
  }
  throw refMissing(await listRefs(session), ref);
}

function refMissing(refs: RemoteRefs, ref: GitRef | undefined): GitError {
  const { branches, tags } = refs;
  if (branches.length === 0 && tags.length === 0) {
    return new GitError('repository-empty', 'The repository is empty. Push something to it and index it again.');
  }
  const names = (ref?.kind === 'tag' && tags.length > 0 ? tags : branches).map(({ name }) => name);
  const shown = `${names.slice(0, 5).map(nameLine).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;
  const what = ref ? `no ${ref.kind} "${ref.name}" in the repository` : 'no branch with the name of its default branch';
  return new GitError('ref-not-found', `There is ${what}. Choose one of: ${shown || 'its tags'}.`);
}

/** Returns all branches and tags. */
export async function listRefs(session: Session): Promise<RemoteRefs> {
  const { names, head } = await lsRemote(session, ['HEAD', 'refs/heads/*', 'refs/tags/*']);
  const below = (prefix: string) =>
    [...names.keys()]
      .filter((name) => name.startsWith(prefix) && !name.endsWith('^{}'))
      .map((name) => ({
        name: name.slice(prefix.length),
        revision: names.get(`${name}^{}`) ?? names.get(name) ?? '',
      }));
  const defaultBranch = names.has('HEAD') ? head?.slice('refs/heads/'.length) : undefined;
  return { defaultBranch, branches: below('refs/heads/'), tags: below('refs/tags/') };
}

async function lsRemote(
  session: Session,
  patterns: string[],
): Promise<{ names: Map<string, string>; head: string | undefined }> {
  const args = ['ls-remote', '--symref', '--', 'origin', ...patterns];
  const { output } = await session.remote({ args, timeoutMs: session.limits.listTimeoutMs });
  const names = new Map<string, string>();
  let head: string | undefined;
  for await (const line of inTurn(output.toString('utf8').split('\n'))) {
    const [value = '', name = ''] = line.split('\t');
    if (name === 'HEAD' && value.startsWith('ref: refs/heads/')) head = value.slice('ref: '.length);
    else if (/^[0-9a-f]{40,64}$/.test(value)) names.set(name, value);
  }
  return { names, head };
}
