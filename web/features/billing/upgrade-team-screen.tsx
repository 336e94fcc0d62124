import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { type Billing, type PaidTier, paidTiers, planCents } from '#contract/billing.ts';
import * as limits from '#contract/limits.ts';
import { plans, type Tier } from '#contract/plans.ts';
import type { SelectedTeam } from '../../lib/team-queries.ts';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import { PartHeading } from '../../ui/part-heading.tsx';
import { countOf, formatCount } from '../../ui/quantities.ts';
import { QuantityField } from '../../ui/quantity-field.tsx';
import { BillingFault, StandingNotice, TestModeNote, WhereCreditsAreOn } from './billing-notices.tsx';
import { isEnding, planRule } from './billing-words.ts';
import { OrderSummary } from './order-summary.tsx';
import { PaymentOutcomeNotice } from './payment-outcome.tsx';
import { ChangeLoading, PlanChange } from './plan-change.tsx';
import { planPurposes, roomOf } from './plan-facts.ts';
import { PriceLines } from './price-lines.tsx';
import { billingOptions } from './queries.ts';

interface UpgradeTeamScreenProps {
  selected: SelectedTeam;
  /** Shown to members who may not change the plan. */
  askAnAdmin: ReactNode;
}

/** Selects a team's plan and number of seats, and shows the price. */
export function UpgradeTeamScreen({ selected: { team, isAdmin }, askAnAdmin }: UpgradeTeamScreenProps) {
  const billing = useQuery({ ...billingOptions(team.teamId), enabled: isAdmin });
  return (
    <div className="page flex flex-col gap-7 py-10">
      <div>
        <h1 className="heading-page">Plan for {team.name}</h1>
        <p className="mt-1 max-w-prose text-pretty text-soft">
          The credits of all paid seats form a pool that members with a seat share. Members without one use the credits
          of their own accounts.
        </p>
        <p className="mt-1 max-w-prose text-pretty text-faint text-sm">{planRule}</p>
      </div>
      {!isAdmin && askAnAdmin}
      {billing.data && (
        <WhereCreditsAreOn>
          <TestModeNote mode={billing.data.mode} />
          <PaymentOutcomeNotice payer={team.teamId} billing={billing.data} />
          <StandingNotice payer={team.teamId} billing={billing.data} />
          <Choice key={billing.data.tier} teamId={team.teamId} members={team.memberIds.length} billing={billing.data} />
        </WhereCreditsAreOn>
      )}
      {billing.isError && <BillingFault query={billing} />}
      {isAdmin && billing.isPending && (
        <div className="rounded-xl border border-line bg-surface p-6 shadow-sm">
          <ChangeLoading />
        </div>
      )}
    </div>
  );
}

interface ChoiceProps {
  teamId: string;
  members: number;
  billing: Billing;
}

