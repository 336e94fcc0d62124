import type { ReactNode } from 'react';

/** One line of a list of facts: what it is, and how it stands. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid min-h-10 grid-cols-[8rem_minmax(0,1fr)] items-center gap-4 py-1.5">
      <dt className="text-faint text-sm">{name}</dt>
      <dd className="wrap-anywhere text-ink">{children}</dd>
    </div>
  );
}
