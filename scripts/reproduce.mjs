import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Builds the package twice, from the checked-out commit and in two folders of different names, and compares the bytes.
 * Prints the checksum, or the files that differ. Returns the exit code.
 */
export function reproduce(root) {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-reproduce-'));
  try {
    const [first, second] = ['first', 'the-second'].map((name) => buildIn(root, join(folder, name)));
    const [one, other] = [first, second].map((file) => createHash('sha512').update(readFileSync(file)).digest('hex'));
    if (one === other) {
      process.stdout.write(`two builds are equal: sha512 ${one}\n`);
      return 0;
    }
    process.stdout.write('two builds differ:\n');
    for (const name of differences(folder, first, second)) process.stdout.write(`     ${name}\n`);
    return 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function buildIn(root, folder) {
  const out = join(folder, 'out');
  mkdirSync(out, { recursive: true });
  const clone = join(folder, 'clone');
  run('git', ['clone', '--quiet', '--no-hardlinks', root, clone], folder);
  cpSync(join(root, 'node_modules'), join(clone, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  return run(process.execPath, ['--disable-warning=ExperimentalWarning', 'scripts/package.mjs', out], clone)
    .trim()
    .split('\n')
    .at(-1);
}

function differences(folder, ...packages) {
  const trees = packages.map((file, at) => {
    const tree = join(folder, `tree-${at}`);
    mkdirSync(tree);
    run('tar', ['xzf', file, '-C', tree], folder);
    return tree;
  });
  const { stdout } = spawnSync('diff', ['-rq', ...trees], { encoding: 'utf8' });
  return stdout.trim().split('\n');
}

function run(command, args, cwd) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed: ${stderr}`);
  return stdout;
}
