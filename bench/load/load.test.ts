import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { attacksOf } from '#test/services/attacks.ts';
import { temporaryFolder } from '#test/services/temporary-folder.ts';
import { bars } from './bars.ts';
import type { Line } from './load-run.ts';

const root = join(import.meta.dirname, '..', '..');

test('the bars match the shared list of measures word for word', () => {
  const listed = attacksOf<{ id: string; measure: string; pass: string; good: string }>('load.jsonl');
  for (const { id, measure, pass, good } of listed) expect(bars[id], id).toEqual({ measure, pass, good });
});

/** On a busy machine every figure is bad, so the test only checks that each line is measured and that no call fails. */
test('the quick load run measures every line, and no call fails', { timeout: 900_000 }, async () => {
  const wanted = attacksOf<{ id: string }>('load.jsonl').map(({ id }) => id);
  const file = join(temporaryFolder(), 'load.json');
  const command = [join(root, 'bench/load/run.ts'), '--quick', '--json', file];
  // Exits with 1 if a figure is not good enough.
  const output = await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', ...command])
    .catch((error: { stdout: string; stderr: string }) => error)
    .then(({ stdout, stderr }) => `${stdout}${stderr}`);
  const lines = JSON.parse(readFileSync(file, 'utf8')) as Line[];
  for (const id of wanted)
    expect(
      lines.map((line) => line.id),
      output.slice(-3_000),
    ).toContain(id);
  expect(lines.filter(({ figures }) => figures.includes('errors'))).toEqual([]);
});
