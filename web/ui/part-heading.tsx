import type { ReactNode } from 'react';

/** A section's heading, which labels the section through `id`. */
export function PartHeading({ id, children }: { id: string; children: ReactNode }) {
  return (
    <h2 id={id} className="heading-part">
      {children}
    </h2>
  );
}
