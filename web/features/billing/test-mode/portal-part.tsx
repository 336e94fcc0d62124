import type { ReactNode } from 'react';

/** One part of the portal, under its heading. */
export function PortalPart({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="rounded-xl border-2 border-warn-line border-dashed bg-surface">
      <h2 className="heading-part border-line border-b px-5 py-2.5">{title}</h2>
      <div className="px-5 py-4">{children}</div>
    </section>
  );
}
