import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { Billing } from '#contract/billing.ts';
import * as limits from '#contract/limits.ts';
import { plans } from '#contract/plans.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { Button } from '../../ui/button.tsx';
import { PartHeading } from '../../ui/part-heading.tsx';
import { Progress } from '../../ui/progress.tsx';
import { countOf, formatCount, formatDay, formatUsd } from '../../ui/quantities.ts';
import { QuantityField } from '../../ui/quantity-field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { ChangeFault } from './billing-notices.tsx';
import { isEnding, planRule } from './billing-words.ts';
import { NextPeriod } from './next-period.tsx';
import { ChangeLoading, ChangeSummary } from './plan-change.tsx';
import { agreedPriceOf, seatPreviewOptions, useChangeSeatCount } from './queries.ts';

interface SeatCountProps {
  teamId: string;
  billing: Billing;
}

/** The number of paid seats; a different number shows its price before it is charged. */
export function SeatCount({ teamId, billing }: SeatCountProps) {
  const { numberOfPaidSeats, assignedSeats, tier, monthlyAllowance } = billing;
  const given = `${formatCount(assignedSeats)} of ${countOf(numberOfPaidSeats, 'seat')}`;
  return (
    <section
      aria-labelledby="seats-title"
      className="grid rounded-xl border border-line bg-surface shadow-sm md:grid-cols-2 md:divide-x md:divide-line"
    >
      <div className="flex flex-col gap-4 p-5 sm:p-6">
        <PartHeading id="seats-title">Seats</PartHeading>
        <p className="tabular flex items-baseline gap-2">
          <span className="shrink-0 font-semibold text-2xl text-ink">{formatCount(assignedSeats)}</span>
          <span className="text-soft">of {countOf(numberOfPaidSeats, 'paid seat')} assigned to members</span>
        </p>
        <Progress
          label="Seats assigned"
          value={assignedSeats}
          max={numberOfPaidSeats}
          valueText={`${given} assigned`}
          tone="quiet"
        />
        <p className="tabular text-faint text-sm">
          {tier}: ${plans[tier].usdPerMonth} per seat per month, {formatCount(monthlyAllowance)} credits a month in the
          pool
        </p>
        <NextPeriod payer={teamId} billing={billing} />
        <p className="text-pretty text-faint text-xs">{planRule}</p>
      </div>
      <div className="flex flex-col gap-4 p-5 max-md:border-line max-md:border-t sm:p-6">
        {isEnding(billing) ? (
          <p className="text-pretty text-soft">Keep {tier} to change the number of seats.</p>
        ) : (
          <SeatNumber teamId={teamId} billing={billing} />
        )}
      </div>
    </section>
  );
}

function SeatNumber({ teamId, billing }: SeatCountProps) {
  const { numberOfPaidSeats, assignedSeats } = billing;
  const booked = billing.nextPeriod?.numberOfSeats ?? numberOfPaidSeats;
  const [seats, setSeats] = useState(booked);
  const isTooFew = seats < assignedSeats;
  return (
    <>
      <QuantityField
        label="Pay for"
        value={seats}
        max={limits.teamMembersMax}
        onChange={setSeats}
        error={
          isTooFew
            ? `${countOf(assignedSeats, 'member has', 'members have')} a seat. Remove seats first, or pay for at least ${assignedSeats}.`
            : undefined
        }
        hint={seats === booked ? 'Change the number to see what it costs.' : undefined}
      />
      {seats !== booked && !isTooFew && <SeatChange teamId={teamId} seats={seats} onDiscard={() => setSeats(booked)} />}
    </>
  );
}

interface SeatChangeProps {
  teamId: string;
  seats: number;
  onDiscard: () => void;
}

function SeatChange({ teamId, seats, onDiscard }: SeatChangeProps) {
  // Deferred, so that the price is requested for the final number, not for each digit.
  const asked = useDeferredValue(seats);
  const preview = useQuery(seatPreviewOptions(teamId, asked));
  const toast = useToast();
  const change = useChangeSeatCount(teamId, () =>
    toast({
      message: preview.data?.startsAt
        ? `The team pays for ${countOf(seats, 'seat')} from ${formatDay(preview.data.startsAt)}`
        : `The team pays for ${countOf(seats, 'seat')} now`,
    }),
  );
  if (preview.isError) {
    return <RetryNotice query={preview} isSmall />;
  }
  if (preview.data === undefined) return <ChangeLoading />;
  const { dueNowCents } = preview.data;
  return (
    <>
      <ChangeSummary preview={preview.data} />
      <ChangeFault payer={teamId} error={change.error} />
      <div className="flex flex-wrap gap-2">
        <Button
          look="action"
          isBusy={change.isPending || asked !== seats}
          onClick={() => change.mutate({ numberOfSeats: seats, agreedPrice: agreedPriceOf(preview.data) })}
        >
          {dueNowCents > 0
            ? `Pay ${formatUsd(dueNowCents)} for ${countOf(seats, 'seat')}`
            : `Change to ${countOf(seats, 'seat')}`}
        </Button>
        <Button look="quiet" onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </>
  );
}
