import { devNull } from 'node:os';
import type { ParsedRemote } from './git-remote.ts';

/** Settings of one call; they go through the environment, so that no secret is in a list of processes. */
export type GitSettings = Record<string, string>;

/** What holds for every call: nothing is asked, nothing of the machine's settings counts, nothing but reading is done. */
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
  // Packs stay packs, and one thread each, so that a fetch stays small on disk and in memory.
  'fetch.unpackLimit': '1',
  'pack.threads': '1',
  'core.bigFileThreshold': '16m',
  'protocol.version': '2',
  'protocol.allow': 'never',
};

/** The whole environment of a call. */
export function environmentOf(call: {
  searchPath: string;
  folder: string;
  repository: string;
  settings?: GitSettings;
  /** Of transports; none: whatever asks for one fails. */
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

/** Settings for a remote called `origin`, which git may take objects from later. */
export function remoteSettings(remote: ParsedRemote): GitSettings {
  const url = remote.kind === 'web' ? remote.url.href : shellUrlOf(remote);
  return {
    'remote.origin.url': url,
    'remote.origin.promisor': 'true',
    'remote.origin.partialCloneFilter': 'blob:none',
    'remote.origin.tagOpt': '--no-tags',
  };
}

/** `~` and relative paths stay what they are only in the short form, which knows no port. */
function shellUrlOf({ user, hostname, port, path }: Extract<ParsedRemote, { kind: 'shell' }>): string {
  const isAbsolute = path.startsWith('/');
  if (!isAbsolute && port === 22) return `${user}@${hostname}:${path}`;
  return `ssh://${user}@${hostname}:${port}${isAbsolute ? path : `/${path}`}`;
}

/** Settings by which everything of plain and secure HTTP goes through our proxy, the credential to this one host. */
export function webSettings(url: URL, proxyUrl: string, userAgent: string, authorization?: string): GitSettings {
  const settings: GitSettings = {
    'http.proxy': proxyUrl,
    'http.proxyAuthMethod': 'basic',
    'http.followRedirects': 'initial',
    'http.userAgent': userAgent,
    // A host that sends less than a byte a second for so long is down.
    'http.lowSpeedLimit': '1',
    'http.lowSpeedTime': '60',
  };
  if (authorization !== undefined) settings[`http.${url.origin}/.extraHeader`] = `Authorization: ${authorization}`;
  return settings;
}
