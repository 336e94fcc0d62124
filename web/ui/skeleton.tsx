import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** A grey stand-in for words to come; give it the size they will have. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={classNames('block animate-[breathe_1.6s_ease-in-out_infinite] rounded-xs bg-hover', className)}
    />
  );
}

/** Wraps skeletons: says once that something is loading, and stays away for the first 200 ms. */
export function Loading({ label, children, className }: { label: string; children: ReactNode; className?: string }) {
  return (
    <div role="status" aria-busy className={classNames('appear-late', className)}>
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}
