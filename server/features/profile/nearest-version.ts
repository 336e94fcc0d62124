import type { Fit } from '#contract/profile.ts';
import { compareVersions } from '#server/features/catalog/index.ts';

/** How near documentation of the version `known` is to what is pinned. */
export function fitOf(known: string | null, pinned: string): Fit {
  const wanted = plain(pinned);
  if (known !== null && plain(known) === wanted) return 'exact';
  const numbers = numbersOf(known);
  const target = numbersOf(wanted);
  if (numbers.length === 0) return 'unversioned';
  if (numbers[0] !== target[0]) return 'other';
  return numbers.length > 1 && numbers[1] === target[1] ? 'same-minor' : 'same-major';
}

const nearness: Record<Fit, number> = {
  exact: 0,
  'same-minor': 1,
  'same-major': 2,
  unversioned: 3,
  other: 4,
};

/**
 * Versions of one library, the nearest to what is pinned first. Of the same major version the next lower goes before a
 * higher one: what it documents is there, what a higher one does may not be. With nothing of that major version, and no
 * documentation without a version, they stand as they would without a pin.
 */
export function nearestFirst<Known extends { version: string | null }>(versions: Known[], pinned: string): Known[] {
  const target = numbersOf(plain(pinned));
  return versions.toSorted((a, b) => {
    const [fit, other] = [fitOf(a.version, pinned), fitOf(b.version, pinned)];
    if (fit !== other) return nearness[fit] - nearness[other];
    if (fit === 'same-minor') return distance(a, 2, target) - distance(b, 2, target);
    if (fit === 'same-major') return distance(a, 1, target) - distance(b, 1, target);
    return compareVersions(a.version, b.version);
  });
}

/** A whole line (4.2 for 4.2.1) is as near as can be; then what is lower by little, then what is higher by little. */
function distance({ version }: { version: string | null }, part: number, target: number[]): number {
  const own = numbersOf(version)[part];
  if (own === undefined) return part === 2 ? 0 : higher / 2;
  const by = (target[part] ?? 0) - own;
  return by >= 0 ? by : higher - by;
}

/** More than versions differ by. */
const higher = 1e9;

/** Without a leading `v`, what was built (`+incompatible`) and capitals. */
function plain(version: string): string {
  return version
    .toLowerCase()
    .replace(/^v(?=\d)/, '')
    .replace(/\+.*$/, '');
}

function numbersOf(version: string | null): number[] {
  const numbers = /^v?(\d+(?:\.\d+)*)/i.exec(version ?? '')?.[1];
  return numbers === undefined ? [] : numbers.split('.').map(Number);
}
