import { Link } from 'react-router';
import type { Billing } from '#contract/billing.ts';
import { useConfirm } from '../../kit/use-confirm.tsx';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { countOf, formatDay, formatUsd } from '../../ui/quantities.ts';
import { SettingsRow } from '../../ui/settings.tsx';
import { ResumeButton } from './billing-notices.tsx';
import { allowanceWords, discountWords, type Standing, standingOf } from './billing-words.ts';
import { NextPeriod } from './next-period.tsx';
import { type Payer, useCancelSubscription } from './queries.ts';

const badges: Partial<Record<Standing['state'], { tone: Tone; label: string }>> = {
  active: { tone: 'good', label: 'Active' },
  'past-due': { tone: 'bad', label: 'Past due' },
  ending: { tone: 'warn', label: 'Ending' },
};

/** The plan, its state, and what happens next. */
export function PlanRow({ payer, billing }: { payer: Payer; billing: Billing }) {
  const cancelling = useCancelling(payer);
  const standing = standingOf(billing);
  const badge = badges[standing.state];
  const plansPath = payer === null ? '/subscribe' : '/upgrade-team';
  return (
    <SettingsRow className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex items-center gap-2">
          <span className="font-semibold text-ink text-lg">{billing.tier}</span>
          {badge && <Badge tone={badge.tone}>{badge.label}</Badge>}
        </p>
        <p className="mt-0.5 text-soft">
          {billing.tier === 'Free'
            ? 'No monthly credits.'
            : `${allowanceWords(billing.monthlyAllowance, payer === null ? 1 : billing.numberOfPaidSeats)}.`}
        </p>
        {standing.state === 'ending' ? <Ending at={billing.subscriptionEndDate} /> : <Next billing={billing} />}
        <NextPeriod payer={payer} billing={billing} />
      </div>
      <div className="flex flex-wrap gap-2">
        <Link to={plansPath} className={buttonClasses(badge ? 'plain' : 'action')}>
          {badge ? 'Change plan' : 'See the plans'}
        </Link>
        {standing.state === 'ending' && <ResumeButton payer={payer} tier={billing.tier} />}
        {(standing.state === 'active' || standing.state === 'past-due') && !billing.cancelAtPeriodEnd && (
          <Button look="quiet" onClick={() => cancelling.ask(billing)}>
            Cancel plan…
          </Button>
        )}
      </div>
      {cancelling.dialog}
    </SettingsRow>
  );
}

function Ending({ at }: { at: number | null }) {
  return (
    <p className="mt-2 text-faint text-sm">
      Ends {at === null ? 'with the period' : 'on '}
      {at !== null && <span className="font-medium text-ink">{formatDay(at)}</span>}. Nothing more will be charged.
    </p>
  );
}

function Next({ billing: { nextAmountCents, subscriptionEndDate, discount } }: { billing: Billing }) {
  if (nextAmountCents === null || subscriptionEndDate === null) return null;
  return (
    <p className="tabular mt-2 text-faint text-sm">
      Next payment: <span className="font-medium text-ink">{formatUsd(nextAmountCents)}</span> on{' '}
      {formatDay(subscriptionEndDate)}
      {discount && (
        <>
          , with {discountWords(discount)} by <span className="font-medium text-soft">{discount.code}</span>
        </>
      )}
    </p>
  );
}

/** Asks for confirmation before a plan is canceled, and says which benefits end and when. */
function useCancelling(payer: Payer) {
  const dayOf = ({ subscriptionEndDate }: Billing) =>
    subscriptionEndDate === null ? 'the end of the period' : formatDay(subscriptionEndDate);
  return useConfirm(
    {
      title: ({ tier }: Billing) => (payer === null ? `Cancel your ${tier} plan?` : `Cancel the team's ${tier} plan?`),
      body: (billing) => <WhatEnds payer={payer} billing={billing} day={dayOf(billing)} />,
      actionLabel: 'Cancel plan',
      cancelLabel: ({ tier }) => `Keep ${tier}`,
      toast: (billing) => `${billing.tier} ends on ${dayOf(billing)}`,
    },
    useCancelSubscription(payer),
    () => undefined,
  );
}

function WhatEnds({ payer, billing, day }: { payer: Payer; billing: Billing; day: string }) {
  const { monthlyAllowance, numberOfPaidSeats, discount } = billing;
  return (
    <>
      <p>
        It is paid until <strong className="font-medium text-ink">{day}</strong> and stays active until then. After
        that:
      </p>
      <ul className="flex list-disc flex-col gap-1 pl-5 text-sm">
        <li>
          The {countOf(monthlyAllowance, 'credit')} are no longer added each month, and unused monthly credits are lost.
        </li>
        {payer !== null && (
          <li>
            The team loses {countOf(numberOfPaidSeats, 'paid seat')}. Members then use the credits of their own
            accounts.
          </li>
        )}
        {discount && <li>The discount of {discount.code} ends with the plan.</li>}
        <li>Purchased credits and everything you indexed are kept.</li>
      </ul>
    </>
  );
}
