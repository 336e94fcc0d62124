import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { checkDocs } from './check-docs.mjs';
import { checkLockfile } from './check-lockfile.mjs';
import { checkProse } from './check-prose.mjs';

const bin = (path) => join('node_modules', path);
const tsc = bin('typescript/bin/tsc');
const rooms = ['contract', 'server', 'web', 'eval', 'bench', 'test', 'scripts'];

/** Maps a name to command lines run one after another, or to a function that returns the faults it found. */
const checks = {
  lint: [[bin('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings', '--format=unix', '.']],
  'unused code': [[bin('knip/bin/knip.js'), '--no-progress', '--no-config-hints']],
  doors: doorsAreShut,
  'types of the browser side': (root) =>
    existsSync(join(root, 'react-router.config.ts'))
      ? runAll(root, [
          [bin('@react-router/dev/bin.cjs'), 'typegen'],
          [tsc, '-p', 'tsconfig.web.json'],
        ])
      : [],
  'types of the server': [[tsc, '-p', 'tsconfig.json']],
  'types of the contract': [[tsc, '-p', 'tsconfig.contract.json']],
  format: [[bin('@biomejs/biome/bin/biome'), 'ci', '--error-on-warnings', '--reporter=summary', '--colors=off', '.']],
  documents: checkDocs,
  prose: checkProse,
  lockfile: checkLockfile,
};

/** Runs every check and prints one line for each. Returns the exit code, 0 if all passed. */
export async function check(root) {
  const { failed } = await runChecks(root);
  return failed === 0 ? 0 : 1;
}

/** Like `check`, but returns how many passed and failed. */
export async function runChecks(root) {
  const started = performance.now();
  const waiting = Object.entries(checks);
  const failedNames = [];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, how] = next;
      const begun = performance.now();
      const faults = await (typeof how === 'function' ? how(root) : runAll(root, how));
      if (faults.length > 0) failedNames.push(name);
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      process.stdout.write(`${faults.length === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)\n`);
      for (const fault of faults) process.stdout.write(`${fault.trimEnd().replace(/^/gm, '     ')}\n`);
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, worker));
  const total = Object.keys(checks).length;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(
    failedNames.length === 0
      ? `checks: all ${total} passed in ${seconds} s\n`
      : `checks: ${failedNames.length} of ${total} FAILED in ${seconds} s: ${failedNames.join(', ')}\n`,
  );
  return { passed: total - failedNames.length, failed: failedNames.length };
}

async function doorsAreShut(root) {
  const present = rooms.filter((room) => existsSync(join(root, room)));
  const command = [bin('dependency-cruiser/bin/dependency-cruiser.mjs'), '--output-type', 'json', ...present];
  const { output, errors } = await runNode(root, command);
  const start = output.indexOf('{');
  if (start < 0) return [`${output}${errors}`];
  const { summary, modules } = JSON.parse(output.slice(start));
  const faults = summary.violations.map(({ from, to, rule, cycle }) => {
    const path = cycle ? cycle.map((step) => step.name).join(' -> ') : to;
    return `${from} -> ${path}: ${rule.name}`;
  });
  // A parser that cannot read TypeScript finds no modules and therefore no faults: check the number of modules.
  const seen = modules.filter((module) => /\.(tsx?|mjs)$/.test(module.source) && module.dependencies).length;
  const written = present.reduce((sum, room) => sum + countSources(join(root, room)), 0);
  if (seen < written * 0.9) faults.push(`only ${seen} of ${written} source files were read; the check is blind`);
  return faults;
}

function countSources(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && /\.(tsx?|mjs)$/.test(entry.name) && !entry.name.endsWith('.d.ts'),
  ).length;
}

async function runAll(root, commands) {
  for (const command of commands) {
    const { status, output, errors } = await runNode(root, command);
    if (status !== 0) return [`${output}${errors}`.trim() || `ended with code ${status}`];
  }
  return [];
}

function runNode(root, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
    });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      errors += text;
    });
    child.once('error', reject).once('close', (status) => resolve({ status, output, errors }));
  });
}
