import type { JobLogEntry } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';

/** What a run leaves out, as it meets it: the first 2,000, the counts of the run have them all. */
export interface RunLog {
  add(entry: JobLogEntry): void;
  entries(): JobLogEntry[];
}

/** An empty log. An address that is met again, as by the next attempt at a run, is not written twice. */
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
