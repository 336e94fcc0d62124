import { Button } from '../ui/button.tsx';

/** Shown instead of rows if the filters match none, with a button that clears them. */
export function NothingMatches({ children, onClear }: { children: string; onClear: () => void }) {
  return (
    <div className="flex flex-col items-center gap-3 rounded-lg border border-line bg-surface px-6 py-10 text-center">
      <p className="text-soft">{children}</p>
      <Button size="sm" onClick={onClear}>
        Clear filters
      </Button>
    </div>
  );
}
