import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Billing } from '#contract/billing.ts';
import type { creditEndpoints } from '#contract/credits.ts';
import type { OutputOf } from '#contract/endpoint.ts';
import type { Membership } from '#contract/teams.ts';
import { useFaultToast } from '../../kit/use-fault-toast.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { memberUsageOptions } from '../../lib/credit-queries.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { PartHeading } from '../../ui/part-heading.tsx';
import { countOf, formatDay, formatUsd } from '../../ui/quantities.ts';
import { useSteps } from '../../ui/steps.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useToast } from '../../ui/toast.tsx';
import { isEnding } from './billing-words.ts';
import { ChangeLoading, ChangeSummary } from './plan-change.tsx';
import { agreedPriceOf, seatPreviewOptions, useManageSeats } from './queries.ts';

type TeamUsage = OutputOf<typeof creditEndpoints.getMemberUsage>;

export interface SeatListProps {
  teamId: string;
  billing: Billing;
  members: Membership[];
}

/** A switch for each member that assigns a paid seat. */
export function SeatList({ teamId, billing, members }: SeatListProps) {
  const [waiting, setWaiting] = useState<Membership>();
  const manage = useManageSeats();
  const toast = useToast();
  const tellFault = useFaultToast();
  // Optional: seats can be assigned without the usage.
  const usage = useQuery(memberUsageOptions(teamId)).data;
  const withSeat = members.filter(({ hasPaidSeat }) => hasPaidSeat);
  const { shown, listRef, more } = useSteps<Membership, HTMLUListElement>('Members', members);
  const isFull = withSeat.length >= billing.numberOfPaidSeats;

  const give = (member: Membership, isOn: boolean) => {
    if (manage.isPending) return;
    if (isOn && isFull && isEnding(billing))
      return toast({ message: `Keep ${billing.tier} to pay for more seats`, tone: 'bad', durationMs: 5_000 });
    if (isOn && isFull) return setWaiting(member);
    manage.mutate(
      { teamId, paidSeatMembershipIds: seatsAfter(withSeat, member, isOn), updateSubscription: false },
      {
        onSuccess: () =>
          toast({ message: isOn ? `${nameOf(member)} has a seat` : `${nameOf(member)} has no seat now` }),
        onError: tellFault,
      },
    );
  };
  return (
    <section aria-labelledby="members-title">
      <PartHeading id="members-title">Members</PartHeading>
      <ul ref={listRef} className="mt-3 divide-y divide-line rounded-xl border border-line bg-surface shadow-sm">
        {shown.map((member) => (
          <li key={member.membershipId} className="flex items-start gap-3.5 px-5 py-3.5">
            <Avatar name={nameOf(member)} />
            <div className="min-w-0 flex-1">
              <Switch
                label={
                  <span className="wrap-anywhere">
                    <span className="sr-only">Paid seat for </span>
                    {nameOf(member)}
                  </span>
                }
                hint={paysWith(member, usage)}
                isOn={member.hasPaidSeat}
                isBusy={manage.isPending}
                onChange={(isOn) => give(member, isOn)}
              />
            </div>
          </li>
        ))}
      </ul>
      {more}
      <MoreSeatDialog
        teamId={teamId}
        billing={billing}
        member={waiting}
        seatsAfter={waiting ? seatsAfter(withSeat, waiting, true) : []}
        onClose={() => setWaiting(undefined)}
      />
    </section>
  );
}

function seatsAfter(withSeat: Membership[], member: Membership, isOn: boolean): string[] {
  const others = withSeat.map(({ membershipId }) => membershipId).filter((id) => id !== member.membershipId);
  return isOn ? [...others, member.membershipId] : others;
}

/** Returns whose credits a member's calls use, the member's own balance, and their usage since the cycle began. */
function paysWith({ hasPaidSeat, accountCredits, userId }: Membership, usage: TeamUsage | undefined): string {
  const whose = hasPaidSeat
    ? "Uses the team's pool"
    : `Uses their own account${accountCredits === null ? '' : `, ${countOf(accountCredits, 'credit')} left`}`;
  if (usage === undefined) return whose;
  const used = usage.members.find((member) => member.userId === userId);
  const credits = (used?.creditsUsed ?? 0) + (used?.accountCreditsUsed ?? 0);
  return `${whose}; ${countOf(credits, 'credit')} used since ${formatDay(usage.since)}`;
}

function nameOf({ displayName, email }: Membership): string {
  return displayName || (email ?? 'Someone');
}

interface MoreSeatDialogProps {
  teamId: string;
  billing: Billing;
  /** The member to get an additional seat; the dialog is open while this is set. */
  member: Membership | undefined;
  /** Memberships with a seat after the purchase. */
  seatsAfter: string[];
  onClose: () => void;
}

/** Shown when all paid seats are assigned: offers one more, with its price. */
function MoreSeatDialog({ teamId, billing, member, seatsAfter, onClose }: MoreSeatDialogProps) {
  const seats = billing.numberOfPaidSeats + 1;
  const preview = useQuery({ ...seatPreviewOptions(teamId, seats), enabled: member !== undefined });
  const manage = useManageSeats();
  const toast = useToast();
  const name = member?.displayName || (member?.email ?? '');
  const close = () => {
    manage.reset();
    onClose();
  };
  const fault = manage.error ?? preview.error;
  const dueNowCents = preview.data?.dueNowCents ?? 0;
  return (
    <ConfirmDialog
      isOpen={member !== undefined}
      onClose={close}
      look="action"
      title={`Pay for one more seat, for ${name}?`}
      actionLabel={dueNowCents > 0 ? `Pay ${formatUsd(dueNowCents)}` : 'Add the seat'}
      isBusy={manage.isPending}
      isLoading={preview.isPending}
      error={fault ? sentenceForPeople(fault) : undefined}
      onConfirm={() =>
        preview.data &&
        manage.mutate(
          {
            teamId,
            paidSeatMembershipIds: seatsAfter,
            updateSubscription: true,
            agreedPrice: agreedPriceOf(preview.data),
          },
          {
            onSuccess: () => {
              close();
              toast({ message: `${name} has a seat` });
            },
          },
        )
      }
    >
      <p>
        {billing.numberOfPaidSeats === 1
          ? 'The only paid seat is assigned.'
          : `All ${countOf(billing.numberOfPaidSeats, 'paid seat')} are assigned.`}{' '}
        Or remove a seat from another member first.
      </p>
      <div className="mt-2">
        {preview.data ? <ChangeSummary preview={preview.data} /> : !fault && <ChangeLoading />}
      </div>
    </ConfirmDialog>
  );
}
