import {
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { configurationOf, serverNameOf } from '#contract/agent-setup.ts';
import { type Agent, agents } from '#contract/agents.ts';
import { launcher } from '#server/platform/program.ts';
import { findRunningServer } from '#server/platform/running-server.ts';
import { type Command, exitCodes, type Invocation, printLine, printNote } from './command.ts';
import { originOf } from './connect.ts';
import { ConfigurationError, withEntry } from './edit-configuration.ts';
import { flag, UsageError } from './usage.ts';

/** Agents whose configuration file can be edited. */
const writable = agents.filter(({ file }) => file !== undefined);

export const connectCommand: Command = {
  shape: {
    name: 'connect',
    isRemote: true,
    positionals: [],
    optional: 'agent',
    summary: 'Writes this server into the configuration of an agent, or of every agent found on this machine.',
    details:
      'Shows the change, asks before it writes, and keeps a backup next to the file. Agents that can sign in through the browser get no key.\n' +
      `Agents: ${writable.map(({ id }) => id).join(', ')}.`,
    options: {
      remove: { type: 'boolean', help: 'remove the server' },
      key: { type: 'boolean', help: 'use LECTERN_API_KEY instead of signing in' },
      stdio: { type: 'boolean', help: 'let the agent start this program instead of calling the server' },
      yes: { type: 'boolean', help: 'do not ask' },
    },
  },
  run: runConnect,
};

async function runConnect(invocation: Invocation): Promise<number> {
  const { values, positionals } = invocation;
  const chosen = chosenAgents(positionals[0], invocation.config.searchPath);
  const address = await addressOf(invocation);
  let isAllDone = true;
  for (const agent of chosen) {
    const change = changeFor(agent, address, invocation);
    if (typeof change === 'string') {
      printNote(`${agent.name}: ${change}`);
      isAllDone &&= positionals[0] === undefined;
      continue;
    }
    if (change.after === change.before) {
      printLine(`${agent.name}: ${flag(values, 'remove') ? 'not connected' : 'already connected'} (${change.path})`);
      continue;
    }
    printLine(`${agent.name}: ${change.path}`);
    printLine(differenceOf(change.before, change.after));
    if (!flag(values, 'yes') && !(await isAgreed(agent))) {
      printNote(`${agent.name}: nothing was written.`);
      isAllDone = false;
      continue;
    }
    const backup = replaceFile(change.path, change.after);
    if (backup !== undefined) printLine(`Backup: ${backup}`);
    if (!flag(values, 'remove')) printLine(nextFor(agent, invocation));
  }
  return isAllDone ? exitCodes.done : exitCodes.failed;
}

function chosenAgents(id: string | undefined, searchPath: string): readonly Agent[] {
  if (id !== undefined) {
    const named = writable.find((agent) => agent.id === id);
    if (named !== undefined) return [named];
    const other = agents.find((agent) => agent.id === id);
    if (other !== undefined) throw new UsageError(`${other.name} has no file to write; see /install in the browser`);
    throw new UsageError(`unknown agent "${id}"; use one of ${writable.map((agent) => agent.id).join(', ')}`);
  }
  const found = writable.filter((agent) => isHere(agent, searchPath));
  if (found.length === 0) throw new UsageError('no agent was found on this machine; name one');
  return found;
}

function isHere({ signs }: Agent, searchPath: string): boolean {
  const folders = searchPath.split(delimiter).filter((folder) => folder !== '');
  return (
    signs?.programs?.some((name) => folders.some((folder) => isProgram(join(folder, name)))) === true ||
    signs?.folders?.some((folder) => existsSync(placeOnDisk(folder))) === true
  );
}

function isProgram(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && (found.mode & constants.S_IXUSR) !== 0;
}

/**
 * Returns the address of the named server, otherwise of the server running on the data folder, otherwise the address it
 * would have.
 */
async function addressOf({ server, config }: Invocation): Promise<string> {
  if (server !== undefined) return server;
  if (config.publicUrl !== undefined) return config.publicUrl;
  const running = await findRunningServer(config.dataFolder);
  return originOf(running ?? config);
}

interface Change {
  path: string;
  before: string;
  after: string;
}

/** Returns the pending change, or a sentence that says why there is none. */
function changeFor(agent: Agent, address: string, { values, config, server }: Invocation): Change | string {
  const signsIn =
    agent.http !== undefined && agent.signIn !== undefined && !flag(values, 'key') && !flag(values, 'stdio');
  const isLocal = server === undefined && !flag(values, 'key');
  if (flag(values, 'key') && config.apiKey === undefined)
    throw new UsageError('set LECTERN_API_KEY to a key for --key');
  const transport = signsIn || (flag(values, 'key') && !flag(values, 'stdio') && agent.http) ? 'http' : 'stdio';
  const configuration = configurationOf(agent, transport, {
    publicUrl: address,
    productName: config.productName,
    stdio: isLocal ? [launcher, 'mcp', '--data', config.dataFolder] : [launcher, 'mcp'],
    key: signsIn || isLocal ? undefined : config.apiKey,
    isLocal,
  });
  if (configuration === undefined) return 'it needs a key; set LECTERN_API_KEY.';
  const path = fileOf(agent);
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
  try {
    return { path, before, after: withEntry(before, configuration, flag(values, 'remove')) };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return `${path} was not changed: ${error.message}. Correct it, or paste the configuration from /install.`;
  }
}

function fileOf({ file }: Agent): string {
  const paths = file === undefined ? [] : [file.path, ...(file.otherPaths ?? [])].map(placeOnDisk);
  const path = paths.find((candidate) => existsSync(candidate)) ?? paths[0] ?? '';
  // Keeps symbolic links, as used in collections of dotfiles.
  return existsSync(path) ? realpathSync(path) : path;
}

function placeOnDisk(path: string): string {
  const home = homedir();
  const appData = process.platform === 'darwin' ? join(home, 'Library/Application Support') : join(home, '.config');
  return path.replace(/^~/, home).replace(/^\{appData\}/, appData);
}

/** Returns the changed lines with one line of context before and after. */
function differenceOf(before: string, after: string): string {
  const [old, now] = [before === '' ? [] : before.trimEnd().split('\n'), after.trimEnd().split('\n')];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  return [
    ...old.slice(Math.max(0, start - 1), start).map((line) => `  ${line}`),
    ...old.slice(start, old.length - end).map((line) => `- ${line}`),
    ...now.slice(start, now.length - end).map((line) => `+ ${line}`),
    ...now.slice(now.length - end, now.length - end + 1).map((line) => `  ${line}`),
  ].join('\n');
}

async function isAgreed({ name }: Agent): Promise<boolean> {
  if (process.stdin.isTTY !== true) {
    printNote('There is no terminal to ask in; use --yes to write without asking.');
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`Write this for ${name}? [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

/** Replaces a file atomically and keeps its mode (0600 for a new file); returns the backup's path. */
function replaceFile(path: string, text: string): string | undefined {
  mkdirSync(dirname(path), { recursive: true });
  const before = existsSync(path) ? readFileSync(path) : undefined;
  const mode = before === undefined ? 0o600 : statSync(path).mode & 0o777;
  const backup = before && `${path}.${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}.bak`;
  const next = `${path}.${process.pid}.new`;
  const files: [string, string | Buffer][] = [[next, text]];
  if (before !== undefined && backup !== undefined) files.unshift([backup, before]);
  for (const [file, contents] of files) {
    writeFileSync(file, contents, { mode: 0o600 });
    // Restores the mode, because the umask of this process removes the permissions of others.
    chmodSync(file, mode);
  }
  renameSync(next, path);
  return backup;
}

function nextFor(agent: Agent, { values, config }: Invocation): string {
  const name = serverNameOf(config.productName);
  if (flag(values, 'key') && agent.reference?.isFor === 'always' && agent.reference.from === 'environment') {
    return `Keep LECTERN_API_KEY in the environment that ${agent.name} starts in. ${agent.next}`;
  }
  const signsIn = agent.signIn !== undefined && !flag(values, 'key') && !flag(values, 'stdio');
  return signsIn ? `${agent.next} ${agent.signIn} The server is called ${name}.` : agent.next;
}
