import { describe, expect, test } from 'vitest';
import { isReversed, readActivityFilters, transactionQuery, writeActivityFilters } from './activity-filters.ts';

const read = (text: string) => readActivityFilters(new URLSearchParams(text));

describe('activity filters in the URL', () => {
  test.each(['', 'type=usage', 'from=2026-01-01&to=2026-01-31', 'type=initial&to=2024-02-29'])('keeps "%s"', (text) => {
    expect(writeActivityFilters(read(text)).toString()).toBe(text);
  });

  test.each(['type=all', 'type=nonsense', 'from=', 'from=yesterday', 'to=2026-13-01', 'from=2026-1-1', 'x=1'])(
    'drops "%s"',
    (text) => {
      expect(writeActivityFilters(read(text)).toString()).toBe('');
    },
  );

  test('only a first day after the last day is an empty range', () => {
    expect(isReversed(read('from=2026-02-01&to=2026-01-31'))).toBe(true);
    expect(isReversed(read('from=2026-01-31&to=2026-01-31'))).toBe(false);
    expect(isReversed(read('from=2026-02-01'))).toBe(false);
    expect(isReversed(read('to=2026-01-31'))).toBe(false);
  });

  test('a day lasts from its start to its end in the local time zone', () => {
    const query = transactionQuery({ type: 'all', from: '2026-03-01', to: '2026-03-01' });
    expect(query.from).toBe(new Date(2026, 2, 1).getTime());
    expect(query.to).toBe(new Date(2026, 2, 2).getTime() - 1);
    expect(transactionQuery({ type: 'usage', from: '', to: '' })).toEqual({ type: 'usage', limit: 200 });
  });
});
