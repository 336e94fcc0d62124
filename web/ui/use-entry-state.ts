import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';

/** `useState` for a part of the page that Back and a reload bring back as it was left. The name is unique on the page. */
export function useEntryState<Value>(name: string, initial: Value) {
  const [value, setValue] = useState(() => keptValue(name, initial));
  const { key } = useLocation();
  // An address that is replaced, as by a filter, makes an entry that has kept nothing yet.
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
