import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Runs `work` while holding the folder `lock`; waits for another process that holds it, unless that process is dead.
 */
export async function withLock(lock, what, work) {
  let hasSaidSo = false;
  while (!tryLock(lock)) {
    if (!hasSaidSo) process.stderr.write(`lectern: waiting for ${what} by another process\n`);
    hasSaidSo = true;
    await delay(20);
  }
  const release = () => rmSync(lock, { recursive: true, force: true });
  const stop = () => {
    release();
    process.exit(130);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    return await work();
  } finally {
    // A signal that arrived while waiting for a child is handled only in the event loop's next turn.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('SIGINT', stop).off('SIGTERM', stop);
    release();
  }
}

function tryLock(lock) {
  try {
    mkdirSync(lock);
    writeFileSync(join(lock, 'pid'), String(process.pid));
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isAbandoned(lock)) removeAbandoned(lock);
    return false;
  }
}

/**
 * Checks again while no other process may remove the lock: meanwhile it may have been removed and acquired by another
 * process.
 */
function removeAbandoned(lock) {
  const claim = `${lock}.claim`;
  try {
    mkdirSync(claim);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isOld(claim)) rmSync(claim, { recursive: true, force: true });
    return;
  }
  try {
    if (isAbandoned(lock)) rmSync(lock, { recursive: true, force: true });
  } finally {
    rmSync(claim, { recursive: true, force: true });
  }
}

function isAbandoned(lock) {
  try {
    process.kill(Number(readFileSync(join(lock, 'pid'), 'utf8')), 0);
    return false;
  } catch (error) {
    if (error.code === 'ESRCH') return true;
    if (error.code !== 'ENOENT') return false;
    // The pid file follows mkdir within microseconds; a folder that lacks it for longer has lost its owner.
    return isOld(lock);
  }
}

function isOld(folder) {
  const made = statSync(folder, { throwIfNoEntry: false });
  return made !== undefined && Date.now() - made.mtimeMs > 5_000;
}
