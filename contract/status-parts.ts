interface PartDefinition {
  label: string;
  /** Interval between checks in minutes; checks that call external services are rare. */
  everyMinutes: number;
  /** A check slower than this counts as degraded, in milliseconds. */
  slowMs: number;
  /** True if the product does not work without it: the whole installation is down when it is. */
  isEssential: boolean;
}

/** How often an open status page reloads its data. */
export const statusReadAgainSeconds = 30;

/** The checked components, in display order. `search-cluster`, `mail` and those after them exist only if configured. */
export const statusParts = {
  search: { label: 'Search', everyMinutes: 1, slowMs: 2_000, isEssential: true },
  'search-cluster': { label: 'Search cluster', everyMinutes: 1, slowMs: 5_000, isEssential: false },
  database: { label: 'Database', everyMinutes: 1, slowMs: 1_000, isEssential: true },
  files: { label: 'File store', everyMinutes: 1, slowMs: 5_000, isEssential: true },
  jobs: { label: 'Indexing', everyMinutes: 1, slowMs: 1_000, isEssential: false },
  secret: { label: 'Stored secrets', everyMinutes: 15, slowMs: 5_000, isEssential: false },
  mail: { label: 'Mail', everyMinutes: 15, slowMs: 5_000, isEssential: false },
  payments: { label: 'Payments', everyMinutes: 15, slowMs: 5_000, isEssential: false },
  'code-host': { label: 'Code host', everyMinutes: 15, slowMs: 5_000, isEssential: false },
  'name-servers': { label: 'Name servers', everyMinutes: 15, slowMs: 5_000, isEssential: false },
  renderer: { label: 'Page renderer', everyMinutes: 15, slowMs: 5_000, isEssential: false },
} as const satisfies Record<string, PartDefinition>;
export type StatusPart = keyof typeof statusParts;
export const statusPartNames = Object.keys(statusParts) as StatusPart[];
