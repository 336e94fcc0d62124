import { useQuery } from '@tanstack/react-query';
import type { PaidTier } from '#contract/billing.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { Button } from '../../ui/button.tsx';
import { formatDay, formatUsd } from '../../ui/quantities.ts';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { useToast } from '../../ui/toast.tsx';
import { ChangeFault } from './change-fault.tsx';
import { ChangeSummary } from './change-summary.tsx';
import { agreedPriceOf, type Payer, planPreviewOptions, useChangePlan } from './queries.ts';

interface PlanChangeProps {
  payer: Payer;
  tier: PaidTier;
  onDone: () => void;
}

/** From one paid plan to the other: what it costs is shown before anything is charged. */
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

/** The shape of a price list that is being reckoned. */
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
