import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openDevPorts } from './dev-ports.mjs';

const help = `Usage: lectern dev [options]

Runs the server and the browser application in watch mode, with the project's own documentation indexed. Identity is also
served on 9099, live reads on 8080 and functions on 5001 of 127.0.0.1.

  --data DIR  data folder (default .data-dev in the project)
  --port N    port of the server (default 7331)
  --web N     port of the browser application (default 5173)
  --stripe    use a simulated Stripe instead of the test mode
  --model     answer chats with a simulated language model instead of quoted passages
  --help      show this text
`;

/** Runs server and browser application until one ends or a signal arrives. Returns the exit code. */
export async function dev(root, args) {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: 'string' },
      port: { type: 'string' },
      web: { type: 'string' },
      stripe: { type: 'boolean' },
      model: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const dataFolder = values.data === undefined ? join(root, '.data-dev') : resolve(values.data);
  const port = values.port ?? '7331';
  const origin = `http://127.0.0.1:${port}`;
  const web = values.web ?? '5173';
  const publicUrl = `http://127.0.0.1:${web}`;
  const played = await startPlayers(root, values.model === true);
  const stripe = values.stripe ? await startStripe(root, origin) : undefined;
  const own = { LECTERN_DEV_SERVER: origin, LECTERN_PUBLIC_URL: publicUrl };
  const env = { LECTERN_CREDITS: 'on', ...played.environment, ...stripe?.environment, ...process.env, ...own };
  const node = (argv) => spawn(process.execPath, argv, { cwd: root, stdio: 'inherit', env });
  const quiet = '--disable-warning=ExperimentalWarning';
  const command = join(root, 'server/cli/main.ts');
  const server = keepRunning(() => node([quiet, command, 'start', '--data', dataFolder, '--port', port]));
  const watchers = ['server', 'contract'].map((room) =>
    watch(join(root, room), { recursive: true }, (_event, file) => {
      if (file?.endsWith('.ts') && !file.endsWith('.test.ts')) void server.restart();
    }),
  );
  const browser = node([join(root, 'node_modules/@react-router/dev/bin.cjs'), 'dev', '--port', web]);
  const ports = await openDevPorts(Number(port));
  let isOver = false;
  const over = new Promise((fulfil) => {
    const end = () => {
      isOver = true;
      ports.close();
      for (const watcher of watchers) watcher.close();
      browser.kill('SIGTERM');
      played.stop();
      stripe?.stop();
      void server.stop().then(fulfil);
    };
    browser.once('exit', end);
    process.on('SIGINT', end).on('SIGTERM', end);
  });

  // A code change restarts the server, which interrupts the indexing: then retry it.
  for (let attempts = 0; attempts < 5 && (await isReady(origin, () => isOver)); attempts += 1) {
    const index = node([quiet, command, 'index', join(root, 'docs'), '--name', 'docs', '--data', dataFolder]);
    if ((await exitOf(index)) === 0) break;
  }
  await over;
  return 0;
}

/** Starts the programs that simulate external services; the server may connect to all of them. */
async function startPlayers(root, wantsModel) {
  const players = [await startIdentityProvider(root), await startCodeHost(root), await startPackageRegistry(root)];
  if (wantsModel) players.push(await startModel(root));
  const environment = Object.assign({}, ...players.map((player) => player.environment));
  environment.LECTERN_ALLOW_HOSTS = players.flatMap((player) => player.environment.LECTERN_ALLOW_HOSTS ?? []).join(',');
  return { environment, stop: () => players.forEach((player) => player.stop()) };
}

/** Starts the simulator of Google (and GitHub) sign-in, which needs no real account. */
const startIdentityProvider = (root) => startPlayer(root, 'test/services/identity-provider-program.ts', []);

/** Starts the GitHub simulator: signing in, connecting an account, and repository contents. */
const startCodeHost = (root) => startPlayer(root, 'test/services/code-host-program.ts', []);

/** Starts the simulator of the package registries, which return where libraries' documentation is. */
const startPackageRegistry = (root) => startPlayer(root, 'test/services/package-registry-program.ts', []);

/** Starts the Stripe simulator, which delivers its events to the server. */
const startStripe = (root, origin) =>
  startPlayer(root, 'test/services/stripe-server-program.ts', ['0', `${origin}/webhooks/stripe`]);

/** Starts the simulator of a language model with OpenAI's interface. */
const startModel = (root) => startPlayer(root, 'test/services/chat-model-program.ts', []);

/** Starts a service simulator; the first line it prints is the configuration for our server. */
async function startPlayer(root, program, argv) {
  const child = spawn(process.execPath, [join(root, program), ...argv], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    return { environment: JSON.parse(line), stop: () => child.kill('SIGTERM') };
  }
  throw new Error(`${program} did not start`);
}

/**
 * Manages a program that can be restarted; each restart waits until the previous process has ended. Node's watch mode
 * is unsuitable: it makes worker threads send extra messages to their listeners.
 */
function keepRunning(start) {
  let child = start();
  let isStopped = false;
  let isRestarting = false;
  return {
    async restart() {
      if (isStopped || isRestarting) return;
      isRestarting = true;
      // Editors and formatters write several files at once.
      await delay(300);
      child.kill('SIGTERM');
      await exitOf(child);
      isRestarting = false;
      if (!isStopped) child = start();
    },
    async stop() {
      isStopped = true;
      child.kill('SIGTERM');
      await exitOf(child);
    },
  };
}

async function isReady(origin, isOver) {
  while (!isOver()) {
    const answer = await fetch(`${origin}/healthz`).catch(() => undefined);
    if (answer?.ok) return true;
    await delay(200);
  }
  return false;
}

function exitOf(child) {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  return new Promise((fulfil) => child.once('exit', fulfil));
}
