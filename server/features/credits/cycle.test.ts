import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { billingCycle } from './cycle.ts';

const at = (text: string) => Date.parse(text.length > 10 ? text : `${text}T00:00:00Z`);
const dayMs = 86_400_000;
const instant = fc.integer({ min: at('1999-01-01'), max: at('2150-12-31') });

describe('the billing cycle', () => {
  test.each([
    // [subscription start, now, cycle start, cycle end]
    ['2026-01-15', '2026-03-15', '2026-03-15', '2026-04-15'],
    ['2026-01-15', '2026-03-14T23:59:59.999Z', '2026-02-15', '2026-03-15'],
    ['2026-01-31', '2026-02-27', '2026-01-31', '2026-02-28'],
    ['2026-01-31', '2026-02-28', '2026-02-28', '2026-03-31'],
    ['2026-01-31', '2026-03-30', '2026-02-28', '2026-03-31'],
    ['2023-12-31', '2024-02-29', '2024-02-29', '2024-03-31'],
    ['2024-02-29', '2025-02-28', '2025-02-28', '2025-03-29'],
    ['2024-01-30', '2024-02-28', '2024-01-30', '2024-02-29'],
    ['2026-01-01', '2026-12-31', '2026-12-01', '2027-01-01'],
    ['2026-05-20', '2027-01-03', '2026-12-20', '2027-01-20'],
    ['2026-05-20T23:59:59Z', '2026-06-20T00:00:00Z', '2026-06-20', '2026-07-20'],
  ])('started %s, asked on %s: %s to %s', (start, now, from, to) => {
    expect(billingCycle(at(start), at(now))).toMatchObject({ startAt: at(from), endAt: at(to) });
  });

  test('is named by the month it began in and the day of the subscription, not the actual first day', () => {
    expect(billingCycle(at('2025-08-31'), at('2026-03-02'))).toMatchObject({ year: 2026, month: 2, day: 31 });
    expect(billingCycle(at('2025-08-31'), at('2026-01-02'))).toMatchObject({ year: 2025, month: 12, day: 31 });
  });

  test('contains the given instant, over a century and a half', () => {
    fc.assert(
      fc.property(instant, instant, (start, now) => {
        const cycle = billingCycle(start, now);
        expect(cycle.startAt).toBeLessThanOrEqual(now);
        expect(cycle.endAt).toBeGreaterThan(now);
        const days = (cycle.endAt - cycle.startAt) / dayMs;
        expect(Number.isInteger(days)).toBe(true);
        expect(days).toBeGreaterThanOrEqual(28);
        expect(days).toBeLessThanOrEqual(31);
      }),
      { numRuns: 2_000 },
    );
  });

  test('begins on the anchor day, or on the last day of a shorter month', () => {
    fc.assert(
      fc.property(instant, instant, (start, now) => {
        const cycle = billingCycle(start, now);
        const first = new Date(cycle.startAt);
        const isLastDay = new Date(cycle.startAt + dayMs).getUTCDate() === 1;
        expect(first.getUTCDate() === cycle.day || (isLastDay && first.getUTCDate() < cycle.day)).toBe(true);
        expect([first.getUTCFullYear(), first.getUTCMonth() + 1]).toEqual([cycle.year, cycle.month]);
      }),
      { numRuns: 2_000 },
    );
  });

  test('follows the previous one without a gap and has a unique name', () => {
    fc.assert(
      fc.property(instant, instant, (start, now) => {
        const cycle = billingCycle(start, now);
        expect(billingCycle(start, cycle.endAt - 1)).toEqual(cycle);
        const next = billingCycle(start, cycle.endAt);
        expect(next.startAt).toBe(cycle.endAt);
        expect([next.year, next.month]).not.toEqual([cycle.year, cycle.month]);
      }),
      { numRuns: 2_000 },
    );
  });
});
