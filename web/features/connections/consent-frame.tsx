import { Plug } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ConsentQuestion } from '#contract/connections.ts';
import { BrandMark } from '../../ui/brand-mark.tsx';

interface ConsentFrameProps {
  title: string;
  children: ReactNode;
}

/** Frame of all consent screens. */
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

/** Returns a readable name for a redirect target. */
export function targetOf({ kind, target }: ConsentQuestion['redirect']): string {
  if (kind === 'site') return target;
  return kind === 'this-computer' ? `a program on this computer (${target})` : `an app that opens ${target}: links`;
}

/**
 * Redirects the browser to the application. The server has checked the address; script addresses are refused here
 * again.
 */
export function leaveFor(url: string): void {
  const scheme = URL.parse(url)?.protocol ?? '';
  if (['javascript:', 'data:', 'vbscript:', 'blob:', ''].includes(scheme)) throw new Error('an address that runs code');
  window.location.assign(url);
}
