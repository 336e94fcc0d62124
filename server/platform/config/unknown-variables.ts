const prefix = 'LECTERN_';
/** Of the launcher and the project's own programs; they configure no server. */
const otherNames = new Set(['LECTERN_DEV_SERVER', 'LECTERN_DRILL', 'LECTERN_FAULTS']);

/** Names that begin as ours do and are none of them, one sentence each: what was meant would be left out without a word. */
export function unknownVariables(names: string[], known: readonly string[]): string[] {
  return names
    .filter((name) => name.startsWith(prefix) && !known.includes(name) && !otherNames.has(name))
    .map((name) => `${name} is no variable of this program. Did you mean ${nearest(name, known)}?`);
}

function nearest(name: string, known: readonly string[]): string {
  const distances = known.map((other) => ({ other, distance: distanceOf(name, other) }));
  return distances.reduce((best, next) => (next.distance < best.distance ? next : best)).other;
}

/** How many characters must be put in, taken out or replaced to make one text of the other. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let place = 1; place <= other.length; place += 1) {
      const replaced = (row[place - 1] as number) + (one[at - 1] === other[place - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[place] as number) + 1, (next[place - 1] as number) + 1));
    }
    row = next;
  }
  return row[other.length] as number;
}
