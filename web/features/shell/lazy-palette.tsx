import { type Dispatch, lazy, type SetStateAction, Suspense, useEffect, useLayoutEffect, useState } from 'react';

// Loaded when the user is about to open it: most visits never do.
const load = () => import('./app-palette.tsx');
const AppPalette = lazy(() => load().then((part) => ({ default: part.AppPalette })));

/** Preloads the palette; if that fails, it is requested again when needed. */
export const expectPalette = () => void load().catch(() => undefined);

interface LazyPaletteProps {
  isOpen: boolean;
  onOpenChange: Dispatch<SetStateAction<boolean>>;
}

/** The command palette; ⌘K and Ctrl-K open and close it. */
export function LazyPalette({ isOpen, onOpenChange }: LazyPaletteProps) {
  const [hasOpened, setHasOpened] = useState(false);
  const [typed, setTyped] = useState('');
  if (!isOpen && typed !== '') setTyped('');
  if (isOpen && !hasOpened) setHasOpened(true);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Meta' || event.key === 'Control') expectPalette();
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      onOpenChange((wasOpen) => !wasOpen);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [onOpenChange]);

  if (!hasOpened) return null;
  return (
    <Suspense
      fallback={isOpen && <PaletteLoading typed={typed} onType={setTyped} onClose={() => onOpenChange(false)} />}
    >
      <AppPalette isOpen={isOpen} onOpenChange={onOpenChange} typedBefore={typed} />
    </Suspense>
  );
}

interface PaletteLoadingProps {
  typed: string;
  onType: (typed: string) => void;
  onClose: () => void;
}

/** Keeps the text that the user types before the palette has loaded. */
function PaletteLoading({ typed, onType, onClose }: PaletteLoadingProps) {
  const [opener] = useState(() => document.activeElement as HTMLElement | null);
  // Refocuses the opener, so that the palette can return the focus to it on closing.
  useLayoutEffect(() => () => opener?.focus(), [opener]);
  return (
    <div role="dialog" aria-label="Command palette" aria-busy className="fixed inset-0 z-40 bg-scrim">
      <input
        autoFocus
        aria-label="Search commands"
        value={typed}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
        className="fixed top-[12dvh] left-1/2 h-12 w-[calc(100vw-1.5rem)] max-w-xl -translate-x-1/2 rounded-xl border border-line-strong bg-raised px-11 text-ink text-md shadow-lg outline-none"
      />
    </div>
  );
}
