import { setImmediate } from 'node:timers/promises';

/** The last row of a page; the next page has older rows. */
export interface RowPlace {
  at: number;
  id: string;
}

const pageRows = 500;

/**
 * Reads at most `rowsMax` rows, newest first, in pages. Other requests are served between two pages; a long list would
 * otherwise block the process for seconds.
 */
export async function* rowPages<Row extends { id: string }>(
  rowsMax: number,
  read: (before: RowPlace, rows: number) => Promise<Row[]>,
  atOf: (row: Row) => number,
): AsyncGenerator<Row[]> {
  let before: RowPlace = { at: Number.MAX_SAFE_INTEGER, id: '' };
  for (let left = rowsMax; left > 0; left -= pageRows) {
    await setImmediate();
    const rows = await read(before, Math.min(pageRows, left));
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    before = { at: atOf(last), id: last.id };
  }
}
