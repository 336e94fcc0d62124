interface PartDefinition {
  label: string;
  /** How often someone looks, in minutes: what leaves the installation is looked at seldom. */
  everyMinutes: number;
  /** Slower than this is not in order, in milliseconds. */
  slowMs: number;
  /** Without it no one gets an answer, so the whole is down with it. */
  isEssential: boolean;
}

/** How often the status page looks again while it is open. */
export const statusReadAgainSeconds = 30;

/** What is looked at, in the order it is shown. `search-cluster`, `mail` and what follows are there only when they are configured. */
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
