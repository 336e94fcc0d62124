/** Names that projects give to what is not released yet. */
const unreleased = /^(?:main|master|trunk|dev|devel|develop|next|nightly|canary|unstable|edge|head)$/;
const release = /^(\d+(?:\.\d+)*)(?:\.x)?$/;
const preRelease = /^(\d+(?:\.\d+)*)[-.]?(?:a|alpha|b|beta|rc|pre|dev)[-.]?\d*$/;

/** The lower, the sooner a version stands for its library when no one names one. */
function standing(version: string | null): number {
  if (version === 'stable') return 0;
  if (version === null) return 1;
  if (release.test(version)) return 2;
  if (version === 'latest' || version === 'current') return 3;
  return preRelease.test(version) ? 4 : unreleased.test(version) ? 6 : 5;
}

/**
 * Orders versions: the newest stable one first, then older ones, then what is not released yet. Documentation without a
 * version of its own is that of the present release. `3` is the newest of the 3.x and goes before `3.11`.
 */
export function compareVersions(one: string | null, other: string | null): number {
  const [a, b] = [one?.toLowerCase() ?? null, other?.toLowerCase() ?? null];
  return standing(a) - standing(b) || compareNumbers(numbersOf(b), numbersOf(a)) || (b ?? '').localeCompare(a ?? '');
}

/** Returns true if a request for `asked` means `known`: the same, a release of that line, or the line of that release. */
export function isVersion(known: string | null, asked: string): boolean {
  if (known === null) return false;
  const [a, b] = [known.toLowerCase(), asked.toLowerCase()];
  return a === b || a.startsWith(`${b}.`) || (release.test(a) && b.startsWith(`${a.replace(/\.x$/, '')}.`));
}

function numbersOf(version: string | null): number[] {
  const numbers = /^\d+(?:\.\d+)*/.exec(version ?? '')?.[0];
  return numbers === undefined ? [] : numbers.split('.').map(Number);
}

/** A part that is not there stands for the newest there is. */
function compareNumbers(a: number[], b: number[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const difference = (a[at] ?? Number.MAX_SAFE_INTEGER) - (b[at] ?? Number.MAX_SAFE_INTEGER);
    if (difference !== 0) return difference;
  }
  return 0;
}
