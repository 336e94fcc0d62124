import type { ReactNode } from 'react';
import { BrandMark } from '../../ui/brand-mark.tsx';

interface DoorProps {
  title: string;
  children: ReactNode;
}

/** The frame of the screens one passes on the way in. */
export function Door({ title, children }: DoorProps) {
  return (
    <div className="page flex flex-1 flex-col items-center justify-center py-16">
      <div className="w-full max-w-md">
        <BrandMark className="mb-5 size-9" />
        <h1 className="heading-page">{title}</h1>
        <div className="mt-3 flex flex-col gap-5 text-md text-soft">{children}</div>
      </div>
    </div>
  );
}
