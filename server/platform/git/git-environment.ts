import { devNull } from 'node:os';
import type { ParsedRemote } from './git-remote.ts';

/** Settings of one call, passed through the environment, so that no secret appears in a process list. */
export type GitSettings = Record<string, string>;

/** Settings of every call: no prompts, no influence of the machine's configuration, and read-only. */
const settingsAlways: GitSettings = {
  'core.hooksPath': devNull,
  'core.askPass': '',
  'core.fsmonitor': 'false',
  'credential.helper': '',
  'submodule.recurse': 'false',
  'fetch.recurseSubmodules': 'false',
  'transfer.bundleURI': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  // Keep packs packed and use one thread each, so that a fetch stays small on disk and in memory.
  'fetch.unpackLimit': '1',
  'pack.threads': '1',
  'core.bigFileThreshold': '16m',
  // Smaller than by default, so that reading large packs fits into the memory limit.
  'core.packedGitWindowSize': '32m',
  'core.packedGitLimit': '256m',
  'protocol.version': '2',
  'protocol.allow': 'never',
};

/** Returns the complete environment of a call. */
export function environmentOf(call: {
  searchPath: string;
  folder: string;
  repository: string;
  settings?: GitSettings;
  /** Allowed transports; by default none, so that any use of a transport fails. */
  allowed?: string;
  sshCommand?: string;
}): Record<string, string> {
  const settings = { ...settingsAlways, ...call.settings };
  const environment: Record<string, string> = {
    PATH: call.searchPath,
    HOME: call.folder,
    XDG_CONFIG_HOME: call.folder,
    TMPDIR: call.folder,
    LC_ALL: 'C',
    GIT_DIR: call.repository,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_ALLOW_PROTOCOL: call.allowed ?? 'none',
    GIT_SSH_VARIANT: 'ssh',
    GIT_SSH_COMMAND: call.sshCommand ?? 'false',
    GIT_CONFIG_COUNT: String(Object.keys(settings).length),
  };
  for (const [index, [key, value]] of Object.entries(settings).entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return environment;
}

/** Returns the settings for a remote called `origin`, from which git may fetch objects later. */
export function remoteSettings(remote: ParsedRemote): GitSettings {
  const url = remote.kind === 'web' ? remote.url.href : shellUrlOf(remote);
  return {
    'remote.origin.url': url,
    'remote.origin.promisor': 'true',
    'remote.origin.partialCloneFilter': 'blob:none',
    'remote.origin.tagOpt': '--no-tags',
  };
}

/** Uses the short form, because only it preserves `~` and relative paths; it cannot contain a port. */
function shellUrlOf({ user, hostname, port, path }: Extract<ParsedRemote, { kind: 'shell' }>): string {
  const isAbsolute = path.startsWith('/');
  if (!isAbsolute && port === 22) return `${user}@${hostname}:${path}`;
  return `ssh://${user}@${hostname}:${port}${isAbsolute ? path : `/${path}`}`;
}

/**
 * Returns the settings that send all HTTP and HTTPS traffic through our proxy, and the credential only to this host.
 */
export function webSettings(url: URL, proxyUrl: string, userAgent: string, authorization?: string): GitSettings {
  const settings: GitSettings = {
    'http.proxy': proxyUrl,
    'http.proxyAuthMethod': 'basic',
    'http.followRedirects': 'initial',
    'http.userAgent': userAgent,
    // A host that sends less than a byte per second for this long counts as down.
    'http.lowSpeedLimit': '1',
    'http.lowSpeedTime': '60',
  };
  if (authorization !== undefined) settings[`http.${url.origin}/.extraHeader`] = `Authorization: ${authorization}`;
  return settings;
}
