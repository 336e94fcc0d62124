import { CircleHelp } from 'lucide-react';
import { useState } from 'react';
import { Popover } from './popover.tsx';

/** A question mark beside a term, with a sentence that explains it. */
export function Explain({ term, children }: { term: string; children: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover
      label={term}
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      className="w-72 p-3 text-pretty font-normal text-soft text-sm"
      trigger={
        <button
          type="button"
          aria-label={`What is “${term}”?`}
          className="inline-flex size-6 items-center justify-center rounded-full align-middle text-faint hover:text-ink"
        >
          <CircleHelp aria-hidden className="size-3.5" />
        </button>
      }
    >
      {children}
    </Popover>
  );
}
