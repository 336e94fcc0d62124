import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { madeOnce } from './made-once.ts';

const run = promisify(execFile);
const debianFolder = '/usr/lib/postgresql';
const startLimitMs = 30_000;
// Runs the server ($1 and on) until standard input ends, which it does when the test's process ends in any way; then
// stops it and removes its folder ($0).
const guard = '"$@" & server=$!; read _; kill -INT $server; wait $server; rm -rf "$0"';
let isAbsenceTold = false;

/** A private cluster in a temporary folder, on a free loopback port; removed by `stop`. */
export interface PostgresServer {
  port: number;
  /** Returns the URL of one of its databases. */
  url(database: string): string;
  /** Creates an empty database, or a copy of another without open connections. */
  createDatabase(name: string, template?: string): Promise<void>;
  /** Closes its remaining connections and drops it. */
  dropDatabase(name: string): Promise<void>;
  /** Runs one of PostgreSQL's programs, and returns its output. */
  program(name: 'pg_dump' | 'pg_restore', args: string[]): Promise<string>;
  /** Moves the data folder to `keptAs`, so that other clusters can start from a copy. */
  stop(keptAs?: string): Promise<void>;
}

/**
 * Returns true if PostgreSQL is installed for tests. Otherwise its suites are skipped with one line, except on the
 * build machine, where that is an error.
 */
export function hasPostgres(): boolean {
  if (binaryFolder() !== undefined) return true;
  if (process.env.CI)
    throw new Error('PostgreSQL is not installed, and CI must test on it: apt-get install postgresql');
  if (!isAbsenceTold) console.warn('PostgreSQL is not installed: its tests are left out (apt-get install postgresql)');
  isAbsenceTold = true;
  return false;
}

/**
 * Starts a cluster. Durability is off, since it lives as long as one test file. It starts from a copy of `dataFolder`,
 * a stopped cluster's folder, or else empty.
 */
export async function startPostgres(dataFolder?: string): Promise<PostgresServer> {
  const binaries = binaryFolder();
  if (binaries === undefined) throw new Error('PostgreSQL is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  const owner = await ordinaryUser();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const whole = dataFolder ?? (await madeOnce('postgres-empty', (path) => initialize(binaries, path)));
  // Node's own copy functions change the files' owner.
  if (whole === undefined) await initialize(binaries, data);
  else await run('cp', ['-a', whole, data]);
  const port = await freePort();
  const server = spawn('sh', ['-c', guard, folder, join(binaries, 'postgres'), ...serverArguments(folder, port)], {
    ...owner,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const query = (statement: string) => runStatement(url('postgres'), statement);
  await untilReady(server, () => query('select 1'));
  return {
    port,
    url,
    // Copying files takes a third of the time of copying through the log, the default.
    createDatabase: (name, template = 'template1') =>
      query(`create database "${name}" template "${template}" strategy file_copy`),
    dropDatabase: (name) => query(`drop database "${name}" with (force)`),
    program: async (name, args) => (await run(join(binaries, name), args)).stdout,
    async stop(keptAs) {
      if (server.exitCode !== null) return;
      if (keptAs !== undefined) {
        await run(join(binaries, 'pg_ctl'), ['stop', '-D', data, '-m', 'fast', '-s'], { ...owner, cwd: '/' });
        renameSync(data, keptAs);
      }
      server.stdin.end();
      await once(server, 'exit');
    },
  };
}

async function initialize(binaries: string, folder: string): Promise<void> {
  const owner = await ordinaryUser();
  mkdirSync(folder);
  if (owner) chownSync(folder, owner.uid, owner.gid);
  // Real servers sort by language, not by bytes: this one too, to catch code that relies on either.
  const init = ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
  await run(join(binaries, 'initdb'), [...init, '--locale=C', '--locale-provider=icu', '--icu-locale=en'], {
    ...owner,
    cwd: folder,
  });
}

function serverArguments(folder: string, port: number): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    full_page_writes: 'off',
    shared_buffers: '32MB',
    max_connections: '100',
  };
  const pairs = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', join(folder, 'data'), '-p', String(port), ...pairs];
}

function binaryFolder(): string | undefined {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder).filter((name) => Number(name) >= 15) : [];
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
  const folders = [
    ...newestFirst.map((version) => join(debianFolder, version, 'bin')),
    ...(process.env.PATH ?? '').split(':'),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/** PostgreSQL refuses to run as root, which containers often do: then it runs as its own user, or as `nobody`. */
export async function ordinaryUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
    } catch {
      // The user does not exist: try the next name.
    }
  }
  throw new Error('Started as root, and there is no user "postgres" or "nobody" to run PostgreSQL as');
}

async function untilReady(server: ChildProcess, probe: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + startLimitMs;
  for (;;) {
    try {
      return await probe();
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadline) throw error;
    }
    await delay(20);
  }
}

async function runStatement(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end();
  }
}
