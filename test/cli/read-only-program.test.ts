import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ordinaryUser } from '../services/postgres.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';

const script = (name: string) => fileURLToPath(new URL(`../../scripts/${name}`, import.meta.url));

/** Runs one step before a start, as a user who cannot write to the program's folder. */
async function runStep(root: string, file: string, step: string) {
  const code = `const { ${step} } = await import(${JSON.stringify(script(file))});
    await ${step}(${JSON.stringify(root)}).catch((error) => { console.log(error.message); process.exitCode = 1; });`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    ...{ encoding: 'utf8', cwd: '/' },
    ...(await ordinaryUser()),
  });
  return { status, text: stdout + stderr };
}

function programFolder(files: Record<string, string>): string {
  const root = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  for (const folder of ['.', '.cache']) {
    mkdirSync(join(root, folder), { recursive: true });
    chmodSync(join(root, folder), 0o555);
  }
  return root;
}

test('a program that is not built or installed, in a read-only folder, names the command to run', async () => {
  const root = programFolder({ 'react-router.config.ts': '' });
  for (const [file, step] of [
    ['build-web.mjs', 'ensureDocsBuilt'],
    ['install.mjs', 'ensureInstalled'],
  ] as const) {
    const { status, text } = await runStep(root, file, step);
    expect([status, text]).toEqual([1, expect.stringMatching(/can't write to .*Run ".\/lectern build" there/)]);
  }
});

test('a program whose files were only copied after installation starts from a read-only folder', async () => {
  const lockfile = 'package-lock.json';
  const root = programFolder({ [lockfile]: '{}', 'node_modules/.package-lock.json': '{}' });
  const { createHash } = await import('node:crypto');
  const lockfileHash = createHash('sha256')
    .update(readFileSync(join(root, lockfile)))
    .digest('hex');
  chmodSync(join(root, '.cache'), 0o755);
  writeFileSync(join(root, '.cache/installed.json'), JSON.stringify({ lockfileHash, lockfileMtimeMs: 1 }), {
    mode: 0o444,
  });
  chmodSync(join(root, '.cache'), 0o555);
  utimesSync(join(root, lockfile), new Date(), new Date(Date.now() + 60_000));
  expect(await runStep(root, 'install.mjs', 'ensureInstalled')).toEqual({ status: 0, text: '' });
});
