// Builds the package lectern-mcp, which runs without a clone on plain Node 22 or newer: the sources that the program
// imports, without their types, and the built browser application. Node does not strip types below node_modules.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, normalize, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureWebBuilt } from './build-web.mjs';

const entry = 'server/cli/main.ts';
/** Matches imports and the names of files that are started as worker threads. */
const ownFile = /(['"])((?:\.{1,2}\/|#)[^'"\n]+)\.ts\1/g;

/** The first versions with `backup` of node:sqlite. */
const oldestNodes = [
  { major: 22, minor: 16 },
  { major: 23, minor: 8 },
];
const [{ major: oldestMajor }] = oldestNodes;
const isOlder = ({ major, minor }) => `{ [ "$major" -eq ${major} ] && [ "$minor" -lt ${minor} ]; }`;

// A shell script, because an older Node would reject the options and a module's syntax before it could print an error.
const launcher = (words) => `#!/bin/sh
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$(readlink -f -- "$0")")" && pwd)
version=$(node --version 2>/dev/null) || {
  echo "lectern: Node was not found; install Node ${oldestMajor} or newer from https://nodejs.org." >&2
  exit 1
}
major=\${version#v}
minor=\${major#*.}
major=\${major%%.*}
minor=\${minor%%.*}
if [ "$major" -lt ${oldestMajor} ] || ${oldestNodes.map(isOlder).join(' || ')}; then
  echo "lectern: Node $version is too old; this package needs Node ${oldestNodes.map(({ major, minor }) => `${major}.${minor}`).join(', ')} or newer." >&2
  exit 1
fi
MALLOC_MMAP_THRESHOLD_=\${MALLOC_MMAP_THRESHOLD_:-1048576} MALLOC_ARENA_MAX=\${MALLOC_ARENA_MAX:-2}
export MALLOC_MMAP_THRESHOLD_ MALLOC_ARENA_MAX
${words}exec node --disable-warning=ExperimentalWarning --max-semi-space-size=8 "$root/lectern.mjs" "$@"
`;

const programs = {
  lectern: launcher(''),
  // The command that agents start: it uses standard input and output unless a subcommand is given.
  'lectern-mcp': launcher('case "${1:-}" in ""|--data|--port) set -- mcp "$@" ;; esac\n'),
};

const entryModule = `import { enableCompileCache } from 'node:module';
import './disposable-stack.mjs';

enableCompileCache();
const { runCommandLine } = await import('./server/cli/main.js');
process.exitCode = await runCommandLine(process.argv.slice(2));
`;

/** Creates the tarball in `destination`; returns its path. */
async function makePackage(root, destination) {
  await ensureWebBuilt(root);
  const folder = mkdtempSync(join(tmpdir(), 'lectern-package-'));
  try {
    stagePackage(root, folder);
    return packPackage(folder, destination);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function stagePackage(root, folder) {
  for (const file of reachedFrom(root)) {
    const target = join(folder, file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, withoutTypes(readFileSync(join(root, file), 'utf8')));
  }
  for (const built of ['web', 'docs']) {
    cpSync(join(root, 'dist', built), join(folder, 'dist', built), { recursive: true });
  }
  for (const name of ['README.md', 'LICENSE', 'CHANGELOG.md']) copyFileSync(join(root, name), join(folder, name));
  for (const [name, program] of Object.entries(programs)) {
    writeFileSync(join(folder, name), program);
    chmodSync(join(folder, name), 0o755);
  }
  writeFileSync(join(folder, 'lectern.mjs'), entryModule);
  copyFileSync(join(root, 'scripts/disposable-stack.mjs'), join(folder, 'disposable-stack.mjs'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifestOf(root), null, 2)}\n`);
}

function packPackage(folder, destination) {
  const packed = spawnSync('npm', ['pack', '--json', '--pack-destination', destination], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (packed.status !== 0) throw new Error(`npm could not pack ${folder}:\n${packed.stderr}`);
  const [{ filename }] = Object.values(JSON.parse(packed.stdout));
  return join(destination, filename);
}

function reachedFrom(root) {
  const reached = new Set([entry]);
  for (const file of reached) {
    for (const [, , path] of readFileSync(join(root, file), 'utf8').matchAll(ownFile)) {
      reached.add(path.startsWith('#') ? `${path.slice(1)}.ts` : normalize(join(dirname(file), `${path}.ts`)));
    }
  }
  return reached;
}

/** Strips types and renames imports. Names with # are mapped to .js by the package's import map. */
function withoutTypes(source) {
  return stripTypeScriptTypes(source).replace(ownFile, (all, quote, path) =>
    path.startsWith('#') ? all : `${quote}${path}.js${quote}`,
  );
}

function manifestOf(root) {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { version, description, license, type, dependencies, optionalDependencies } = own;
  const imports = { '#contract/*.ts': './contract/*.js', '#server/*.ts': './server/*.js' };
  const [first, second] = oldestNodes.map(({ major, minor }) => `${major}.${minor}`);
  const engines = { node: `^${first} || >=${second}` };
  const about = { name: 'lectern-mcp', version, description, license, type, engines };
  const bin = Object.fromEntries(Object.keys(programs).map((name) => [name, name]));
  return { ...about, bin, imports, dependencies, optionalDependencies };
}

if (import.meta.main) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  process.stdout.write(`${await makePackage(root, resolve(process.argv[2] ?? root))}\n`);
}
