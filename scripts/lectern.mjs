// Entry of every command: makes sure that the command's dependencies are installed and built, then runs it. Plain
// JavaScript without dependencies, because it runs before anything is installed.
import { spawn } from 'node:child_process';
import { enableCompileCache } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureDocsBuilt, ensureWebBuilt } from './build-web.mjs';
import { ensureInstalled, isInstalled } from './install.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [command = '', ...rest] = process.argv.slice(2);

/** Development commands; all others belong to the product. */
const workshop = {
  // Nothing to do here: the launcher has built everything before it runs a command.
  build: () => undefined,
  check: () => import('./check.mjs').then(({ check }) => check(root)),
  test: () => import('./run-tests.mjs').then(({ runTests }) => runTests(root, rest)),
  dev: async () => {
    const { dev } = await import('./dev.mjs');
    await ensureDocsBuilt(root);
    return dev(root, rest);
  },
  eval: () => {
    const part = ['fidelity', 'names'].find((name) => name === rest[0]);
    return part === undefined ? runTypeScript('eval/run.ts') : runTypeScript(`eval/${part}/run.ts`, 3);
  },
  'eval-tasks': () => runTypeScript('eval/tasks/run.ts'),
  bench: () => runTypeScript('bench/run.ts'),
  peers: () => runTypeScript('bench/peers/run.ts'),
  capacity: () => runTypeScript('bench/capacity.ts'),
  observed: () => runTypeScript('bench/observed.ts'),
  faults: () => import('./run-tests.mjs').then(({ runFaults }) => runFaults(root, rest)),
  load: () => runTypeScript('bench/load/run.ts'),
  advisories: () => import('./audit.mjs').then(({ audit }) => (audit(root).failed > 0 ? 1 : 0)),
  sbom: () => import('./sbom.mjs').then(({ writeBillOfMaterials }) => tell(writeBillOfMaterials(root, billFile()))),
  reproduce: () => import('./reproduce.mjs').then(({ reproduce }) => reproduce(root)),
  drill: () => import('./drill.mjs').then(({ drill }) => drill(root)),
  screens: () => import('./screens.mjs').then(({ takeScreens }) => takeScreens(root, rest)),
  'social-images': () => import('./social-images.mjs').then(({ drawSocialImages }) => drawSocialImages(root)),
};
const needsWeb = new Set(['start', 'build', 'eval', 'bench', 'peers', 'observed', 'load', 'screens']);

function billFile() {
  return resolve(rest[0] ?? 'lectern.cdx.json');
}

function tell(line) {
  process.stdout.write(`${line}\n`);
}

async function runTypeScript(file, words = 2) {
  process.argv.splice(1, words, resolve(root, file));
  await import(resolve(root, file));
}

/** Caches compiled code between starts if the folder is writable: faster starts with less memory. */
function keepCompiledCode() {
  // Worker threads only read the variable.
  process.env.NODE_COMPILE_CACHE ??= join(root, '.cache/compiled');
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
}

async function runProduct() {
  keepCompiledCode();
  const { runCommandLine } = await import('../server/cli/main.ts');
  return runCommandLine(process.argv.slice(2));
}

/** Agents wait half a minute for a response, and the launcher may have used some of it to fetch Node. */
const installPatienceMs = 15_000;

/**
 * Serves an agent before the packages are installed: a relay does not need them. Otherwise a detached process installs
 * the packages and continues even if the agent gives up and ends this one; returns true if it finished in time to
 * continue here.
 */
async function serveUninstalled() {
  const { relayStdio, refuseStdio } = await import('../server/cli/relay-stdio.ts');
  const { LECTERN_URL, LECTERN_API_KEY, LECTERN_PROJECT, LECTERN_DATA } = process.env;
  const { values } = parseArgs({ args: rest, options: { data: { type: 'string' } }, strict: false });
  const isRelayed = await relayStdio({
    serverUrl: LECTERN_URL?.trim().replace(/\/$/, '') || undefined,
    apiKey: LECTERN_API_KEY?.trim() || undefined,
    project: LECTERN_PROJECT || undefined,
    dataFolder: resolve(values.data || LECTERN_DATA || './.data'),
  });
  if (isRelayed) return false;
  const installer = spawn(process.execPath, [process.argv[1], 'help'], { detached: true, stdio: 'ignore' });
  const status = await new Promise((done) => {
    installer.once('exit', (code) => done(code ?? 1));
    setTimeout(done, installPatienceMs).unref();
  });
  installer.unref();
  if (status === 0) return true;
  await refuseStdio(
    status === undefined
      ? 'Lectern is installing its packages, which it does once. Connect again in two minutes.'
      : `The packages could not be installed. Run "${join(root, 'lectern')} help" in a terminal to see why.`,
  );
  return false;
}

try {
  const isHelp = rest.includes('--help') || rest.includes('-h');
  const goesOn = command !== 'mcp' || isHelp || isInstalled(root) || (await serveUninstalled());
  if (goesOn) await ensureInstalled(root);
  if (needsWeb.has(command) && !isHelp && rest[0] !== 'fidelity') await ensureWebBuilt(root);
  const status = goesOn && (await (Object.hasOwn(workshop, command) ? workshop[command]() : runProduct()));
  if (typeof status === 'number') process.exitCode = status;
} catch (error) {
  process.stderr.write(`lectern: ${process.env.LOG_LEVEL === 'debug' ? error.stack : error.message}\n`);
  process.exitCode = 1;
}
