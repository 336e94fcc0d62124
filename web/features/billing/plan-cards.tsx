import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { plans, type Tier, tiers } from '#contract/plans.ts';
import { Badge } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { countOf } from '../../ui/quantities.ts';
import { planFacts, planPurposes } from './plan-facts.ts';

interface PlanCardsProps {
  current: Tier | undefined;
  chosen: Tier | undefined;
  /** What you can do about a plan: stands beneath its price. */
  action: (tier: Tier) => ReactNode;
}

/** The plans side by side: what each costs, brings and is for. */
export function PlanCards({ current, chosen, action }: PlanCardsProps) {
  return (
    <ul className="grid gap-4 md:grid-cols-3">
      {tiers.map((tier) => (
        <PlanCard key={tier} tier={tier} isCurrent={tier === current} isChosen={tier === chosen}>
          {action(tier)}
        </PlanCard>
      ))}
    </ul>
  );
}

interface PlanCardProps {
  tier: Tier;
  isCurrent: boolean;
  isChosen: boolean;
  children: ReactNode;
}

function PlanCard({ tier, isCurrent, isChosen, children }: PlanCardProps) {
  const { usdPerMonth, creditsPerMonth } = plans[tier];
  return (
    <li
      className={classNames(
        'flex flex-col rounded-xl border bg-surface shadow-sm',
        isChosen ? 'border-lamp ring-1 ring-lamp' : 'border-line',
      )}
    >
      <div className="flex flex-col gap-4 p-5">
        <div>
          <div className="flex min-h-6 items-center justify-between gap-2">
            <h2 className="heading-part">{tier}</h2>
            {isCurrent && <Badge tone="good">Your plan</Badge>}
          </div>
          <p className="mt-1 text-pretty md:min-h-10 text-faint text-sm">{planPurposes[tier]}</p>
        </div>
        <p className="tabular flex items-baseline gap-1.5">
          <span className="font-display font-medium text-4xl text-ink tracking-tight">${usdPerMonth}</span>
          <span className="text-faint text-sm">a month</span>
        </p>
        {children}
      </div>
      <div className="flex-1 border-line border-t p-5 pt-4">
        <p className="font-medium text-ink">
          {creditsPerMonth === 0 ? 'No monthly credits' : `${countOf(creditsPerMonth, 'credit')} a month`}
        </p>
        <ul className="mt-2.5 flex flex-col gap-2">
          {planFacts(tier).map((fact) => (
            <li key={fact} className="flex gap-2.5 text-sm text-soft">
              <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-lamp" />
              {fact}
            </li>
          ))}
        </ul>
      </div>
    </li>
  );
}