function Choice({ teamId, members, billing }: ChoiceProps) {
  const [params] = useSearchParams();
  const current = paidTiers.find((tier) => tier === billing.tier && billing.subscriptionId !== null);
  const asked = paidTiers.find((tier) => tier.toLowerCase() === params.get('tier')?.toLowerCase());
  const [tier, setTier] = useState<PaidTier>(asked ?? current ?? 'Basic');
  const [chosenSeats, setSeats] = useState(Math.max(1, members));
  const seats = current === undefined ? chosenSeats : billing.numberOfPaidSeats;
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="flex flex-col gap-6 rounded-xl border border-line bg-surface p-5 shadow-sm sm:p-6">
        <TierChoice value={tier} current={billing.tier} onChange={setTier} />
        {current === undefined ? (
          <QuantityField
            label="Seats"
            value={seats}
            max={limits.teamMembersMax}
            onChange={setSeats}
            hint={`The team has ${countOf(members, 'member')}. Assign the seats afterwards; you can change their number at any time.`}
          />
        ) : (
          <p className="text-soft text-sm">
            {countOf(billing.numberOfPaidSeats, 'paid seat')}.{' '}
            <Link to="/team-manage-seats" className="rounded-xs text-ink underline underline-offset-3">
              Change the number, or assign seats
            </Link>
          </p>
        )}
        <p className="border-line border-t pt-5 text-soft">
          <span className="tabular font-semibold text-ink text-lg">
            {formatCount(plans[tier].creditsPerMonth * seats)}
          </span>{' '}
          credits a month in the team's pool
        </p>
      </div>
      <section
        aria-labelledby="price-title"
        className="flex flex-col gap-4 rounded-xl border border-line bg-surface p-5 shadow-sm sm:p-6 lg:sticky lg:top-20"
      >
        <PartHeading id="price-title">
          {current === undefined ? 'Order' : tier === current ? 'Current plan' : `Change to ${tier}`}
        </PartHeading>
        {current === undefined ? (
          <OrderSummary payer={teamId} billing={billing} tier={tier} seats={seats} />
        ) : tier === current ? (
          <AsItIs billing={billing} />
        ) : isEnding(billing) ? (
          <p className="text-pretty text-soft">
            Keep {billing.tier} to change to {tier}.
          </p>
        ) : (
          <PlanChange key={tier} payer={teamId} tier={tier} onDone={() => setTier(tier)} />
        )}
      </section>
    </div>
  );
}

/** The team's current price, shown until something else is selected. */
function AsItIs({ billing }: { billing: Billing }) {
  const { discount, nextAmountCents } = billing;
  const { tier, numberOfSeats } = billing.nextPeriod ?? {
    tier: billing.tier,
    numberOfSeats: billing.numberOfPaidSeats,
  };
  const full = planCents(tier, numberOfSeats);
  return (
    <>
      {nextAmountCents === null ? (
        <p className="text-soft">Nothing more will be charged.</p>
      ) : (
        <PriceLines
          lines={[
            { label: `${tier}, ${countOf(numberOfSeats, 'seat')}`, cents: full },
            ...(nextAmountCents < full ? [{ label: discount?.code ?? 'Credit', cents: nextAmountCents - full }] : []),
          ]}
          total={{ label: 'Next payment', cents: nextAmountCents }}
        />
      )}
      <ButtonLink to="/team?tab=plan">Plan and seats</ButtonLink>
    </>
  );
}

interface TierChoiceProps {
  value: PaidTier;
  current: Tier;
  onChange: (tier: PaidTier) => void;
}

/** Selects the team's paid plan, priced per seat. */
function TierChoice({ value, current, onChange }: TierChoiceProps) {
  return (
    <fieldset>
      <legend className="font-medium text-ink text-sm">Plan</legend>
      <div className="mt-2 divide-y divide-line rounded-lg border border-line bg-surface">
        {paidTiers.map((tier) => (
          <label
            key={tier}
            className="flex cursor-pointer flex-wrap items-start gap-3 px-4 py-3.5 first:rounded-t-lg last:rounded-b-lg has-checked:bg-lamp-ground/50 has-focus-visible:outline-2 has-focus-visible:outline-lamp"
          >
            <input
              type="radio"
              name="tier"
              value={tier}
              checked={tier === value}
              onChange={() => onChange(tier)}
              className="mt-1 size-4 shrink-0 accent-lamp outline-none"
            />
            <span className="min-w-0 flex-1 basis-48">
              <span className="flex items-center gap-2 font-medium text-ink">
                {tier}
                {tier === current && <Badge tone="good">The team's plan</Badge>}
              </span>
              <span className="block text-soft text-sm">
                {countOf(plans[tier].creditsPerMonth, 'credit')} a month for each seat
              </span>
              <span className="block text-faint text-xs">{roomOf(tier)}</span>
              <span className="block text-faint text-xs">{planPurposes[tier]}</span>
            </span>
            <span className="tabular shrink-0 max-sm:pl-7 sm:text-right">
              <span className="block font-semibold text-ink text-lg">${plans[tier].usdPerMonth}</span>
              <span className="block text-faint text-xs">a seat, monthly</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
