import { lazy, Suspense, useEffect, useState } from 'react';

// Most visits to a public page never open it: its code comes with the first opening.
const AppPalette = lazy(() => import('./app-palette.tsx').then((part) => ({ default: part.AppPalette })));

interface LazyPaletteProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** The command palette; ⌘K and Ctrl-K open and close it. */
export function LazyPalette({ isOpen, onOpenChange }: LazyPaletteProps) {
  const [hasOpened, setHasOpened] = useState(false);
  if (isOpen && !hasOpened) setHasOpened(true);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      onOpenChange(!isOpen);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isOpen, onOpenChange]);

  if (!hasOpened) return null;
  return (
    <Suspense>
      <AppPalette isOpen={isOpen} onOpenChange={onOpenChange} />
    </Suspense>
  );
}
