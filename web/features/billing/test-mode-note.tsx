import { FlaskConical } from 'lucide-react';
import type { PaymentMode } from '#contract/billing.ts';

/** Says wherever something is paid for that it is not, where payments are made up. */
export function TestModeNote({ mode }: { mode: PaymentMode | undefined }) {
  if (mode !== 'test') return null;
  return (
    <p className="flex items-start gap-2 text-pretty text-sm text-warn">
      <FlaskConical aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>
        <strong className="font-semibold">Test mode.</strong> You don't need a card, and no real money moves.
      </span>
    </p>
  );
}
