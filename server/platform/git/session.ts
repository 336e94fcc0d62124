import type { GuardedExit, ProxyPass } from '../outbound/index.ts';
import { diagnose } from './diagnose.ts';
import { BlobReader } from './fetched-tree.ts';
import { environmentOf, type GitSettings, remoteSettings, webSettings } from './git-environment.ts';
import { GitError } from './git-error.ts';
import { type GitRemote, type ParsedRemote, parseRemote } from './git-remote.ts';
import { type ProgramCall, type ProgramResult, runGit, startGit } from './run-program.ts';
import { type KnownHosts, writeShellSettings } from './shell-settings.ts';
import { makeWorkFolder, type WorkFolder } from './work-folder.ts';

export interface GitLimits {
  /** For listing refs and revisions. */
  listTimeoutMs: number;
  fetchTimeoutMs: number;
  /** Most bytes on disk for all fetched data of one revision. */
  fetchBytesMax: number;
  /** Most bytes of a list of refs or files: about 500,000 entries. */
  listBytesMax: number;
}

/**
 * 2 GB packed is more than any documentation we know of; a host that needs more than a quarter of an hour for it is too
 * slow.
 */
export const gitLimits: GitLimits = {
  listTimeoutMs: 30_000,
  fetchTimeoutMs: 15 * 60_000,
  fetchBytesMax: 2_000_000_000,
  listBytesMax: 64_000_000,
};

export interface GitOptions {
  exit: GuardedExit;
  knownHosts: KnownHosts;
  /** Folder for temporary repositories. */
  workFolder: string;
  /** Value of PATH for finding `git` and `ssh`. */
  searchPath: string;
  userAgent: string;
  limits?: Partial<GitLimits>;
}

/** One remote with a separate folder, for the duration of the work. */
export interface Session {
  folder: WorkFolder;
  limits: GitLimits;
  /** Runs a call that contacts the remote. Throws an error that explains a failure. */
  remote(call: RemoteCall): Promise<ProgramResult>;
  /** Runs a call on fetched data. */
  local(args: string[]): Promise<ProgramResult>;
  openBlobs(): BlobReader;
  close(): Promise<void>;
}

type RemoteCall = Pick<ProgramCall, 'args' | 'timeoutMs' | 'input'> & { bytesMax?: number };

/** Opens a session; refuses what can be refused without contacting the remote. Must be closed. */
export async function openSession(
  options: GitOptions,
  limits: GitLimits,
  remote: GitRemote,
  signal?: AbortSignal,
): Promise<Session> {
  const parsed = parseRemote(remote.url);
  const folder = await makeWorkFolder(options.workFolder);
  const readers = new Set<BlobReader>();
  let proxy: ProxyPass | undefined;
  const close = async () => {
    for (const reader of readers) reader.close();
    proxy?.close();
    await folder.remove();
  };
  const base = { searchPath: options.searchPath, folder: folder.path, repository: folder.repository };
  const common = { cwd: folder.path, outputBytesMax: limits.listBytesMax, signal };
  const localEnv = environmentOf(base);
  try {
    const way = parsed.kind === 'web' ? await openWeb(options, parsed.url, remote) : undefined;
    proxy = way?.proxy;
    const shell = parsed.kind === 'shell' ? await openShell(options, folder, parsed, remote) : undefined;
    const env = environmentOf({
      ...base,
      settings: { ...remoteSettings(parsed), ...way?.settings },
      allowed: parsed.kind === 'web' ? 'http:https' : 'ssh',
      sshCommand: shell?.command,
    });
    const secrets = [proxy?.url ?? '', ...secretsOf(remote)];
    return {
      ...{ folder, limits, close },
      async remote({ bytesMax, ...call }) {
        const disk = bytesMax === undefined ? undefined : { bytes: () => folder.bytes(), bytesMax };
        const result = await runGit({ ...common, env, ...call, disk });
        if (result.code === 0) {
          await shell?.rememberHost();
          return result;
        }
        const failure = proxy?.failure();
        if (failure) throw failure;
        throw diagnose({
          remote: parsed,
          hasCredential: remote.credential !== undefined,
          complaint: result.complaint,
          secrets,
        });
      },
      local: (args) => runGit({ ...common, env: localEnv, args, timeoutMs: limits.fetchTimeoutMs }),
      openBlobs() {
        const reader = new BlobReader(startGit({ args: ['cat-file', '--batch'], env: localEnv, cwd: folder.path }));
        readers.add(reader);
        return reader;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openWeb(
  { exit, userAgent }: GitOptions,
  url: URL,
  { credential }: GitRemote,
): Promise<{ proxy: ProxyPass; settings: GitSettings }> {
  if (credential?.kind === 'ssh-key') throw unfitting('an SSH key', 'a token or password');
  const authorization =
    credential && `Basic ${Buffer.from(`${credential.username}:${credential.password}`).toString('base64')}`;
  const proxy = await exit.openProxy(url);
  return { proxy, settings: webSettings(url, proxy.url, userAgent, authorization) };
}

async function openShell(
  { exit, knownHosts }: GitOptions,
  folder: WorkFolder,
  { hostname, port }: Extract<ParsedRemote, { kind: 'shell' }>,
  { credential }: GitRemote,
) {
  if (credential === undefined) {
    throw new GitError(
      'credential-needed',
      `Repositories on ${hostname} are read over SSH with a key. Store an SSH key for ${hostname} and choose it for this source.`,
    );
  }
  if (credential.kind !== 'ssh-key') throw unfitting('a token or password', 'an SSH key');
  const address = await exit.shellAddress(hostname, port);
  const { privateKey } = credential;
  return writeShellSettings(folder.path, { hostname, port, address, privateKey }, knownHosts);
}

function unfitting(given: string, needed: string): GitError {
  return new GitError(
    'credential-unusable',
    `The stored credential is ${given}, and this address needs ${needed}. Choose another credential or another form of the address.`,
  );
}

function secretsOf({ credential }: GitRemote): string[] {
  if (credential?.kind !== 'basic') return [];
  const { username, password } = credential;
  return [Buffer.from(`${username}:${password}`).toString('base64'), password, encodeURIComponent(password)];
}
