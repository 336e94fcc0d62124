const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const oneDigit = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** Returns a count such as '12,345'. */
export function formatCount(count: number): string {
  return whole.format(count);
}

/** Returns an amount such as '$9.00' or '−$4.50'. */
export function formatUsd(cents: number): string {
  return dollars.format(cents / 100).replace('-', '−');
}

/** Returns a count such as '12.3K', where exact figures would be noise. */
export function formatCompact(count: number): string {
  return compact.format(count);
}

/** Returns a count with its noun, such as '1 page' or '12,345 pages'. */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}

/** Returns a size such as '3.4 MB', in decimal units as for disks. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return `${oneDigit.format(bytes / 1_000 ** power)} ${units[power]}`;
}

/** Returns a time such as '4 ms', '0.4 ms' or '1.2 s'. */
export function formatMs(ms: number): string {
  if (ms >= 1_000) return `${oneDigit.format(ms / 1_000)} s`;
  return ms < 1 && ms > 0 ? `${oneDigit.format(Math.max(ms, 0.1))} ms` : `${whole.format(ms)} ms`;
}

/** Returns a duration such as '45 s', '2 min 5 s' or '1 h 4 min'. */
export function formatSeconds(seconds: number): string {
  const total = Math.max(0, Math.round(seconds));
  if (total < 60) return `${total} s`;
  if (total < 3_600) return total % 60 === 0 ? `${total / 60} min` : `${Math.floor(total / 60)} min ${total % 60} s`;
  const minutes = Math.floor((total % 3_600) / 60);
  return minutes === 0 ? `${Math.floor(total / 3_600)} h` : `${Math.floor(total / 3_600)} h ${minutes} min`;
}

/** Returns a rate such as '12.4' below a hundred, '124' above. */
export function formatRate(perSecond: number): string {
  return perSecond < 100 ? oneDigit.format(perSecond) : whole.format(perSecond);
}

const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' });
const lengths = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Returns a relative time such as '3 minutes ago'; below a minute 'just now'. */
export function relativeTo(at: number, now: number): string {
  const seconds = (at - now) / 1_000;
  const unit = lengths.find(([, length]) => Math.abs(seconds) >= length);
  return unit ? ago.format(Math.trunc(seconds / unit[1]), unit[0]) : 'just now';
}

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Returns a UTC date such as 'December 12, 2026'. */
export function formatDay(at: number): string {
  return day.format(at);
}
