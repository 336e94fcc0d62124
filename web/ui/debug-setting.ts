import { useStoredChoice } from './stored-choice.ts';

const choices = ['off', 'on'] as const;

/** Returns this browser's setting that shows the debug box to operators, and its setter. */
export function useDebugSetting(): ['off' | 'on', (choice: 'off' | 'on') => void] {
  return useStoredChoice<'off' | 'on'>('debug', choices);
}
