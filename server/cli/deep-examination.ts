import type { Irregularity } from '#server/features/maintenance/index.ts';

/** Further findings of the same kind are only counted. */
const toldMax = 20;

const areas: Record<Irregularity['area'], string> = {
  database: 'the database is intact',
  ledger: 'ledger, balances, allowances and receipts agree',
  teams: 'each team has an admin, and no more seats than it pays for',
  index: 'every passage of every module can be read',
  files: 'every file belongs to a row, and no file is missing',
  runs: 'no run is in progress for a removed module',
  events: 'every payment event was applied',
};

/**
 * Checks all workspaces and yields the findings; with `isRepair`, also makes the repairs that are certainly safe, and
 * reports them.
 */
export async function* examineDeeply(
  examine: () => AsyncIterable<Irregularity>,
  { isRepair }: { isRepair: boolean },
): AsyncIterable<Finding> {
  const first = await collect(examine());
  const mendable = first.filter(({ repair }) => repair !== undefined);
  if (isRepair) for (const { repair } of mendable) await repair?.run();
  // Report the state after the repairs, not the state they should have led to.
  const left = isRepair && mendable.length > 0 ? await collect(examine()) : first;
  const isLeft = new Set(left.map(nameOf));
  const mended = isRepair ? mendable.filter((fault) => !isLeft.has(nameOf(fault))) : [];
  for (const [area, sound] of Object.entries(areas)) {
    const here = left.filter((fault) => fault.area === area);
    const mendedHere = mended.filter((fault) => fault.area === area);
    if (here.length === 0) yield { what: area, state: 'ok', detail: sound };
    yield* told(
      mendedHere.map(({ what, repair }) => ({ what: area, state: 'ok', detail: `${what}: ${repair?.does}` })),
    );
    yield* told(here.map((fault) => findingOf(fault, isRepair)));
  }
}

function findingOf({ area, what, detail, isHarmless, repair }: Irregularity, isRepair: boolean): Finding {
  const hint = repair !== undefined && !isRepair ? ' (--repair fixes it)' : '';
  return { what: area, state: isHarmless === true ? 'warn' : 'fail', detail: `${what} ${detail}${hint}` };
}

function* told(findings: Finding[]): Iterable<Finding> {
  yield* findings.slice(0, toldMax);
  const [next] = findings.slice(toldMax);
  if (next !== undefined) yield { ...next, detail: `and ${findings.length - toldMax} more` };
}

function nameOf({ area, what, detail }: Irregularity): string {
  return JSON.stringify([area, what, detail]);
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

/** One finding of the doctor. For `warn` and `fail` the detail says what to do. */
export interface Finding {
  what: string;
  state: 'ok' | 'warn' | 'fail';
  detail: string;
}
