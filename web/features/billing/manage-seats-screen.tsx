import { useQuery } from '@tanstack/react-query';
import { Armchair } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { type SelectedTeam, teamMembersOptions } from '../../lib/team-queries.ts';
import { ActionLink } from '../../ui/button-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { BillingFault, StandingNotice, TestModeNote, WhereCreditsAreOn } from './billing-notices.tsx';
import { PaymentOutcomeNotice } from './payment-outcome.tsx';
import { billingOptions } from './queries.ts';
import { SeatCount } from './seat-count.tsx';
import { SeatList, type SeatListProps } from './seat-list.tsx';

interface ManageSeatsScreenProps {
  selected: SelectedTeam;
  /** Shown to members who may not manage seats. */
  askAnAdmin: ReactNode;
}

/** A team's paid seats: how many there are, and which members hold them. */
export function ManageSeatsScreen({ selected: { team, isAdmin }, askAnAdmin }: ManageSeatsScreenProps) {
  const billing = useQuery({ ...billingOptions(team.teamId), enabled: isAdmin });
  const members = useQuery({ ...teamMembersOptions(team.teamId), enabled: isAdmin });
  const failed = [billing, members].find(({ isError, data }) => isError && data === undefined);
  return (
    <div className="page flex flex-col gap-7 py-10">
      <div>
        <h1 className="heading-page">Seats for {team.name}</h1>
        <p className="mt-1 max-w-prose text-pretty text-soft">
          Members with a seat use the team's pool of credits. Members without one can do the same, but use their own
          credits.
        </p>
      </div>
      {!isAdmin && askAnAdmin}
      {failed && <BillingFault query={failed} />}
      {billing.data && members.data ? (
        <WhereCreditsAreOn>
          <Seats teamId={team.teamId} billing={billing.data} members={members.data} />
        </WhereCreditsAreOn>
      ) : (
        isAdmin && !failed && <SeatsLoading />
      )}
    </div>
  );
}

function Seats({ teamId, billing, members }: SeatListProps) {
  const accepted = members.filter(({ state }) => state === 'accepted');
  const [params] = useSearchParams();
  if (billing.tier === 'Free' && params.get('payment') === 'done')
    return <PaymentOutcomeNotice payer={teamId} billing={billing} />;
  if (billing.tier === 'Free') {
    return (
      <>
        <StandingNotice payer={teamId} billing={billing} />
        <EmptyState
          icon={<Armchair aria-hidden className="size-5" />}
          title="No paid seats yet"
          action={<ActionLink to="/upgrade-team">Choose a plan</ActionLink>}
        >
          All members use their own credits. With a plan, they share a pool.
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <TestModeNote mode={billing.mode} />
      <PaymentOutcomeNotice payer={teamId} billing={billing} />
      <StandingNotice payer={teamId} billing={billing} />
      {/* Resets the form's number when it was changed, here or by another admin. */}
      <SeatCount
        key={billing.nextPeriod?.numberOfSeats ?? billing.numberOfPaidSeats}
        teamId={teamId}
        billing={billing}
      />
      <SeatList teamId={teamId} billing={billing} members={accepted} />
    </>
  );
}

function SeatsLoading() {
  return (
    <Loading label="Loading the seats…" className="flex flex-col gap-5">
      <Skeleton className="h-28 w-full" />
      <Skeleton className="h-52 w-full" />
    </Loading>
  );
}
