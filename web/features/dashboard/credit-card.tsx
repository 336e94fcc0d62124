import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type CreditInfo, upgradePath } from '#contract/credits.ts';
import { plans } from '#contract/plans.ts';
import { creditInfoOptions } from '../../lib/credit-queries.ts';
import { membershipsOptions, type SelectedTeam, useSelectedTeam } from '../../lib/team-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Badge } from '../../ui/badge.tsx';
import { Progress } from '../../ui/progress.tsx';
import { countOf, formatCount } from '../../ui/quantities.ts';
import { Panel, PanelBody } from './panel.tsx';

const date = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', timeZone: 'UTC' });

/** Credits left, their sources, and the next renewal. */
export function CreditCard() {
  const credits = useQuery(creditInfoOptions(useWorkspaceId()));
  return (
    <Panel title="Credits" more={{ path: '/activity', label: 'Transactions' }}>
      <PanelBody query={credits} label="Credits">
        {(info) => <Credits info={info} />}
      </PanelBody>
    </Panel>
  );
}

function Credits({ info }: { info: CreditInfo }) {
  if (info.areCreditsOff) {
    return (
      <div className="px-4 py-4 sm:px-5">
        <p className="font-semibold text-2xl text-ink">Unlimited</p>
        <p className="mt-1 text-pretty text-faint text-sm">
          This installation doesn't charge for searches and reads. They are still recorded.
        </p>
      </div>
    );
  }
  if (info.isUnlimited) {
    return (
      <div className="px-4 py-4 sm:px-5">
        <p className="flex items-center gap-2">
          <span className="font-semibold text-2xl text-ink">Unlimited</span>
          <Badge tone="good">Operator</Badge>
        </p>
        <p className="mt-1 text-pretty text-faint text-sm">
          You are the operator, so your calls are recorded but free. Your balance of{' '}
          {formatCount(info.purchasedCredits)} is kept.
        </p>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-3 px-4 py-4 sm:px-5">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="tabular font-semibold text-2xl text-ink">{formatCount(info.totalCreditsAvailable)}</span>
        <span className="text-faint text-sm">left</span>
        <span className="ml-auto self-center">
          <Badge>{info.tier}</Badge>
        </span>
      </p>
      {info.monthlyAllowance > 0 && <Allowance info={info} />}
      <MoreCredits info={info} />
    </div>
  );
}

function Allowance({ info }: { info: CreditInfo }) {
  const used = `${formatCount(info.monthlyCreditsUsed)} of ${formatCount(info.monthlyAllowance)}`;
  return (
    <>
      <Progress
        label="Allowance used"
        value={Math.min(info.monthlyCreditsUsed, info.monthlyAllowance)}
        max={info.monthlyAllowance}
        valueText={`${used} used`}
        tone="quiet"
      />
      <dl className="tabular grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 text-sm [&>dd]:text-right">
        <dt className="text-faint">Allowance used</dt>
        <dd>{used}</dd>
        <dt className="text-faint">Balance</dt>
        <dd>{formatCount(info.purchasedCredits)}</dd>
        {info.renewsAt !== null && (
          <>
            <dt className="text-faint">Renews</dt>
            <dd>{date.format(info.renewsAt)}</dd>
          </>
        )}
      </dl>
    </>
  );
}

const linkClasses = 'rounded-xs underline underline-offset-3 hover:text-ink';

/** Explains whose credits the user's calls use, and where to get more. */
function MoreCredits({ info }: { info: CreditInfo }) {
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
