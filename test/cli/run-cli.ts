import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { cheapPasswords } from '../services/cheap-passwords.ts';
import { compiledFolder } from '../services/compiled.ts';
import { until } from '../services/until.ts';

export const entry = new URL('../../server/cli/main.ts', import.meta.url);
/** It takes seconds on an idle machine; servers that start at once on a busy machine take longer. */
const readyLimitMs = 120_000;
const cleanups: (() => unknown)[] = [];

afterAll(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
}, 60_000);

export interface Ended {
  code: number | null;
  output: string;
  errors: string;
}

export interface RunningCommand {
  child: ChildProcess;
  ended: Promise<Ended>;
  /** The output so far. */
  output(): string;
  errors(): string;
}

interface Surroundings {
  env?: Record<string, string>;
  /** Runs the command as this user, so that file permissions apply to a test that runs as root. */
  user?: { uid: number; gid: number } | undefined;
  /** Leaves standard input open for the test to write to. */
  hasInput?: boolean;
}

/** Starts the real command as a child process, in a folder outside the project. */
export function startCli(args: string[], { env, user, hasInput }: Surroundings = {}): RunningCommand {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', fileURLToPath(entry), ...args], {
    cwd: tmpdir(),
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      NODE_COMPILE_CACHE: compiledFolder,
      // Tests count the pages that they index themselves.
      LECTERN_OWN_DOCS: 'off',
      ...cheapPasswords,
      ...env,
    },
    stdio: [hasInput === true ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    ...user,
  });
  let output = '';
  let errors = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = once(child, 'close').then(([code]): Ended => ({ code: code as number | null, output, errors }));
  cleanups.push(() => child.kill('SIGKILL'));
  return { child, ended, output: () => output, errors: () => errors };
}

export function cli(args: string[], surroundings: Surroundings = {}): Promise<Ended> {
  return startCli(args, surroundings).ended;
}

/** Starts a web server on loopback; returns its address and `host:port`. */
export async function serveSite(listener: RequestListener): Promise<{ origin: string; host: string; port: number }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const host = `127.0.0.1:${address.port}`;
  return { origin: `http://${host}`, host, port: address.port };
}

/** Starts the server on a free port and waits until it is ready. */
export async function startServer(
  dataFolder: string,
  surroundings: Surroundings = {},
): Promise<RunningCommand & { url: string }> {
  const running = startCli(['start', '--data', dataFolder, '--port', '0'], surroundings);
  const url = await until(
    'the server is ready',
    () => {
      if (running.child.exitCode !== null) throw new Error(running.errors());
      return / is ready: (\S+)/.exec(running.output())?.[1];
    },
    readyLimitMs,
  );
  return { ...running, url };
}

/** Returns true for one readable sentence without a stack trace or raw code. */
export function isOneSentence(errors: string): boolean {
  const lines = errors.trim().split('\n');
  return (
    lines[0]?.startsWith('lectern: ') === true && !/\n\s+at |node:internal|\bError:/.test(errors) && lines.length <= 2
  );
}
