import { Check } from 'lucide-react';
import { Link } from 'react-router';
import { type Billing, type PaidTier, paidTiers } from '#contract/billing.ts';
import type { Tier } from '#contract/plans.ts';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { isEnding } from './billing-words.ts';

interface PlanActionProps {
  tier: Tier;
  isSignedIn: boolean;
  /** Undefined while it is loading, and for a visitor. */
  billing: Billing | undefined;
  /** Its order is shown. */
  isPressed: boolean;
  onChoose: (tier: PaidTier) => void;
}

/** The one thing to do about a plan on its card. */
export function PlanAction({ tier, isSignedIn, billing, isPressed, onChoose }: PlanActionProps) {
  const paid = paidTiers.find((known) => known === tier);
  if (!isSignedIn) return <SignUpLink paid={paid} />;
  if (billing === undefined) return <Skeleton className="h-9 w-full rounded-md" />;
  const isPaying = billing.tier !== 'Free' && billing.subscriptionId !== null;
  if (tier === billing.tier || tier === billing.nextPeriod?.tier) {
    return isPaying ? (
      <Link to="/account#billing" className={buttonClasses()}>
        Manage
      </Link>
    ) : (
      <Filler />
    );
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

/** Keeps the plans in line where there is nothing to do. */
function Filler() {
  return <span aria-hidden className="block h-9 max-md:hidden" />;
}

/** A visitor signs up first and comes back with the plan chosen. */
function SignUpLink({ paid }: { paid: PaidTier | undefined }) {
  if (paid === undefined) {
    return (
      <Link to="/signup" className={buttonClasses()}>
        Start for free
      </Link>
    );
  }
  return (
    <Link to={`/signup?tier=${paid.toLowerCase()}`} className={buttonClasses('action')}>
      Sign up for {paid}
    </Link>
  );
}
