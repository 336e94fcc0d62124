import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';

const sources = [
  'web',
  'contract',
  'package-lock.json',
  'vite.config.ts',
  'react-router.config.ts',
  'tsconfig.web.json',
];

const triesMax = 3;

/** Builds the browser side into dist/web when a source changed since the last build. */
export async function ensureWebBuilt(root) {
  if (!existsSync(join(root, 'react-router.config.ts'))) return;
  const cache = join(root, '.cache');
  const stamp = join(cache, 'web-built.json');

  const isCurrent = () => {
    if (!existsSync(join(root, 'dist', 'web')) || !existsSync(stamp)) return false;
    const known = JSON.parse(readFileSync(stamp, 'utf8'));
    const files = listFiles(root);
    if (known.fileStates === statesOf(root, files)) return true;
    if (known.contentHash !== contentHashOf(root, files)) return false;
    writeFileSync(stamp, JSON.stringify({ ...known, fileStates: statesOf(root, files) }));
    return true;
  };

  if (isCurrent()) return;
  mkdirSync(cache, { recursive: true });
  await withLock(join(cache, 'build.lock'), 'the build of the browser application', () => {
    if (isCurrent()) return;
    process.stderr.write('lectern: building the browser application\n');
    const files = listFiles(root);
    const built = { fileStates: statesOf(root, files), contentHash: contentHashOf(root, files) };
    let build = runBuild(root);
    // The build tool gives a page ten seconds to be written, which a busy machine may need more than once.
    for (let tries = 1; tries < triesMax && hasTimedOut(build); tries += 1) build = runBuild(root);
    if (build.status !== 0) {
      process.stderr.write(`${build.stdout}${build.stderr}`);
      throw new Error('the browser application could not be built (see above)');
    }
    writeFileSync(stamp, JSON.stringify(built));
  });
}

function runBuild(root) {
  return spawnSync(process.execPath, [join(root, 'node_modules/@react-router/dev/bin.cjs'), 'build'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
    encoding: 'utf8',
  });
}

function hasTimedOut({ status, stderr }) {
  return status !== 0 && /Prerender: Request failed.*timeout/.test(stderr);
}

function listFiles(root) {
  return sources.flatMap((source) => {
    const status = statSync(join(root, source), { throwIfNoEntry: false });
    if (!status) return [];
    if (status.isFile()) return [source];
    return readdirSync(join(root, source), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .sort();
  });
}

function statesOf(root, files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const status = statSync(join(root, file));
    hash.update(`${file}\0${status.size}\0${status.mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function contentHashOf(root, files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0');
  return hash.digest('hex');
}

if (import.meta.main) await ensureWebBuilt(dirname(dirname(fileURLToPath(import.meta.url))));
