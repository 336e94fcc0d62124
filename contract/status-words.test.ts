import { expect, test } from 'vitest';
import { dayInWords, daysInWords, uptimeInWords } from './status-words.ts';

const day = {
  at: Date.UTC(2026, 0, 5),
  state: 'operational' as const,
  checks: 1_440,
  failed: 0,
  impaired: 0,
  measured: 1,
};

test('an uptime is never rounded up', () => {
  expect(uptimeInWords(1)).toBe('100%');
  expect(uptimeInWords(0.999999)).toBe('99.99%');
  expect(uptimeInWords(null)).toBe('No data');
});

test('the text of a day has its state and what was not measured', () => {
  expect(dayInWords(day)).toBe('January 5: operational');
  expect(dayInWords({ ...day, state: 'unknown', checks: 0, measured: 0 })).toBe('January 5: no data');
  expect(dayInWords({ ...day, state: 'degraded', failed: 3, impaired: 2, measured: 0.5 })).toBe(
    'January 5: degraded, 3 of 1,440 checks failed, 2 degraded, measured for 50% of the day',
  );
});

test('the text of many days lists those with problems and counts the others', () => {
  const bad = { ...day, at: day.at + 86_400_000, state: 'down' as const, failed: 2 };
  const empty = { ...day, checks: 0 };
  expect(daysInWords('Search', [empty, day, bad])).toBe(
    'Search, day by day: January 6: down, 2 of 1,440 checks failed; 1 day without problems',
  );
  expect(daysInWords('Search', Array(12).fill(bad))).toMatch(/; 2 more days with problems; 0 days without problems$/);
});
