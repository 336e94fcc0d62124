import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';

/** The content of a path after a commit; null removes it. */
export type CommittedFile = string | Uint8Array | { linkTo: string } | { submoduleAt: string } | null;

export interface CommitOptions {
  /** Default `main`. */
  branch?: string;
  /** Restarts the branch with this commit, like a forced push of rewritten history. */
  isRewrite?: boolean;
  message?: string;
}

/** A bare repository on this machine, changed as if by pushes. */
export interface TestRepository {
  folder: string;
  /** Commits on top of a branch, creating it if missing. Returns the commit's id. */
  commit(files: Record<string, CommittedFile>, options?: CommitOptions): Promise<string>;
  /** Adds an annotated tag to a branch's commit. */
  tag(name: string, branch?: string): Promise<void>;
  renameBranch(from: string, to: string): Promise<void>;
  deleteBranch(name: string): Promise<void>;
  /** Sets the branch that `HEAD` names. */
  setDefaultBranch(name: string): Promise<void>;
  /** Returns the commit id that a name points to. */
  revisionOf(name: string): Promise<string>;
  /** Deletes the repository. */
  remove(): Promise<void>;
}

const who = 'Committer <committer@example.org> 1700000000 +0000';

/** Creates an empty bare repository with `main` as its default branch. */
export async function createRepository(folder: string): Promise<TestRepository> {
  const git = (args: string[], input?: Buffer) => runGit(['-C', folder, ...args], input);
  await runGit(['init', '--quiet', '--bare', '--initial-branch=main', folder]);
  // The well-known hosts allow this.
  await git(['config', 'uploadpack.allowFilter', 'true']);
  await git(['config', 'uploadpack.allowAnySHA1InWant', 'true']);
  const revisionOf = async (name: string) => (await git(['rev-parse', '--verify', name])).trim();
  return {
    folder,
    revisionOf,
    async commit(files, { branch = 'main', isRewrite = false, message = 'Change' } = {}) {
      const parent = isRewrite ? undefined : await revisionOf(`refs/heads/${branch}`).catch(() => undefined);
      await git(['fast-import', '--quiet', '--force'], streamOf(files, { branch, message, parent }));
      return revisionOf(`refs/heads/${branch}`);
    },
    tag: async (name, branch = 'main') => {
      await git([
        '-c',
        'user.name=Committer',
        '-c',
        'user.email=c@example.org',
        'tag',
        '-f',
        '-a',
        '-m',
        name,
        name,
        branch,
      ]);
    },
    renameBranch: async (from, to) => void (await git(['branch', '-M', from, to])),
    deleteBranch: async (name) => void (await git(['branch', '-D', name])),
    setDefaultBranch: async (name) => void (await git(['symbolic-ref', 'HEAD', `refs/heads/${name}`])),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Formats one commit as input for `git fast-import`. */
function streamOf(
  files: Record<string, CommittedFile>,
  commit: { branch: string; message: string; parent: string | undefined },
): Buffer {
  const parts: (string | Uint8Array)[] = [];
  const data = (content: string | Uint8Array) => {
    const bytes = Buffer.from(content);
    parts.push(`data ${bytes.byteLength}\n`, bytes, '\n');
  };
  // A reset branch has no parent unless one is named.
  parts.push(`reset refs/heads/${commit.branch}\n`, `commit refs/heads/${commit.branch}\n`, `committer ${who}\n`);
  data(commit.message);
  if (commit.parent !== undefined) parts.push(`from ${commit.parent}\n`);
  for (const [path, file] of Object.entries(files)) {
    if (file === null) parts.push(`D ${quoted(path)}\n`);
    else if (typeof file === 'string' || file instanceof Uint8Array) {
      parts.push(`M 100644 inline ${quoted(path)}\n`);
      data(file);
    } else if ('linkTo' in file) {
      parts.push(`M 120000 inline ${quoted(path)}\n`);
      data(file.linkTo);
    } else parts.push(`M 160000 ${file.submoduleAt} ${quoted(path)}\n`);
  }
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}

function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

/** Returns git's environment in tests, without the machine's own settings. */
export function gitEnvironment(): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    HOME: '/nonexistent',
  };
}

async function runGit(args: string[], input: Buffer = Buffer.alloc(0)): Promise<string> {
  const child = spawn('git', args, { env: gitEnvironment(), stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [output, complaint, [code]] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, 'close'),
  ]);
  if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}: ${complaint}`);
  return output;
}
