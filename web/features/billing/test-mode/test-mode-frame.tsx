import { FlaskConical } from 'lucide-react';
import type { ReactNode } from 'react';
import { useProductName } from '../../../lib/session.ts';

interface TestModeFrameProps {
  title: string;
  /** What one does here, in a sentence. */
  lead: ReactNode;
  children: ReactNode;
}

/** What every page of the test mode stands in: no one shall take it for the page of a payment provider. */
export function TestModeFrame({ title, lead, children }: TestModeFrameProps) {
  const productName = useProductName();
  return (
    <>
      <aside aria-label="Test mode" className="border-warn-line border-b bg-warn-ground">
        <div aria-hidden className="hazard h-2" />
        <p className="page flex items-start gap-3 py-3 text-ink">
          <FlaskConical aria-hidden className="mt-0.5 size-5 shrink-0 text-warn" />
          <span className="text-pretty">
            <strong className="font-semibold">Test mode: this is not a payment page.</strong> It belongs to{' '}
            {productName} and stands in for a payment provider. You need no card, and no money moves.
          </span>
        </p>
      </aside>
      <div className="page flex max-w-3xl flex-col gap-6 py-10">
        <div>
          <h1 className="heading-page">{title}</h1>
          <p className="mt-1 text-pretty text-soft">{lead}</p>
        </div>
        {children}
      </div>
    </>
  );
}
