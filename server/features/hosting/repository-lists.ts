import type { HostList, HostRepository } from '#server/platform/code-host/code-host.ts';

const keptMs = 5 * 60_000;
const peopleMax = 200;

/**
 * A short cache of the repositories users can read at the host, since every keystroke in a search requests them again.
 */
export interface RepositoryLists {
  get(key: string, now: number): HostList<HostRepository> | undefined;
  put(key: string, now: number, list: HostList<HostRepository>): void;
}

export function createRepositoryLists(): RepositoryLists {
  const kept = new Map<string, { at: number; list: HostList<HostRepository> }>();
  return {
    get(key, now) {
      const entry = kept.get(key);
      return entry !== undefined && now - entry.at < keptMs ? entry.list : undefined;
    },
    put(key, now, list) {
      kept.delete(key);
      kept.set(key, { at: now, list });
      const [oldest] = kept.keys();
      if (kept.size > peopleMax && oldest !== undefined) kept.delete(oldest);
    },
  };
}
