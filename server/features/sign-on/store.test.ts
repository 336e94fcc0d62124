import { expect, test } from 'vitest';
import { freshDatabase, onEachDatabase } from '#test/services/database.ts';
import { fillSealed } from '#test/services/sealed-rows.ts';
import { listProofsToCheck } from './store.ts';

const dayMs = 86_400_000;
const now = 1_000 * dayMs;

onEachDatabase('domain proofs', (kind) => {
  test.each([
    ['never', null, true],
    ['an hour ago', now - dayMs / 24, false],
    ['a day ago', now - dayMs, true],
    ['by a clock that was ahead', now + 300 * dayMs, true],
  ])('a record last checked %s', async (_, checkedAt, isDue) => {
    const db = await freshDatabase(kind);
    await fillSealed(db, [new Uint8Array(32)]);
    await db.query.updateTable('teamSignOns').set({ verifiedAt: 1, checkedAt }).execute();
    expect(await listProofsToCheck(db.query, now, dayMs)).toHaveLength(isDue ? 1 : 0);
  });
});
