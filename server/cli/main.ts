import { type Config, loadConfig } from '#server/platform/config/config.ts';
import { productVersion } from '#server/platform/product-version.ts';
import { isClone } from '#server/platform/program.ts';
import { domainWithdrawCommand, hostKeyForgetCommand, keyCreateCommand, linkCommand } from './access-commands.ts';
import { type Command, exitCodes, printLine } from './command.ts';
import { withCall } from './connect.ts';
import { connectCommand } from './connect-command.ts';
import { backupCommand, moveCommand, restoreCommand } from './data-commands.ts';
import { doctorCommand } from './doctor-command.ts';
import { describeFault } from './faults.ts';
import { indexCommand } from './index-command.ts';
import { mcpCommand } from './mcp-command.ts';
import { modulesCommand, removeCommand, renameCommand } from './module-commands.ts';
import {
  confListCommand,
  creditGrantCommand,
  creditTakeCommand,
  incidentListCommand,
  incidentOpenCommand,
  incidentResolveCommand,
  incidentUpdateCommand,
} from './operator-commands.ts';
import { peopleCommands } from './people-commands.ts';
import { profileCommand, profileListCommand, profileRemoveCommand } from './profile-commands.ts';
import { readCommand, searchCommand } from './search-command.ts';
import { secretRenewCommand } from './secret-commands.ts';
import { startCommand } from './start-command.ts';
import { storeAdoptCommand, storeSweepCommand } from './store-commands.ts';
import { helpOf, type OptionValues, parseCommandLine, slotOf, text, UsageError, wholeNumber } from './usage.ts';

/** Commands whose first run may create the installation. */
const creating = new Set(['index', 'key create', 'people create', 'profile']);

/** All commands of the product, in the order of its help. */
export const commands: Command[] = [
  startCommand,
  indexCommand,
  searchCommand,
  readCommand,
  modulesCommand,
  renameCommand,
  removeCommand,
  profileListCommand,
  profileRemoveCommand,
  profileCommand,
  connectCommand,
  keyCreateCommand,
  linkCommand,
  hostKeyForgetCommand,
  domainWithdrawCommand,
  incidentOpenCommand,
  incidentUpdateCommand,
  incidentResolveCommand,
  incidentListCommand,
  confListCommand,
  ...peopleCommands,
  creditGrantCommand,
  creditTakeCommand,
  mcpCommand,
  doctorCommand,
  backupCommand,
  restoreCommand,
  moveCommand,
  secretRenewCommand,
  storeSweepCommand,
  storeAdoptCommand,
];

/** Commands of a project clone that its launcher handles itself. */
export const workshopCommands: [string, string][] = [
  ['build', 'Installs packages and builds the browser application. start does this too.'],
  ['check', 'Checks format, lint, types, import rules, unused code and documents.'],
  ['test', 'Runs the checks and every test.'],
  ['dev', 'Runs everything in watch mode with seeded data.'],
  ['eval', 'Measures how well questions are answered.'],
  ['bench', 'Measures speed, memory and disk.'],
  ['capacity', 'Measures memory, disk and processor time of public and private indexes.'],
  ['faults', 'Kills the program before each write of each flow, and checks the result.'],
  ['load', 'Measures one server under load; --minutes 60 for a long run.'],
  ['advisories', 'Checks dependencies for known vulnerabilities.'],
  ['sbom', 'Writes the bill of materials of an installation (CycloneDX).'],
  ['reproduce', 'Builds the package twice and compares the bytes.'],
  ['drill', 'Kills and replaces the processes of an installation under load.'],
  ['social-images', 'Redraws the link preview images.'],
];

