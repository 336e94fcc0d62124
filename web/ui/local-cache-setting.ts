import { useStoredChoice } from './stored-choice.ts';

const choices = ['off', '1', '4'] as const;
export type LocalCacheChoice = (typeof choices)[number];

/** How many MiB of what was read this browser keeps for the next visit. Off until someone turns it on. */
export function useLocalCacheSetting(): [LocalCacheChoice, (choice: LocalCacheChoice) => void] {
  return useStoredChoice<LocalCacheChoice>('local-cache', choices);
}
