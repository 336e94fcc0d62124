import { expect, test } from 'vitest';
import { comparison, failedWithoutPages, mediansOf, type PeerFigures } from './compare.ts';

const ours: PeerFigures = { peer: 'ours', pages_per_s: 120, p50_ms: 8, recall_at_5: 0.9, mean_tokens: 1000 };
const other: PeerFigures = { peer: 'other', pages_per_s: 6, p50_ms: 20, recall_at_5: 0.95, mean_tokens: 7300 };

/** Returns the cells of a peer's row in the last table that contains it. */
function rowOf(text: string, peer: string): string[] {
  const line = text.split('\n').findLast((candidate) => candidate.startsWith(`${peer} `));
  return (line ?? '').trim().split(/\s+/);
}

test('a ratio above one means that ours is better; recall is compared by difference', () => {
  const cells = rowOf(comparison([ours, other], 'ours'), 'other');
  expect(cells.slice(0, 2)).toEqual(['other', '20x']);
  expect(cells).toContain('2.5x');
  expect(cells).toContain('7.3x');
  expect(cells).toContain('-0.050');
});

test('a failed peer shows its reason, and missing figures stay empty', () => {
  const text = comparison([ours, { peer: 'broken', failed: 'no such package' }], 'ours');
  expect(rowOf(text, 'broken').join(' ')).toBe('broken failed: no such package');
  expect(text).not.toContain('NaN');
});

test('a peer that indexed nothing counts as failed', () => {
  const fast = { peer: 'fast', pages_per_s: 0, p50_ms: 1, mean_tokens: 9, index_notes: ['connection closed'] };
  expect(failedWithoutPages(fast)).toEqual({ peer: 'fast', failed: 'it indexed nothing (connection closed)' });
  expect(failedWithoutPages({ peer: 'floor', mean_tokens: 9 })).toEqual({ peer: 'floor', mean_tokens: 9 });
  expect(failedWithoutPages(other)).toBe(other);
});

test('a comparison without our figures throws', () => {
  expect(() => comparison([other], 'ours')).toThrow('ours was not measured: it is not in the results');
  expect(() => comparison([{ peer: 'ours', failed: 'it ended' }, other], 'ours')).toThrow('it ended');
});

test('several runs yield the median of each figure, and a peer that failed once counts as failed', () => {
  const runs = [9, 30, 10].map((p50_ms) => [{ ...ours, p50_ms }, other]);
  expect(mediansOf(runs)).toEqual([{ ...ours, p50_ms: 10 }, other]);
  expect(mediansOf([...runs, [{ peer: 'ours', failed: 'it ended' }]])[0]).toEqual({ peer: 'ours', failed: 'it ended' });
});
