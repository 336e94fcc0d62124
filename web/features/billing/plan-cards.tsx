import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { type Billing, type PaidTier, paidTiers } from '#contract/billing.ts';
import { plans, type Tier, tiers } from '#contract/plans.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { ActionLink, ButtonLink } from '../../ui/button-link.tsx';
import { classNames } from '../../ui/class-names.ts';
import { countOf } from '../../ui/quantities.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { isEnding } from './billing-words.ts';
import { planFacts, planPurposes } from './plan-facts.ts';

interface PlanCardsProps {
  current: Tier | undefined;
  chosen: Tier | undefined;
  /** Renders a plan's button, shown below its price. */
  action: (tier: Tier) => ReactNode;
}

/** The plans side by side: prices, contents and intended use. */
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

interface PlanActionProps {
  tier: Tier;
  isSignedIn: boolean;
  /** Undefined while it is loading, and for visitors. */
  billing: Billing | undefined;
  /** True while its order is shown. */
  isPressed: boolean;
  onChoose: (tier: PaidTier) => void;
}

/** The button on a plan's card. */
export function PlanAction({ tier, isSignedIn, billing, isPressed, onChoose }: PlanActionProps) {
  const paid = paidTiers.find((known) => known === tier);
  if (!isSignedIn) return <SignUpLink paid={paid} />;
  if (billing === undefined) return <Skeleton className="h-9 w-full rounded-md" />;
  const isPaying = billing.tier !== 'Free' && billing.subscriptionId !== null;
  if (tier === billing.tier || tier === billing.nextPeriod?.tier) {
    return isPaying ? <ButtonLink to="/account#billing">Manage</ButtonLink> : <Filler />;
  }
  if (isEnding(billing) || (paid === undefined && !isPaying)) return <Filler />;
  if (paid === undefined) {
    return (
      <Link to="/account#billing" className={buttonClasses('quiet')}>
        Cancel {billing.tier}…
      </Link>
    );
  }
  return (
    <Button
      look={isPressed ? 'plain' : 'action'}
      aria-pressed={isPressed}
      onClick={() => onChoose(paid)}
      className="w-full"
    >
      {isPressed && <Check aria-hidden className="size-4 text-lamp" />}
      {isPaying ? `Change to ${tier}` : `Choose ${tier}`}
    </Button>
  );
}

/** Keeps the cards aligned if a plan has no button. */
function Filler() {
  return <span aria-hidden className="block h-9 max-md:hidden" />;
}

/** Visitors sign up first and return with the plan selected. */
function SignUpLink({ paid }: { paid: PaidTier | undefined }) {
  if (paid === undefined) {
    return <ButtonLink to="/signup">Start for free</ButtonLink>;
  }
  return <ActionLink to={`/signup?tier=${paid.toLowerCase()}`}>Sign up for {paid}</ActionLink>;
}
