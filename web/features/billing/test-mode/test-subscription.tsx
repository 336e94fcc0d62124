import type { SubscriptionStatus } from '#contract/billing.ts';
import type { TestPortal } from '#contract/test-billing.ts';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { countOf, formatDay, formatUsd } from '../../../ui/quantities.ts';
import { discountWords } from '../billing-words.ts';
import { PortalPart } from './portal-part.tsx';
import type { PortalAct } from './queries.ts';

const statuses: Record<SubscriptionStatus, { tone: Tone; label: string }> = {
  active: { tone: 'good', label: 'Active' },
  past_due: { tone: 'bad', label: 'Past due' },
  unpaid: { tone: 'bad', label: 'Unpaid' },
  incomplete: { tone: 'warn', label: 'Incomplete' },
  canceled: { tone: 'quiet', label: 'Cancelled' },
};

interface TestSubscriptionProps {
  subscription: TestPortal['subscription'];
  act: PortalAct;
}

/** The subscription, what can be done about it, and the passing of its time. */
export function TestSubscription({ subscription, act }: TestSubscriptionProps) {
  if (subscription === null) {
    return (
      <PortalPart title="Subscription">
        <p className="text-soft">No subscription.</p>
      </PortalPart>
    );
  }
  const { tier, quantity, status, periodEndAt, cancelAtPeriodEnd, nextAmountCents, discount } = subscription;
  const isOver = status === 'canceled';
  const { tone, label } = cancelAtPeriodEnd && !isOver ? { tone: 'warn' as const, label: 'Ending' } : statuses[status];
  const isDoing = (name: 'advance' | 'cancel' | 'resume') => act.isPending && act.variables.act === name;
  const press = (name: 'advance' | 'cancel' | 'resume') => () => {
    if (!act.isPending) act.mutate({ act: name });
  };
  return (
    <PortalPart title="Subscription">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium text-ink">
          {tier}
          {quantity > 1 && `, ${countOf(quantity, 'seat')}`}
        </span>
        <Badge tone={tone}>{label}</Badge>
      </p>
      {!isOver && (
        <p className="tabular mt-1 text-soft text-sm">
          {cancelAtPeriodEnd
            ? `Ends on ${formatDay(periodEndAt)}. Nothing more is charged.`
            : `${formatUsd(nextAmountCents)} on ${formatDay(periodEndAt)}${discount ? `, with ${discountWords(discount)} by ${discount.code}` : ''}.`}
        </p>
      )}
      {!isOver && (
        <div className="mt-4 flex flex-wrap gap-2">
          <Button isBusy={isDoing('advance')} onClick={press('advance')}>
            {advanceLabel(status, cancelAtPeriodEnd)}
          </Button>
          {cancelAtPeriodEnd ? (
            <Button isBusy={isDoing('resume')} onClick={press('resume')}>
              Resume
            </Button>
          ) : (
            <Button look="quiet" isBusy={isDoing('cancel')} onClick={press('cancel')}>
              Cancel at the end of the period
            </Button>
          )}
        </div>
      )}
    </PortalPart>
  );
}

function advanceLabel(status: SubscriptionStatus, cancelAtPeriodEnd: boolean): string {
  if (status === 'past_due') return 'Advance to the next retry';
  return cancelAtPeriodEnd ? 'Advance to the end' : 'Advance to the next invoice';
}
