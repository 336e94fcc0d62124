import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';

/** Like `useState`, but Back and a reload restore the value. The name must be unique on the page. */
export function useEntryState<Value>(name: string, initial: Value) {
  const [value, setValue] = useState(() => keptValue(name, initial));
  const { key } = useLocation();
  // Replacing the address, as filters do, creates a history entry without the value.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key names the entry that is written to.
  useEffect(() => {
    if (keptValue(name, initial) === value) return;
    history.replaceState({ ...history.state, kept: { ...history.state?.kept, [name]: value } }, '');
  }, [key, name, value, initial]);
  return [value, setValue] as const;
}

function keptValue<Value>(name: string, initial: Value): Value {
  const kept: Record<string, Value> = history.state?.kept ?? {};
  return name in kept ? (kept[name] as Value) : initial;
}
