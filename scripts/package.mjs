// Makes a package that runs without a clone, on plain Node 24: the sources that the program reaches without their types,
// and the built browser application. Node does not strip types below node_modules.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, normalize, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureWebBuilt } from './build-web.mjs';

const entry = 'server/cli/main.ts';
/** Imports, and the names of files that are started as threads. */
const ownFile = /(['"])((?:\.{1,2}\/|#)[^'"\n]+)\.ts\1/g;

// Some systems read no more than 127 characters of the first line.
const launcher = `#!/usr/bin/env -S MALLOC_MMAP_THRESHOLD_=1048576 node --disable-warning=ExperimentalWarning --max-semi-space-size=8
import { enableCompileCache } from 'node:module';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 4)) {
  process.stderr.write(\`lectern: Node \${process.version} is too old; this package needs Node 24.4 or newer.\\n\`);
  process.exit(1);
}
enableCompileCache();
const { runCommandLine } = await import('./server/cli/main.js');
process.exitCode = await runCommandLine(process.argv.slice(2));
`;

/** Makes the tarball in `destination`; answers its path. */
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
  // The name that the program prints in configurations for agents.
  writeFileSync(join(folder, 'lectern'), launcher);
  chmodSync(join(folder, 'lectern'), 0o755);
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

/** Names with # are turned into .js by the package's own map. */
function withoutTypes(source) {
  return stripTypeScriptTypes(source).replace(ownFile, (all, quote, path) =>
    path.startsWith('#') ? all : `${quote}${path}.js${quote}`,
  );
}

function manifestOf(root) {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { name, version, description, license, type, engines, dependencies, optionalDependencies } = own;
  const imports = { '#contract/*.ts': './contract/*.js', '#server/*.ts': './server/*.js' };
  const about = { name, version, description, license, type, engines };
  return { ...about, bin: { lectern: 'lectern' }, imports, dependencies, optionalDependencies };
}

if (import.meta.main) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  process.stdout.write(`${await makePackage(root, resolve(process.argv[2] ?? root))}\n`);
}
