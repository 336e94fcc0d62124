import { type BlobReader, parseTree, type TreeEntry } from './fetched-tree.ts';
import { GitError } from './git-error.ts';
import { fullNameOf, type GitRef } from './git-remote.ts';
import { type FoundRef, findRef } from './remote-refs.ts';
import type { Session } from './session.ts';

/** The files of one revision, without a work tree. Must be closed. */
export interface FetchedTree {
  /** The ref that was found: the default branch under its own name if no ref was requested. */
  ref: FoundRef;
  entries: TreeEntry[];
  /** Returns all files of the revision, including those outside the requested folder. */
  wholeTree(): Promise<TreeEntry[]>;
  /** Fetches the contents with these ids, so that they can be read. */
  fetchBlobs(ids: readonly string[]): Promise<void>;
  /** Opens the contents for reading, one after another. */
  openBlobs(): BlobReader;
  close(): Promise<void>;
}

/** Fetches one commit with its trees into the session's folder. Closing the returned tree closes the session. */
export async function fetchTree(
  session: Session,
  wanted: GitRef | FoundRef | undefined,
  folder: string | undefined,
): Promise<FetchedTree> {
  const ref = wanted !== undefined && 'revision' in wanted ? wanted : await findRef(session, wanted);
  const { limits } = session;
  // If the default is not a branch, it has no name but HEAD.
  const name = ref.name === 'HEAD' ? 'HEAD' : fullNameOf(ref);
  const fetch = (filter: string) =>
    session.remote({
      args: [
        'fetch',
        '--quiet',
        '--depth=1',
        '--no-tags',
        '--no-write-fetch-head',
        `--filter=${filter}`,
        '--',
        'origin',
        `+${name}:refs/fetched`,
      ],
      timeoutMs: limits.fetchTimeoutMs,
      bytesMax: limits.fetchBytesMax,
    });
  await fetch('blob:none').catch((error: unknown) => {
    throw isTooLarge(error) ? sendsEverything(limits.fetchBytesMax, error) : error;
  });
  await session.folder.resetSettings();
  const revision = (await session.local(['rev-parse', '--verify', 'refs/fetched^{commit}'])).output.toString().trim();
  return {
    ref: { ...ref, revision: revision || ref.revision },
    entries: await listTree(session, folder),
    wholeTree: () => listTree(session, undefined),
    async fetchBlobs(ids) {
      if (ids.length === 0) return;
      try {
        await fetchByIds(session, ids);
      } catch (error) {
        // Some hosts refuse to send contents by id: then everything up to a usable size is fetched.
        if (!(error instanceof GitError) || error.code !== 'git-failed') throw error;
        await session.folder.empty();
        await fetch('blob:limit=20m');
      }
      await session.folder.resetSettings();
    },
    openBlobs: () => session.openBlobs(),
    close: () => session.close(),
  };
}

function isTooLarge(error: unknown): boolean {
  return error instanceof GitError && error.code === 'repository-too-large';
}

/**
 * Creates the error for a host that ignores the filter: no list of files is that large. Choosing a folder would not
 * help, because it is fetched in the same way.
 */
function sendsEverything(bytesMax: number, cause: unknown): GitError {
  const megabytes = Math.round(bytesMax / 1_000_000);
  return new GitError(
    'repository-too-large',
    `The repository is too large: its host sends all files of the revision at once, and they take more than ${megabytes} MB. Have the host allow partial clones (uploadpack.allowFilter), or index a smaller repository.`,
    { cause },
  );
}

async function fetchByIds(session: Session, ids: readonly string[]): Promise<void> {
  await session.remote({
    args: [
      '-c',
      'fetch.negotiationAlgorithm=noop',
      'fetch',
      '--quiet',
      '--no-tags',
      '--no-write-fetch-head',
      '--filter=blob:none',
      '--stdin',
      '--',
      'origin',
    ],
    input: ids.map((id) => `${id}\n`).join(''),
    timeoutMs: session.limits.fetchTimeoutMs,
    bytesMax: session.limits.fetchBytesMax,
  });
}

async function listTree(session: Session, folder: string | undefined): Promise<TreeEntry[]> {
  const place = folder === undefined ? 'refs/fetched^{tree}' : `refs/fetched:${folder}`;
  const { code, output } = await session.local(['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', place]);
  if (code === 0) return parseTree(output);
  throw new GitError(
    'folder-not-found',
    `There is no folder ${JSON.stringify(folder ?? '/')} in this revision of the repository. Check its name, or leave it out.`,
  );
}
