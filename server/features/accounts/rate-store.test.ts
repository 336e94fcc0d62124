import { expect, test } from 'vitest';
import { freshDatabase, onEachDatabase } from '#test/services/database.ts';
import { deleteEndedRateCounts } from './rate-store.ts';

onEachDatabase('expired counts', (kind) => {
  test('are deleted in batches, so that no call waits for all of them, and current counts stay', async () => {
    const { query } = await freshDatabase(kind);
    const rows = Array.from({ length: 2_500 }, (_, at) => ({ bucket: `b${at}`, count: 1, startedAt: 0, endsAt: at }));
    for (let from = 0; from < rows.length; from += 500) {
      await query
        .insertInto('rateCounts')
        .values(rows.slice(from, from + 500))
        .execute();
    }
    const left: number[] = [];
    for (let calls = 0; calls < 3; calls += 1) {
      await deleteEndedRateCounts(query, 1_499);
      left.push((await query.selectFrom('rateCounts').select('bucket').execute()).length);
    }
    expect(left).toEqual([1_500, 1_000, 1_000]);
    const { endsAt } = await query
      .selectFrom('rateCounts')
      .select('endsAt')
      .orderBy('endsAt')
      .executeTakeFirstOrThrow();
    expect(endsAt).toBe(1_500);
  });
});
