import { Plug } from 'lucide-react';
import type { ReactNode } from 'react';
import { BrandMark } from '../../ui/brand-mark.tsx';

interface ConsentFrameProps {
  title: string;
  children: ReactNode;
}

/** The sheet that everything about letting an application in is asked and told on. */
export function ConsentFrame({ title, children }: ConsentFrameProps) {
  return (
    <div className="page flex flex-1 flex-col items-center py-10 sm:py-16">
      <div className="w-full max-w-md">
        <div aria-hidden className="mb-5 flex items-center gap-2.5">
          <BrandMark className="size-9" />
          <span className="h-px w-5 bg-line-strong" />
          <span className="flex size-9 items-center justify-center rounded-lg border border-line-strong bg-surface text-faint shadow-sm">
            <Plug className="size-4.5" />
          </span>
        </div>
        <h1 className="heading-page">{title}</h1>
        <div className="mt-3 flex flex-col gap-5">{children}</div>
      </div>
    </div>
  );
}
