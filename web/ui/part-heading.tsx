import type { ReactNode } from 'react';

/** The heading of a part of a page, which names its section by `id`. */
export function PartHeading({ id, children }: { id: string; children: ReactNode }) {
  return (
    <h2 id={id} className="heading-part">
      {children}
    </h2>
  );
}
