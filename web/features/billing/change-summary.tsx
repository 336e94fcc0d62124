import type { ChangePreview } from '#contract/billing.ts';
import { allowanceWords, formatDay } from './billing-words.ts';
import { PriceLines } from './price-lines.tsx';

/** What a change of plan or seats costs now, and from the next invoice on. */
export function ChangeSummary({ preview }: { preview: ChangePreview }) {
  const { dueNowCents, creditCents, monthlyCents, renewsAt, monthlyAllowance, numberOfSeats } = preview;
  return (
    <div className="flex flex-col gap-3">
      <PriceLines
        lines={[
          {
            label: `From ${formatDay(renewsAt)}`,
            note: 'Each month, until you change it or cancel',
            cents: monthlyCents,
          },
          ...(creditCents > 0
            ? [
                {
                  label: 'Credit for what you paid already',
                  note: 'Taken off your next invoices',
                  cents: -creditCents,
                },
              ]
            : []),
        ]}
        total={{
          label: 'Due now',
          ...(dueNowCents > 0 ? { note: `For the days until ${formatDay(renewsAt)}` } : {}),
          cents: dueNowCents,
        }}
      />
      <p className="text-pretty text-faint text-xs">
        Takes effect at once: {allowanceWords(monthlyAllowance, numberOfSeats)}.
      </p>
    </div>
  );
}
