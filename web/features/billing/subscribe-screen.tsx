import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useSearchParams } from 'react-router';
import { type PaidTier, paidTiers } from '#contract/billing.ts';
import type { Tier } from '#contract/plans.ts';
import { useSession } from '../../lib/session.ts';
import { useIsStarted } from '../../lib/started.ts';
import { BillingFault } from './billing-fault.tsx';
import { isEnding, planRule } from './billing-words.ts';
import { BuyCredits } from './buy-credits.tsx';
import { ChosenPlan } from './chosen-plan.tsx';
import { WhereCreditsAreOn } from './credits-off.tsx';
import { PaymentOutcomeNotice } from './payment-outcome.tsx';
import { PlanAction } from './plan-action.tsx';
import { PlanCards } from './plan-cards.tsx';
import { ChangeLoading } from './plan-change.tsx';
import { billingOptions } from './queries.ts';
import { StandingNotice } from './standing-notice.tsx';
import { TestModeNote } from './test-mode-note.tsx';

/** The plans of a person: compare, subscribe, change. The one in the address (`tier`) is chosen. */
export function SubscribeScreen() {
  const [params, setParams] = useSearchParams();
  const headingRef = useRef<HTMLHeadingElement>(null);
  const session = useSession();
  const isSignedIn = Boolean(session.data?.user);
  const billing = useQuery({ ...billingOptions(null), enabled: isSignedIn });
  // The page was written without a plan in its address.
  const isStarted = useIsStarted();
  const asked = paidTiers.find((tier) => isStarted && tier.toLowerCase() === params.get('tier')?.toLowerCase());
  const current = isSignedIn ? billing.data?.tier : undefined;
  const chosen = asked === current || (billing.data && isEnding(billing.data)) ? undefined : asked;

  const choose = (tier: PaidTier | undefined) => {
    setParams(tier === undefined ? {} : { tier: tier.toLowerCase() }, { replace: true, preventScrollReset: true });
  };
  // What was pressed goes with the order: the focus must not be lost with it.
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
