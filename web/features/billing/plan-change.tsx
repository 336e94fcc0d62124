import { useQuery } from '@tanstack/react-query';
import type { ChangePreview, PaidTier } from '#contract/billing.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { Button } from '../../ui/button.tsx';
import { countOf, formatDay, formatUsd } from '../../ui/quantities.ts';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { useToast } from '../../ui/toast.tsx';
import { ChangeFault } from './billing-notices.tsx';
import { allowanceWords } from './billing-words.ts';
import { PriceLines } from './price-lines.tsx';
import { agreedPriceOf, type Payer, planPreviewOptions, useChangePlan } from './queries.ts';

interface PlanChangeProps {
  payer: Payer;
  tier: PaidTier;
  onDone: () => void;
}

/** Changes from one paid plan to another. The price is shown before anything is charged. */
export function PlanChange({ payer, tier, onDone }: PlanChangeProps) {
  const preview = useQuery(planPreviewOptions(payer, tier));
  const toast = useToast();
  const change = useChangePlan(payer, () => {
    const startsAt = preview.data?.startsAt ?? null;
    const who = payer === null ? 'You are' : 'The team is';
    toast({ message: startsAt === null ? `${who} on ${tier} now` : `${tier} begins on ${formatDay(startsAt)}` });
    onDone();
  });
  if (preview.isError) {
    return <RetryNotice query={preview} isSmall />;
  }
  if (preview.data === undefined) return <ChangeLoading />;
  const { dueNowCents } = preview.data;
  return (
    <div className="flex flex-col gap-4">
      <ChangeSummary preview={preview.data} />
      <ChangeFault payer={payer} error={change.error} />
      <Button
        look="action"
        className="w-full"
        isBusy={change.isPending}
        onClick={() => change.mutate({ tier, agreedPrice: agreedPriceOf(preview.data) })}
      >
        {dueNowCents > 0 ? `Pay ${formatUsd(dueNowCents)} and change to ${tier}` : `Change to ${tier}`}
      </Button>
    </div>
  );
}

/** Placeholder for a price list while it is calculated. */
export function ChangeLoading() {
  return (
    <Loading label="Calculating the price…" className="flex flex-col gap-3">
      {['w-40', 'w-28'].map((width) => (
        <div key={width} className="flex justify-between">
          <Skeleton className={`h-4 ${width}`} />
          <Skeleton className="h-4 w-14" />
        </div>
      ))}
      <Skeleton className="mt-2 h-9 w-full" />
    </Loading>
  );
}

/** The cost of a change of plan or seats, now and from the next invoice on. */
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
