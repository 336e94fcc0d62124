import { type Billing, planCents } from '#contract/billing.ts';
import type { Tier } from '#contract/plans.ts';
import { useFaultToast } from '../../kit/use-fault-toast.ts';
import { Button } from '../../ui/button.tsx';
import { countOf, formatDay } from '../../ui/quantities.ts';
import { useToast } from '../../ui/toast.tsx';
import { type Payer, useChangePlan, useChangeSeatCount } from './queries.ts';

interface NextPeriodProps {
  payer: Payer;
  billing: Billing;
}

/** A smaller plan or fewer seats scheduled for the next period, with a button to keep the current ones. */
export function NextPeriod({ payer, billing }: NextPeriodProps) {
  const { nextPeriod, subscriptionEndDate, tier, numberOfPaidSeats } = billing;
  if (nextPeriod === null || subscriptionEndDate === null) return null;
  const seats = payer === null ? '' : `, ${countOf(nextPeriod.numberOfSeats, 'seat')}`;
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2 text-faint text-sm">
      <p>
        From {formatDay(subscriptionEndDate)}:{' '}
        <span className="font-medium text-ink">
          {nextPeriod.tier}
          {seats}
        </span>
      </p>
      {nextPeriod.tier !== tier && <KeepPlan payer={payer} tier={tier} seats={nextPeriod.numberOfSeats} />}
      {payer !== null && nextPeriod.numberOfSeats !== numberOfPaidSeats && (
        <KeepSeats teamId={payer} tier={nextPeriod.tier} seats={numberOfPaidSeats} />
      )}
    </div>
  );
}

/**
 * Returns the agreed price: the current period is already paid, so nothing is due now, and at most the list price
 * afterwards.
 */
const priceOfKeeping = (tier: Tier, seats: number) => ({ dueNowCents: 0, monthlyCents: planCents(tier, seats) });

function KeepPlan({ payer, tier, seats }: { payer: Payer; tier: Tier; seats: number }) {
  const toast = useToast();
  const tellFault = useFaultToast();
  const change = useChangePlan(payer, () => toast({ message: `You keep ${tier}` }));
  const keep = () => {
    if (tier === 'Free') return;
    change.mutate({ tier, agreedPrice: priceOfKeeping(tier, seats) }, { onError: tellFault });
  };
  return (
    <Button size="sm" isBusy={change.isPending} onClick={keep}>
      Keep {tier}
    </Button>
  );
}

function KeepSeats({ teamId, tier, seats }: { teamId: string; tier: Tier; seats: number }) {
  const toast = useToast();
  const tellFault = useFaultToast();
  const kept = countOf(seats, 'seat');
  const change = useChangeSeatCount(teamId, () => toast({ message: `The team keeps ${kept}` }));
  const keep = () =>
    change.mutate({ numberOfSeats: seats, agreedPrice: priceOfKeeping(tier, seats) }, { onError: tellFault });
  return (
    <Button size="sm" isBusy={change.isPending} onClick={keep}>
      Keep {kept}
    </Button>
  );
}
