import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type CreditInfo, upgradePath } from '#contract/credits.ts';
import { plans } from '#contract/plans.ts';
import { membershipsOptions, type SelectedTeam, useSelectedTeam } from '../../lib/team-queries.ts';
import { countOf, formatCount } from '../../ui/quantities.ts';

const linkClasses = 'rounded-xs underline underline-offset-3 hover:text-ink';

/** What the numbers do not say: whose credits one's calls use, and where more come from when they end. */
export function MoreCredits({ info }: { info: CreditInfo }) {
  const selected = useSelectedTeam();
  if (selected === undefined) return null;
  return selected === null ? <ForPerson info={info} /> : <ForTeam info={info} selected={selected} />;
}

function ForPerson({ info }: { info: CreditInfo }) {
  if (info.totalCreditsAvailable === 0) {
    return (
      <p role="status" className="text-pretty text-sm text-warn">
        You have no credits left: searches and reads fail until you get more.{' '}
        <Link to={info.tier === 'Free' ? upgradePath : `${upgradePath}#credits`} className={linkClasses}>
          {info.tier === 'Free' ? 'See the plans' : 'Buy credits'}
        </Link>
      </p>
    );
  }
  if (info.monthlyAllowance > 0) {
    return (
      <p className="text-faint text-sm">
        <Link to="/account#billing" className={`${linkClasses} text-soft`}>
          Plan and billing
        </Link>
      </p>
    );
  }
  return (
    <p className="text-pretty text-faint text-sm">
      These don't expire. Basic adds {formatCount(plans.Basic.creditsPerMonth)} a month for ${plans.Basic.usdPerMonth}.{' '}
      <Link to={upgradePath} className={`${linkClasses} text-soft`}>
        See the plans
      </Link>
    </p>
  );
}

function ForTeam({ info, selected: { team, isAdmin, membershipId } }: { info: CreditInfo; selected: SelectedTeam }) {
  const own = useQuery(membershipsOptions).data?.find((membership) => membership.membershipId === membershipId);
  if (own && !own.hasPaidSeat) {
    const left = own.accountCredits;
    return (
      <p className={`text-pretty text-sm ${left === 0 ? 'text-warn' : 'text-faint'}`}>
        You have no paid seat: your calls use your own account
        {left === null
          ? '. '
          : left === 0
            ? ', which has no credits left. '
            : `, which has ${countOf(left, 'credit')}. `}
        {isAdmin ? (
          <Link
            to={info.tier === 'Free' ? '/upgrade-team' : '/team-manage-seats'}
            className={`${linkClasses} text-soft`}
          >
            {info.tier === 'Free' ? 'Choose a plan for the team' : 'Manage seats'}
          </Link>
        ) : (
          `For a seat, ask an admin of ${team.name}.`
        )}
      </p>
    );
  }
  if (info.totalCreditsAvailable === 0) {
    return (
      <p role="status" className="text-pretty text-sm text-warn">
        The team's pool has no credits left: calls fail until it gets more.{' '}
        {isAdmin ? (
          <Link to="/team?tab=plan" className={linkClasses}>
            Buy credits
          </Link>
        ) : (
          `Ask an admin of ${team.name}.`
        )}
      </p>
    );
  }
  return isAdmin ? (
    <p className="text-faint text-sm">
      <Link to="/team?tab=plan" className={`${linkClasses} text-soft`}>
        Plan and seats
      </Link>
    </p>
  ) : null;
}
