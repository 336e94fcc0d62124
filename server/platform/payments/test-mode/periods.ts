/** End of the monthly period that `at` is in: the same day and time as the start, or the last day of a shorter month. */
export function endOfPeriod(startedAt: number, at: number): number {
  const start = new Date(startedAt);
  const now = new Date(at);
  const months = (now.getUTCFullYear() - start.getUTCFullYear()) * 12 + now.getUTCMonth() - start.getUTCMonth();
  const end = monthsAfter(startedAt, months);
  return end > at ? end : monthsAfter(startedAt, months + 1);
}

function monthsAfter(instant: number, months: number): number {
  const start = new Date(instant);
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth() + months];
  // Day 0 of the month after is the last day of this one.
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const midnight = Date.UTC(year, month, Math.min(start.getUTCDate(), lastDay));
  return midnight + (instant % 86_400_000);
}
