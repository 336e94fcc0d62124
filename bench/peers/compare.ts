/** The peer runner's figures for a peer; figures that do not apply or were not measured are missing. */
export interface PeerFigures {
  peer: string;
  note?: string;
  /** Why nothing was measured. */
  failed?: string;
  /** Problems during indexing. */
  index_notes?: string[];
  pages_per_s?: number;
  html_mb_per_s?: number;
  peak_rss_mb?: number;
  index_mb?: number;
  search_rss_mb?: number;
  p50_ms?: number;
  p95_ms?: number;
  recall_at_5?: number;
  answer_found?: number;
  mean_tokens?: number;
  answer_found_with_read?: number;
  mean_tokens_with_read?: number;
  tools_tokens?: number;
  cold_start_ms?: number;
  install_mb?: number;
  /** The same index queried in other ways, by name. */
  variants?: Record<string, Omit<PeerFigures, 'peer'>>;
}

type Figure = Exclude<keyof PeerFigures, 'peer' | 'note' | 'failed' | 'index_notes' | 'variants'>;

interface Column {
  figure: Figure;
  title: string;
  digits: number;
  /** Shares are compared by difference, all other figures by ratio. */
  compared: 'more is better' | 'less is better' | 'share';
}

const columns: Column[] = [
  { figure: 'pages_per_s', title: 'pages/s', digits: 1, compared: 'more is better' },
  { figure: 'html_mb_per_s', title: 'MB/s', digits: 2, compared: 'more is better' },
  { figure: 'peak_rss_mb', title: 'peak MB', digits: 0, compared: 'less is better' },
  { figure: 'search_rss_mb', title: 'search MB', digits: 0, compared: 'less is better' },
  { figure: 'index_mb', title: 'index MB', digits: 1, compared: 'less is better' },
  { figure: 'p50_ms', title: 'p50 ms', digits: 1, compared: 'less is better' },
  { figure: 'p95_ms', title: 'p95 ms', digits: 1, compared: 'less is better' },
  { figure: 'recall_at_5', title: 'page@5', digits: 3, compared: 'share' },
  { figure: 'answer_found', title: 'answer', digits: 3, compared: 'share' },
  { figure: 'mean_tokens', title: 'tokens', digits: 0, compared: 'less is better' },
  { figure: 'answer_found_with_read', title: 'answer+read', digits: 3, compared: 'share' },
  { figure: 'mean_tokens_with_read', title: 'tokens+read', digits: 0, compared: 'less is better' },
  { figure: 'tools_tokens', title: 'tool list', digits: 0, compared: 'less is better' },
  { figure: 'cold_start_ms', title: 'cold ms', digits: 0, compared: 'less is better' },
  { figure: 'install_mb', title: 'install MB', digits: 0, compared: 'less is better' },
];

/** A peer that indexed nothing responds fast and briefly, so its other figures would be misleading. */
export function failedWithoutPages(row: PeerFigures): PeerFigures {
  if (row.failed !== undefined || row.pages_per_s !== 0) return row;
  return { peer: row.peer, failed: `it indexed nothing (${row.index_notes?.[0] ?? 'for no reason that it told'})` };
}

/** Returns the row, and one for each other way to query. */
export function withRowsOfVariants({ variants = {}, ...row }: PeerFigures): PeerFigures[] {
  return [row, ...Object.entries(variants).map(([way, figures]) => ({ ...figures, peer: `${row.peer}, ${way}` }))];
}

/** Returns one row per peer over several full runs: the median of each figure, or the lower of the middle two. */
export function mediansOf(runs: readonly (readonly PeerFigures[])[]): PeerFigures[] {
  const names = [...new Set(runs.flatMap((run) => run.map(({ peer }) => peer)))];
  return names.map((peer) => {
    const rows = runs.flatMap((run) => run.filter((row) => row.peer === peer));
    const measured = rows.filter(({ failed }) => failed === undefined);
    if (measured.length < rows.length) return rows.find(({ failed }) => failed !== undefined) as PeerFigures;
    const medians: PeerFigures = { ...(measured[0] as PeerFigures) };
    for (const { figure } of columns) {
      const values = measured.map((row) => row[figure]).filter((value) => value !== undefined && value !== null);
      const middle = values.sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)];
      if (middle !== undefined) medians[figure] = middle;
    }
    return medians;
  });
}

/**
 * Returns two tables for people: each peer's figures, and ours compared with each peer's. A ratio above 1 says how many
 * times better ours is; shares are compared by difference. Throws if ours was not measured.
 */
export function comparison(rows: readonly PeerFigures[], ours: string): string {
  const own = rows.find(({ peer }) => peer === ours);
  if (own === undefined || own.failed !== undefined) {
    throw new Error(`${ours} was not measured: ${own?.failed ?? 'it is not in the results'}`);
  }
  const others = rows.filter(({ peer }) => peer !== ours);
  const figures = others.length === 0 ? [own] : [own, ...others];
  const lines = [
    table(figures, (row, { figure, digits }) => row[figure]?.toFixed(digits) ?? '-'),
    ...(others.length === 0
      ? []
      : [`\n${ours} beside them`, table(others, (row, column) => compared(own, row, column))]),
    ...others.filter(({ failed }) => failed !== undefined).map(({ peer, failed }) => `${peer} failed: ${failed}`),
  ];
  return lines.join('\n');
}

function compared(own: PeerFigures, other: PeerFigures, { figure, compared: how, digits }: Column): string {
  const [a, b] = [own[figure], other[figure]];
  if (a === undefined || b === undefined) return '-';
  if (how === 'share') return `${a < b ? '' : '+'}${(a - b).toFixed(digits)}`;
  const ratio = how === 'more is better' ? a / b : b / a;
  return Number.isFinite(ratio) ? `${ratio.toPrecision(2)}x` : '-';
}

function table(rows: readonly PeerFigures[], cell: (row: PeerFigures, column: Column) => string): string {
  const cells = [
    ['', ...columns.map(({ title }) => title)],
    ...rows.map((row) => [row.peer, ...columns.map((column) => cell(row, column))]),
  ];
  const widths = (cells[0] as string[]).map((_, at) => Math.max(...cells.map((line) => (line[at] as string).length)));
  return cells
    .map((line) =>
      line
        .map((text, at) => (at === 0 ? text.padEnd(widths[at] as number) : text.padStart(widths[at] as number)))
        .join('  '),
    )
    .join('\n');
}
