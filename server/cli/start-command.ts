import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { accountEndpoints } from '#contract/accounts.ts';
import * as limits from '#contract/limits.ts';
import { hasWebSession } from '#server/features/accounts/index.ts';
import type { Installation } from '#server/main.ts';
import type { Config } from '#server/platform/config/config.ts';
import { takeGivenSocket } from '#server/platform/config/given-socket.ts';
import { launcher, programName } from '#server/platform/program.ts';
import { type Command, exitCodes, type Invocation, printLine, printNote } from './command.ts';

export const startCommand: Command = {
  shape: {
    name: 'start',
    positionals: [],
    summary: 'Starts the server: browser application, API, MCP and index runs, or the roles in LECTERN_ROLES.',
    details: 'Ctrl-C stops it.',
    options: {
      host: { type: 'string', placeholder: 'ADDRESS', help: 'address to listen on (default 127.0.0.1)' },
    },
  },
  run: start,
};

/** How long a start may go on after a stop signal: a part that does not respond could hold it up for minutes. */
const startAfterSignalMs = 10_000;

async function start({ config }: Invocation): Promise<number> {
  const stopped = untilSignal();
  // The launcher sets a small young generation for the main thread; every other thread sets its own limits.
  setFlagsFromString('--max-semi-space-size=0');
  const givenSocket = takeGivenSocket();
  const { serve } = await import('#server/cli/serve.ts');
  const tooLong = stopped.then(() => delay(startAfterSignalMs, undefined, { ref: false }));
  const served = await Promise.race([serve(config, givenSocket), tooLong]);
  if (served === undefined) {
    printNote('Stopped before the server was ready.');
    process.exit(exitCodes.interrupted);
  }
  const { installation, url, close } = served;
  printLine(config.roles.includes('web') ? await welcomeFrom(installation) : welcomePart(url, config));
  if (installation.publicUrl !== url) printNote(`Listening on ${url}.`);
  await stopped;
  printNote('Stopping…');
  await close();
  return exitCodes.done;
}

async function welcomeFrom(installation: Installation): Promise<string> {
  const { config, publicUrl } = installation;
  const isFirst = !(await hasWebSession(installation.operatorContext()));
  // Anyone who can read a service's log could sign in with the link.
  const link =
    isFirst && process.stdout.isTTY === true
      ? (await installation.call(accountEndpoints.createSignInLink, {})).url
      : null;
  return welcome({ url: publicUrl, link, config });
}

/** Returns the welcome; empty for a process that serves no pages. */
function welcomePart(url: string, { productName, roles }: Config): string {
  return `${productName} is ready: ${url}\n\nRoles: ${roles.join(', ')}\n`;
}

/** Resolves with the first stop signal; the second ends the process at once. */
function untilSignal(): Promise<void> {
  return new Promise((fulfil) => {
    let count = 0;
    const onSignal = (): void => {
      count += 1;
      if (count > 1) process.exit(exitCodes.interrupted);
      fulfil();
    };
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  });
}

/** Returns the start message for newcomers: the address, a sign-in link, and the lines for an agent. */
export function welcome({ url, link, config }: { url: string; link: string | null; config: Config }): string {
  const { productName, dataFolder } = config;
  const name = productName.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const headers = { Authorization: 'Bearer <key>' };
  const overHttp = { mcpServers: { [name]: { type: 'http', url: `${url}/mcp`, headers } } };
  const overStdio = { mcpServers: { [name]: { command: launcher, args: ['mcp', '--data', dataFolder] } } };
  const data = inShell(dataFolder);
  const wayIn =
    link === null
      ? `${programName} link --data ${data}   prints a sign-in link`
      : `${link}\n  (works once, within ${limits.signInLinkLifetimeMinutes} minutes; ${programName} link --data ${data} prints another)`;
  return [
    `${productName} is ready: ${url}`,
    '',
    'Sign in',
    `  ${wayIn}`,
    '',
    'Index a site',
    `  ${programName} index https://docs.example.org/ --data ${data}`,
    '',
    `Connect an agent: run ${programName} key create my-agent --data ${data}, and put the key into`,
    indented(overHttp),
    '',
    'or, on this machine and without a key:',
    indented(overStdio),
    '',
  ].join('\n');
}

/** Quotes a path for the shell. */
function inShell(path: string): string {
  return /^[\w./~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function indented(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/^/gm, '  ');
}
