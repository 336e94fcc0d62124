import { Children, type ReactNode, startTransition, useEffect, useState } from 'react';

/** Renders its children, which are below the first view, one after the other, so that none blocks the page. */
export function InTurn({ children }: { children: ReactNode }) {
  const parts = Children.toArray(children);
  const [shown, setShown] = useState(1);
  useEffect(() => {
    if (shown >= parts.length) return undefined;
    const timer = setTimeout(() => startTransition(() => setShown(shown + 1)));
    return () => clearTimeout(timer);
  }, [shown, parts.length]);
  return parts.slice(0, shown);
}
