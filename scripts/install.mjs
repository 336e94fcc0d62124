import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { whereWritable, writeIfWritable } from './read-only.mjs';

const mtimeOf = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * Installs the locked packages if they are missing, older than the lockfile, or half installed. Costs three `stat`
 * calls if nothing needs to be done. If two processes run at once, only one installs.
 */
export async function ensureInstalled(root) {
  const { lockfile, cache, stamp, unfinished } = filesOf(root);
  if (isInstalled(root)) return;
  await whereWritable(root, 'the packages', async () => {
    mkdirSync(cache, { recursive: true });
    await withLock(join(cache, 'install.lock'), 'the installation of packages', () => {
      if (isInstalled(root)) return;
      process.stderr.write('lectern: installing packages (once)\n');
      writeFileSync(unfinished, '');
      const npm = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
        cwd: root,
        stdio: ['ignore', 2, 2],
      });
      if (npm.error) throw new Error('npm was not found; install Node with npm and try again', { cause: npm.error });
      if (npm.status !== 0)
        throw new Error('packages could not be installed (see above); check the network and try again');
      writeFileSync(stamp, JSON.stringify({ lockfileHash: hashOf(lockfile), lockfileMtimeMs: mtimeOf(lockfile) }));
      rmSync(unfinished, { force: true });
    });
  });
}

function filesOf(root) {
  const cache = join(root, '.cache');
  return {
    cache,
    lockfile: join(root, 'package-lock.json'),
    stamp: join(cache, 'installed.json'),
    unfinished: join(cache, 'installing'),
    // npm writes this file last, so it also proves a manual install.
    installed: join(root, 'node_modules', '.package-lock.json'),
  };
}

/** Returns true if the locked packages are installed. */
export function isInstalled(root) {
  const { lockfile, stamp, unfinished, installed } = filesOf(root);
  if (existsSync(unfinished) || !existsSync(installed)) return false;
  if (mtimeOf(installed) >= mtimeOf(lockfile)) return true;
  const known = existsSync(stamp) ? JSON.parse(readFileSync(stamp, 'utf8')) : {};
  if (known.lockfileMtimeMs === mtimeOf(lockfile)) return true;
  if (known.lockfileHash !== hashOf(lockfile)) return false;
  writeIfWritable(stamp, JSON.stringify({ ...known, lockfileMtimeMs: mtimeOf(lockfile) }));
  return true;
}

function hashOf(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
