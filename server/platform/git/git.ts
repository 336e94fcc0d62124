import { type FetchedTree, fetchTree } from './fetch-tree.ts';
import { GitError } from './git-error.ts';
import { fullNameOf, type GitRef, type GitRemote, parseRemote } from './git-remote.ts';
import { type FoundRef, findRef, listRefs, type RemoteRefs } from './remote-refs.ts';
import { runGit } from './run-program.ts';
import { type GitOptions, gitLimits, openSession, type Session } from './session.ts';
import { sweepWorkFolders } from './work-folder.ts';

/**
 * Reads remote repositories with the git program. Every error is a GitError or OutboundError, or the signal's reason.
 */
export interface Git {
  /** Returns the commit that a branch or tag, by default the default branch, currently points to. */
  findRef(remote: GitRemote, ref?: GitRef, signal?: AbortSignal): Promise<FoundRef>;
  listRefs(remote: GitRemote, signal?: AbortSignal): Promise<RemoteRefs>;
  /**
   * Fetches the newest commit of a branch or tag with its file names; contents only on request. A ref that was found
   * before is not looked up again.
   */
  fetchTree(
    remote: GitRemote,
    wanted: { ref?: GitRef | FoundRef; folder?: string; signal?: AbortSignal },
  ): Promise<FetchedTree>;
  /** Removes files left by killed processes. */
  sweep(): Promise<void>;
}

export function createGit(options: GitOptions): Git {
  const limits = { ...gitLimits, ...options.limits };
  const open = (remote: GitRemote, signal?: AbortSignal) => openSession(options, limits, remote, signal);
  let checked: Promise<void> | undefined;
  const check = () => {
    checked ??= checkVersion(options).catch((error: unknown) => {
      checked = undefined;
      throw error;
    });
    return checked;
  };
  return {
    async findRef(remote, ref, signal) {
      refuseBadNames(remote, ref);
      await check();
      return using(await open(remote, signal), (session) => findRef(session, ref));
    },
    async listRefs(remote, signal) {
      refuseBadNames(remote);
      await check();
      return using(await open(remote, signal), (session) => listRefs(session));
    },
    async fetchTree(remote, { ref, folder, signal }) {
      refuseBadNames(remote, ref);
      await check();
      const session = await open(remote, signal);
      try {
        return await fetchTree(session, ref, folder);
      } catch (error) {
        await session.close();
        throw error;
      }
    },
    sweep: () => sweepWorkFolders(options.workFolder),
  };
}

/** Checked before any process starts. */
function refuseBadNames({ url }: GitRemote, ref?: GitRef): void {
  parseRemote(url);
  if (ref) fullNameOf(ref);
}

async function using<T>(session: Session, work: (session: Session) => Promise<T>): Promise<T> {
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

async function checkVersion({ searchPath }: GitOptions): Promise<void> {
  const env = { PATH: searchPath, LC_ALL: 'C', GIT_CONFIG_NOSYSTEM: '1' };
  const call = { args: ['version'], env, cwd: '/', timeoutMs: 10_000, outputBytesMax: 10_000 };
  const { output } = await runGit(call);
  const found = /git version (\d+)\.(\d+)/.exec(output.toString());
  if (!found) throw gitMissing();
  const [major, minor] = [Number(found[1]), Number(found[2])];
  if (major < 2 || (major === 2 && minor < 31)) {
    throw new GitError(
      'git-too-old',
      `The program git on this server is version ${major}.${minor}; repositories need 2.31 or newer. Update it and start again.`,
    );
  }
}

function gitMissing(): GitError {
  return new GitError(
    'git-missing',
    'Repositories are read with the program git, which is not on the PATH of this server. Install git 2.31 or newer and start again.',
  );
}
