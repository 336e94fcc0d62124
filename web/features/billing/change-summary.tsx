import type { ChangePreview } from '#contract/billing.ts';
import { countOf, formatDay } from '../../ui/quantities.ts';
import { allowanceWords } from './billing-words.ts';
import { PriceLines } from './price-lines.tsx';

/** What a change of plan or seats costs now, and from the next invoice on. */
export function ChangeSummary({ preview }: { preview: ChangePreview }) {
  const { dueNowCents, creditsNow, startsAt, monthlyCents, renewsAt, monthlyAllowance, numberOfSeats } = preview;
  return (
    <div className="flex flex-col gap-3">
      <PriceLines
        lines={[
          {
            label: `From ${formatDay(renewsAt)}`,
            note: 'Each month, until you change it or cancel',
            cents: monthlyCents,
          },
        ]}
        total={{
          label: 'Due now',
          ...(dueNowCents > 0 ? { note: `For the days until ${formatDay(renewsAt)}` } : {}),
          cents: dueNowCents,
        }}
      />
      <p className="text-pretty text-faint text-xs">
        {creditsNow > 0 && `${countOf(creditsNow, 'credit')} now, for the whole days until ${formatDay(renewsAt)}. `}
        {startsAt === null
          ? `Then ${allowanceWords(monthlyAllowance, numberOfSeats)}.`
          : `From ${formatDay(startsAt)}: ${allowanceWords(monthlyAllowance, numberOfSeats)}. Until then nothing changes.`}
      </p>
    </div>
  );
}