/** Runs one command line and returns the exit code: 0 done, 1 failed, 2 not understood, 130 interrupted. */
export async function runCommandLine(args: string[]): Promise<number> {
  // As with "lectern doctor | head".
  process.stdout.once('error', () => process.exit(exitCodes.unread));
  let config: Config | undefined;
  let commandName: string | undefined;
  try {
    const found = findCommand(args);
    if (found === undefined) return exitCodes.done;
    const { command, rest } = found;
    commandName = command.shape.name;
    const { values, positionals } = parseCommandLine(command.shape, rest);
    if (values['help'] === true) {
      printLine(helpOf(command.shape));
      return exitCodes.done;
    }
    wholeNumber(values, 'port', { min: 0, max: 65_535 });
    const port = text(values, 'port');
    const loaded = loadConfig(undefined, {
      LECTERN_DATA: text(values, 'data'),
      LECTERN_PORT: port,
      LECTERN_HOST: text(values, 'host'),
    });
    config = quietUnlessServing(loaded.config, command);
    const server = serverOf(command, values, config);
    // A key of a new installation here would not work at the server named by LECTERN_URL.
    const usesServer = config.serverUrl !== undefined && text(values, 'data') === undefined;
    const mayCreate = creating.has(command.shape.name) && !usesServer;
    const connection = { config, port, command: command.shape.name, server, mayCreate };
    return await command.run({
      values,
      positionals,
      config,
      workingFolder: process.cwd(),
      server,
      withCall: (options, work) => withCall(connection, options, work),
    });
  } catch (error) {
    return describeFault(error, { commandName, logLevel: config?.logLevel });
  }
}

function findCommand(args: string[]): { command: Command; rest: string[] } | undefined {
  const [first, second] = args;
  if (first === 'help' && second !== undefined) return findCommand([...args.slice(1), '--help']);
  if (first === '--version' || first === '-V') {
    printLine(productVersion);
    return undefined;
  }
  if (first === undefined || ['--help', '-h', 'help'].includes(first)) {
    printLine(overview());
    return undefined;
  }
  const command = commands.find(({ shape }) => shape.name === first || shape.name === `${first} ${second}`);
  if (command !== undefined) return { command, rest: args.slice(command.shape.name.split(' ').length) };
  const longer = commands.filter(({ shape }) => shape.name.startsWith(`${first} `));
  if (longer.length > 0) throw new UsageError(`name a command: ${longer.map(({ shape }) => shape.name).join(', ')}`);
  throw new UsageError(`there is no command "${first}"`);
}

/** Returns the server a command is for. A named folder takes precedence over the variable. */
function serverOf({ shape }: Command, values: OptionValues, { serverUrl }: Config): string | undefined {
  const [named, folder] = [text(values, 'server'), text(values, 'data')];
  if (named !== undefined && folder !== undefined) throw new UsageError('give --server or --data, not both');
  if (named !== undefined && !/^https?:\/\/[^/]+\/?$/.test(named)) {
    throw new UsageError(`--server takes an address such as https://docs.example.com, not "${named}"`);
  }
  if (!shape.isRemote || folder !== undefined) return undefined;
  return named?.replace(/\/$/, '') ?? serverUrl;
}

/** Log lines would break up a command's own output; a server's log is its output. */
function quietUnlessServing(config: Config, command: Command): Config {
  if (command === startCommand) return { ...config, logsTo: 'stdout' };
  return config.logLevel !== 'info' ? config : { ...config, logLevel: 'error' };
}

function nameWithArguments({ name, positionals, optional }: Command['shape']): string {
  return [name, ...positionals.map(slotOf), ...(optional === undefined ? [] : [`[${optional}]`])].join(' ');
}

function overview(): string {
  const ofClone = isClone ? workshopCommands : [];
  const rows = [...commands.map(({ shape }) => [nameWithArguments(shape), shape.summary]), ...ofClone];
  const width = Math.max(...rows.map(([name]) => name?.length ?? 0));
  return [
    'Usage: lectern <command> [options]',
    '',
    ...rows.map(([name, summary]) => `  ${name?.padEnd(width)}  ${summary}`),
    '',
    'Every command takes --data DIR (default ./.data), --port N and --help. --version prints the version.',
    '',
  ].join('\n');
}

if (import.meta.main) {
  // Rows, private documents and backups must be readable only by the owner, even in a folder that others may enter.
  process.umask(0o077);
  process.exitCode = await runCommandLine(process.argv.slice(2));
}
