import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

const sshd = '/usr/sbin/sshd';

/** Returns true if an SSH server is installed; otherwise logs one line. */
export function hasSshServer(): boolean {
  if (existsSync(sshd)) return true;
  process.stderr.write('left out: repositories over SSH, as there is no sshd (install openssh-server)\n');
  return false;
}

/** An SSH server on loopback that accepts one key, as the user who runs the test. */
export interface SshServer {
  /** `127.0.0.1:1234` */
  host: string;
  port: number;
  user: string;
  /** The accepted key, and a refused one. */
  privateKey: string;
  otherPrivateKey: string;
  /** Uses another host key from the next connection on. */
  changeHostKey(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the server. `folder` belongs to the caller and is not removed. */
export async function startSshServer(folder: string): Promise<SshServer> {
  const file = (name: string) => join(folder, name);
  const makeKey = (name: string) => {
    execFileSync('/usr/bin/ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(name)]);
    return readFileSync(file(name), 'utf8');
  };
  const privateKey = makeKey('user_key');
  const otherPrivateKey = makeKey('other_key');
  const port = await freePort();
  // Needed for privilege separation when the server runs as root.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  const user = execFileSync('id', ['-un'], { encoding: 'utf8' }).trim();
  writeFileSync(file('authorized_keys'), readFileSync(file('user_key.pub')));
  chmodSync(file('authorized_keys'), 0o600);
  const start = async (hostKey: string) => {
    makeKey(hostKey);
    const settings = [
      `ListenAddress 127.0.0.1:${port}`,
      `HostKey ${file(hostKey)}`,
      `AuthorizedKeysFile ${file('authorized_keys')}`,
      `PidFile ${file('pid')}`,
      'StrictModes no',
      'UsePAM no',
      'PermitRootLogin prohibit-password',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
    ];
    writeFileSync(file('sshd_config'), `${settings.join('\n')}\n`);
    const child = spawn(sshd, ['-D', '-e', '-f', file('sshd_config')], { stdio: 'ignore' });
    await until('the SSH server listens', () => canConnect(port));
    return async () => {
      child.kill();
      await until('the SSH server has ended', () => child.exitCode !== null || child.signalCode !== null);
    };
  };
  let stop = await start('host_key');
  return {
    host: `127.0.0.1:${port}`,
    ...{ port, user, privateKey, otherPrivateKey },
    async changeHostKey() {
      await stop();
      stop = await start('host_key_2');
    },
    stop: () => stop(),
  };
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
