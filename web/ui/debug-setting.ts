import { useStoredChoice } from './stored-choice.ts';

const choices = ['off', 'on'] as const;

/** Returns true if this browser shows the debug box to an operator. */
export function useDebugSetting(): ['off' | 'on', (choice: 'off' | 'on') => void] {
  return useStoredChoice<'off' | 'on'>('debug', choices);
}
