import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * Returns the folder of a program that only tests use, such as `@openai/codex@0.171.0`. Installs it from the npm registry
 * into `.cache` once, a large one only on CI. Prints a line and returns undefined without it; the caller then skips its
 * tests.
 */
export function npmPackage(name: string, version: string, { isLarge = false } = {}): string | undefined {
  const kept = resolve('.cache', `${name.replace('/', '-')}-${version}`);
  const folder = join(kept, 'node_modules', name);
  if (existsSync(folder)) return folder;
  if (isLarge && !process.env['CI']) {
    process.stdout.write(`tests of ${name}@${version} left out: set CI=1 to install it\n`);
    return undefined;
  }
  const unfinished = mkdtempSync(`${kept}-`);
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    execFileSync('npm', ['install', '--prefix', unfinished, ...options, `${name}@${version}`], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 120_000,
    });
    if (!existsSync(kept)) renameSync(unfinished, kept);
  } catch (error) {
    const reason = (error as Error).message.split('\n')[1] ?? String(error);
    process.stdout.write(`tests of ${name}@${version} left out, since npm can't install it: ${reason}\n`);
  }
  rmSync(unfinished, { recursive: true, force: true });
  return existsSync(folder) ? folder : undefined;
}
