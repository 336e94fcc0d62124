import { expect, test } from 'vitest';
import { whoseDays } from './whose-days.ts';

test('the dashboard names the team or the person, and no one before it is known which', () => {
  expect(whoseDays({ team: { name: 'Analytical Engines' } }, 'Ada')).toBe('Analytical Engines');
  expect(whoseDays(null, 'Ada')).toBe('Ada');
  expect(whoseDays(undefined, 'Ada')).toBeUndefined();
  expect(whoseDays(null, undefined)).toBeUndefined();
});
