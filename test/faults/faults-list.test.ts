import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { attacksOf } from '../services/attacks.ts';

/** Where a fault is tested: the file, the name of the test or flow, and the parts that no test covers. */
interface Tried {
  file: string;
  name: string;
  leftOut?: string;
}

test('every fault in the list has a test, and the list names the untested parts', () => {
  const triedBy = JSON.parse(readFileSync(join(import.meta.dirname, 'faults.json'), 'utf8')) as Record<string, Tried>;
  const faults = attacksOf<{ id: string }>('faults.jsonl').map(({ id }) => id);
  if (faults.length > 0) expect(new Set(Object.keys(triedBy))).toEqual(new Set(faults));
  const root = join(import.meta.dirname, '../..');
  for (const [id, { file, name }] of Object.entries(triedBy)) {
    expect(readFileSync(join(root, file), 'utf8'), id).toContain(name);
  }
});
