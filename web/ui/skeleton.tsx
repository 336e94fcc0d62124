import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** A grey placeholder for text; give it the size of the text. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={classNames('block animate-[breathe_1.6s_ease-in-out_infinite] rounded-xs bg-hover', className)}
    />
  );
}

/** Wraps skeletons: announces once that content is loading, and stays hidden for the first 200 ms. */
export function Loading({ label, children, className }: { label: string; children: ReactNode; className?: string }) {
  return (
    <div role="status" aria-busy className={classNames('appear-late', className)}>
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}

/** A placeholder for a table while its rows load; `height` is a row's height. */
export function TableLoading({ label, rows = 4, height }: { label: string; rows?: number; height: string }) {
  return (
    <Loading label={label} className="overflow-hidden rounded-lg border border-line bg-surface">
      <div className="h-9 border-line border-b bg-sunken" />
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={`flex items-center gap-8 border-line border-b px-4 last:border-b-0 ${height}`}>
          <Skeleton className="h-4 w-44" />
          <Skeleton className="h-4 w-28 max-md:hidden" />
          <Skeleton className="ml-auto h-4 w-12" />
        </div>
      ))}
    </Loading>
  );
}

/** A placeholder for a list of cards. */
export function CardsLoading({ label, cards }: { label: string; cards: number }) {
  return (
    <Loading label={label} className="flex flex-col gap-3">
      {Array.from({ length: cards }, (_, card) => (
        <div
          key={card}
          className="flex h-17 flex-col justify-center gap-2 rounded-lg border border-line bg-surface px-5"
        >
          <Skeleton className="h-4 w-44" />
          <Skeleton className="h-3 w-64 max-w-full" />
        </div>
      ))}
    </Loading>
  );
}
