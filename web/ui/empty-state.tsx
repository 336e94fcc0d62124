import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  /** What the list contains and why it is empty. */
  children: ReactNode;
  /** The next step. */
  action?: ReactNode;
}

/** Describes what will be listed here and offers the next step. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="wrap-anywhere flex flex-col items-center rounded-xl border border-line-strong border-dashed px-6 py-12 text-center">
      <div className="mb-4 flex size-11 items-center justify-center rounded-lg border border-line bg-surface text-lamp shadow-sm">
        {icon}
      </div>
      <h2 className="heading-part">{title}</h2>
      <div className="mt-1 max-w-md text-balance text-soft">{children}</div>
      {action !== undefined && <div className="mt-5 flex w-full flex-col items-center gap-3">{action}</div>}
    </div>
  );
}
