import { useStoredChoice } from './stored-choice.ts';

const choices = ['off', '1', '4'] as const;
export type LocalCacheChoice = (typeof choices)[number];

/** Returns the size in MiB of the local cache of reads, and its setter. Off by default. */
export function useLocalCacheSetting(): [LocalCacheChoice, (choice: LocalCacheChoice) => void] {
  return useStoredChoice<LocalCacheChoice>('local-cache', choices);
}
