import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GitError } from './git-error.ts';

/** The host keys seen at first contact. */
export interface KnownHosts {
  /** Returns known_hosts lines for `host` or `[host]:port`; undefined for a host not contacted before. */
  read(host: string): Promise<string | undefined>;
  /** Stores the lines unless the host already has some. */
  keep(host: string, lines: string): Promise<void>;
}

export interface ShellSettings {
  /** Value of GIT_SSH_COMMAND. */
  command: string;
  /** Stores the key of a host contacted for the first time. */
  rememberHost(): Promise<void>;
}

/**
 * Writes SSH settings for exactly `address` into `folder`: one key, no agent, no password, no settings of the machine,
 * and the host key checked against the one seen at first contact.
 */
export async function writeShellSettings(
  folder: string,
  host: { hostname: string; port: number; address: string; privateKey: string },
  knownHosts: KnownHosts,
): Promise<ShellSettings> {
  const bare = host.hostname.replace(/^\[|\]$/g, '');
  const name = host.port === 22 ? bare : `[${bare}]:${host.port}`;
  const known = await knownHosts.read(name);
  const [keyFile, hostsFile, settingsFile] = ['key', 'known_hosts', 'ssh_config'].map((file) => join(folder, file)) as [
    string,
    string,
    string,
  ];
  await writeFile(keyFile, `${host.privateKey.replace(/\r\n?/g, '\n').trim()}\n`, { mode: 0o600 });
  await writeFile(hostsFile, known ?? '', { mode: 0o600 });
  const settings = {
    HostName: host.address,
    HostKeyAlias: name,
    CheckHostIP: 'no',
    UserKnownHostsFile: hostsFile,
    GlobalKnownHostsFile: '/dev/null',
    StrictHostKeyChecking: known === undefined ? 'accept-new' : 'yes',
    UpdateHostKeys: 'no',
    HashKnownHosts: 'no',
    IdentityFile: keyFile,
    IdentitiesOnly: 'yes',
    IdentityAgent: 'none',
    PreferredAuthentications: 'publickey',
    BatchMode: 'yes',
    ClearAllForwardings: 'yes',
    ForwardAgent: 'no',
    PermitLocalCommand: 'no',
    ProxyCommand: 'none',
    ControlMaster: 'no',
    ControlPath: 'none',
    ConnectTimeout: '15',
    ServerAliveInterval: '15',
    ServerAliveCountMax: '4',
    LogLevel: 'ERROR',
  };
  const lines = Object.entries(settings).map(([key, value]) => `  ${key} ${quoted(value)}`);
  await writeFile(settingsFile, `Host *\n${lines.join('\n')}\n`, { mode: 0o600 });
  return {
    command: `ssh -F '${shellSafe(settingsFile)}'`,
    async rememberHost() {
      if (known !== undefined) return;
      const lines = await readFile(hostsFile, 'utf8');
      if (lines.trim() !== '') await knownHosts.keep(name, lines);
    },
  };
}

function quoted(value: string): string {
  return value.includes(' ') ? `"${value}"` : value;
}

/** Our data folder's path is passed through a shell, which cannot handle every name. */
function shellSafe(path: string): string {
  if (!/['"\n\\]/.test(path)) return path;
  throw new GitError(
    'credential-unusable',
    'Repositories cannot be read over SSH while the path of the data folder contains quotes or backslashes. Move the data folder.',
  );
}
