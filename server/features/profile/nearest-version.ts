import type { Fit } from '#contract/profile.ts';
import { compareVersions } from '#server/features/catalog/index.ts';

/** Returns how close documentation of the version `known` is to the pinned version. */
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
 * Orders versions of a library by their distance to the pinned one, nearest first. Within a major version lower
 * versions precede higher ones: their documented features exist, those of a higher one may not. If neither this major
 * version nor unversioned documentation is indexed, the order is the same as without a pin.
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

/**
 * Returns the distance: zero for a whole line (4.2 for 4.2.1); then slightly lower versions, then slightly higher ones.
 */
function distance({ version }: { version: string | null }, part: number, target: number[]): number {
  const own = numbersOf(version)[part];
  if (own === undefined) return part === 2 ? 0 : higher / 2;
  const by = (target[part] ?? 0) - own;
  return by >= 0 ? by : higher - by;
}

/** Larger than any difference between versions. */
const higher = 1e9;

/** Returns the version in lower case, without leading `v` and build metadata (`+incompatible`). */
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
