import { Check } from 'lucide-react';
import type { Billing, PaidTier } from '#contract/billing.ts';
import { plans } from '#contract/plans.ts';
import { formatCount, formatDay } from '../../ui/quantities.ts';
import { OrderSummary } from './order-summary.tsx';
import { PlanChange } from './plan-change.tsx';

interface ChosenPlanProps {
  tier: PaidTier;
  billing: Billing;
  onDone: () => void;
}

/** The plan a person is about to take: what happens on the left, what it costs on the right. */
export function ChosenPlan({ tier, billing, onDone }: ChosenPlanProps) {
  const isPaying = billing.tier !== 'Free' && billing.subscriptionId !== null;
  const title = isPaying ? `Change from ${billing.tier} to ${tier}` : `Subscribe to ${tier}`;
  return (
    <section
      ref={takeFocus}
      tabIndex={-1}
      aria-labelledby="order-title"
      className="grid scroll-mt-2 gap-x-12 gap-y-6 rounded-xl border border-line bg-surface p-5 shadow-sm outline-none sm:p-6 md:grid-cols-2"
    >
      <div>
        <h2 id="order-title" className="heading-part">
          {title}
        </h2>
        <ul className="mt-4 flex flex-col gap-3 text-soft">
          {(isPaying ? whatChanges(tier, billing) : whatBegins(tier)).map((sentence) => (
            <li key={sentence} className="flex gap-3">
              <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-lamp" />
              <span className="text-pretty">{sentence}</span>
            </li>
          ))}
        </ul>
      </div>
      {isPaying ? (
        <PlanChange payer={null} tier={tier} onDone={onDone} />
      ) : (
        <OrderSummary payer={null} billing={billing} tier={tier} seats={1} />
      )}
    </section>
  );
}

/** Leads to the order, which stands below the plans: out of sight on a narrow screen. */
function takeFocus(order: HTMLElement | null): void {
  order?.focus({ preventScroll: true });
  order?.scrollIntoView({ block: 'nearest' });
}

function whatBegins(tier: PaidTier): string[] {
  return [
    `${formatCount(plans[tier].creditsPerMonth)} credits as soon as you have paid, and again each month.`,
    'You keep your credits; they are used after the monthly ones.',
    'Cancel at any time: the plan stays active until the end of the paid month.',
  ];
}

function whatChanges(tier: PaidTier, billing: Billing): string[] {
  const [before, after] = [billing.monthlyAllowance, plans[tier].creditsPerMonth];
  const ends = billing.subscriptionEndDate === null ? 'the next invoice' : formatDay(billing.subscriptionEndDate);
  if (after > before) {
    return [
      `You pay the difference for the days until ${ends}, and get the credits for each whole day left.`,
      `${formatCount(after)} credits a month instead of ${formatCount(before)} from then on.`,
      "This month's usage still counts; bought credits are kept.",
    ];
  }
  return [
    `You keep ${billing.tier} and its credits until ${ends}. Nothing is charged or refunded now.`,
    `${formatCount(after)} credits a month instead of ${formatCount(before)} from then on.`,
    'You can undo this until then; bought credits are kept.',
  ];
}
