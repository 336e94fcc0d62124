import type { JobLogEntry } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';

/** The addresses a run omits, in order: the first 2,000; the run's counts include all. */
export interface RunLog {
  add(entry: JobLogEntry): void;
  entries(): JobLogEntry[];
}

/** Creates an empty log. Repeated addresses, for example from another attempt, are logged once. */
export function createRunLog(): RunLog {
  const entries: JobLogEntry[] = [];
  const known = new Set<string>();
  return {
    add({ address, status, reason }) {
      if (entries.length >= limits.jobLogEntriesMax || known.has(address)) return;
      known.add(address);
      entries.push({ address: address.slice(0, limits.urlCharactersMax), status, reason });
    },
    entries: () => entries,
  };
}
