import type { ReactNode } from 'react';

interface AcceptFrameProps {
  icon: ReactNode;
  title: string;
  children: ReactNode;
}

/** A card in the middle of the page, for what an invite link leads to. */
export function AcceptFrame({ icon, title, children }: AcceptFrameProps) {
  return (
    <div className="page flex flex-1 flex-col items-center justify-center py-12 md:py-16">
      <div className="w-full max-w-[27rem] rounded-xl border border-line bg-surface p-6 shadow-md sm:p-8">
        <div className="mb-5 flex size-11 items-center justify-center rounded-lg border border-lamp-line bg-lamp-ground text-lamp">
          {icon}
        </div>
        <h1 className="heading-page wrap-anywhere">{title}</h1>
        <div className="mt-3 flex flex-col gap-5 text-md text-soft">{children}</div>
      </div>
    </div>
  );
}
