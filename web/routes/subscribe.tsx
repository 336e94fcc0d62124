import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useRef } from 'react';
import { useSearchParams } from 'react-router';
import { type Billing, type PaidTier, paidTiers } from '#contract/billing.ts';
import { plans, type Tier } from '#contract/plans.ts';
import { BillingFault, StandingNotice, TestModeNote, WhereCreditsAreOn } from '../features/billing/billing-notices.tsx';
import { isEnding, planRule } from '../features/billing/billing-words.ts';
import { BuyCredits } from '../features/billing/buy-credits.tsx';
import { OrderSummary } from '../features/billing/order-summary.tsx';
import { PaymentOutcomeNotice } from '../features/billing/payment-outcome.tsx';
import { PlanAction, PlanCards } from '../features/billing/plan-cards.tsx';
import { ChangeLoading, PlanChange } from '../features/billing/plan-change.tsx';
import { billingOptions } from '../features/billing/queries.ts';
import { publicPage } from '../lib/public-page-head.tsx';
import { useSession } from '../lib/session.ts';
import { useIsStarted } from '../lib/started.ts';
import { PartHeading } from '../ui/part-heading.tsx';
import { formatCount, formatDay } from '../ui/quantities.ts';

/** A person's plans: compare, subscribe, change. The plan in the address (`tier`) is selected. */
function SubscribeScreen() {
  const [params, setParams] = useSearchParams();
  const headingRef = useRef<HTMLHeadingElement>(null);
  const session = useSession();
  const isSignedIn = Boolean(session.data?.user);
  const billing = useQuery({ ...billingOptions(null), enabled: isSignedIn });
  // The page was prerendered without a plan in its address.
  const isStarted = useIsStarted();
  const asked = paidTiers.find((tier) => isStarted && tier.toLowerCase() === params.get('tier')?.toLowerCase());
  const current = isSignedIn ? billing.data?.tier : undefined;
  const chosen = asked === current || (billing.data && isEnding(billing.data)) ? undefined : asked;

  const choose = (tier: PaidTier | undefined) => {
    setParams(tier === undefined ? {} : { tier: tier.toLowerCase() }, { replace: true, preventScrollReset: true });
  };
  // The clicked button disappears with the order: move the focus before it is lost.
  const leaveOrder = () => {
    choose(undefined);
    headingRef.current?.focus();
  };
  return (
    <div className="page flex flex-col gap-8 py-10">
      <div>
        <h1 ref={headingRef} tabIndex={-1} className="heading-page outline-none">
          Plans
        </h1>
        <p className="mt-1 max-w-prose text-pretty text-soft">
          A search or a read costs one credit. Failed calls and empty results are free. Change or cancel at any time.
        </p>
        <p className="mt-1 max-w-prose text-pretty text-faint text-sm">{planRule}</p>
      </div>
      <WhereCreditsAreOn>
        <TestModeNote mode={billing.data?.mode} />
        {isSignedIn && billing.data && (
          <>
            <PaymentOutcomeNotice payer={null} billing={billing.data} />
            <StandingNotice payer={null} billing={billing.data} />
          </>
        )}
        {isSignedIn && billing.isError && <BillingFault query={billing} />}
        <PlanCards
          current={current}
          chosen={chosen}
          action={(tier: Tier) =>
            billing.isLoadingError ? null : (
              <PlanAction
                tier={tier}
                isSignedIn={isSignedIn}
                billing={billing.data}
                isPressed={tier === chosen}
                onChoose={choose}
              />
            )
          }
        />
        {isSignedIn && chosen && billing.data && (
          <ChosenPlan key={chosen} tier={chosen} billing={billing.data} onDone={leaveOrder} />
        )}
        {isSignedIn && chosen && billing.isPending && (
          <div className="rounded-xl border border-line bg-surface p-6 shadow-sm md:pl-[52%]">
            <ChangeLoading />
          </div>
        )}
        <BuyCredits payer={null} isSignedIn={isSignedIn} />
      </WhereCreditsAreOn>
    </div>
  );
}

export default publicPage('/subscribe', SubscribeScreen);

interface ChosenPlanProps {
  tier: PaidTier;
  billing: Billing;
  onDone: () => void;
}

/** The selected plan: what happens on the left, what it costs on the right. */
function ChosenPlan({ tier, billing, onDone }: ChosenPlanProps) {
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
        <PartHeading id="order-title">{title}</PartHeading>
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

/** Focuses the order below the plans, which is out of sight on a narrow screen. */
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
      "This month's usage still counts; purchased credits are kept.",
    ];
  }
  return [
    `You keep ${billing.tier} and its credits until ${ends}. Nothing is charged or refunded now.`,
    `${formatCount(after)} credits a month instead of ${formatCount(before)} from then on.`,
    'You can undo this until then; purchased credits are kept.',
  ];
}
