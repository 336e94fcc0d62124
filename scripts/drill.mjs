import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Runs the long form of the drill in test/scale/. Returns the exit code. */
export async function drill(root) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const env = { ...process.env, LECTERN_DRILL: 'long', CI: 'true' };
  const args = [vitest, 'run', '--project', 'crossing', 'test/scale/drill.test.ts'];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}
