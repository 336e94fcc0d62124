import { Button } from '../ui/button.tsx';

/** In place of rows that the filters leave out, with the way back to all of them. */
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
