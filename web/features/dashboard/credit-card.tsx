import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type CreditInfo, upgradePath } from '#contract/credits.ts';
import { plans } from '#contract/plans.ts';
import { creditInfoOptions } from '../../lib/credit-queries.ts';
import { useSelectedTeam } from '../../lib/team-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Badge } from '../../ui/badge.tsx';
import { Progress } from '../../ui/progress.tsx';
import { formatCount } from '../../ui/quantities.ts';
import { Panel, PanelBody } from './panel.tsx';

const date = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', timeZone: 'UTC' });

/** Credits left, how they are made up, and when more come. */
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
  const selected = useSelectedTeam();
  if (info.isUnlimited) {
    return (
      <div className="px-4 py-4 sm:px-5">
        <p className="flex items-center gap-2">
          <span className="font-semibold text-2xl text-ink">Unlimited</span>
          <Badge tone="good">Operator</Badge>
        </p>
        <p className="mt-1 text-pretty text-faint text-sm">
          You run this installation, so your calls are recorded and cost nothing. Your balance of{' '}
          {formatCount(info.purchasedCredits)} stays.
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
      {info.monthlyAllowance > 0 ? (
        <Allowance info={info} />
      ) : selected ? (
        <TeamWithoutAllowance info={info} isAdmin={selected.isAdmin} />
      ) : (
        <WithoutAllowance info={info} />
      )}
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

function TeamWithoutAllowance({ info, isAdmin }: { info: CreditInfo; isAdmin: boolean }) {
  return (
    <p className="text-pretty text-faint text-sm">
      {info.totalCreditsAvailable === 0
        ? 'The team has no credits of its own: each member pays with their own account.'
        : 'The pool of the team, for members with a paid seat. These credits do not expire.'}{' '}
      {isAdmin && (
        <Link to="/team?tab=plan" className="rounded-xs text-soft underline underline-offset-3 hover:text-ink">
          Plan and seats
        </Link>
      )}
    </p>
  );
}

function WithoutAllowance({ info }: { info: CreditInfo }) {
  if (info.totalCreditsAvailable === 0) {
    return (
      <p role="status" className="text-pretty text-sm text-warn">
        No credits are left: searches and reads are refused until there are more.{' '}
        <Link to={upgradePath} className="rounded-xs underline underline-offset-3">
          See the plans
        </Link>
      </p>
    );
  }
  return (
    <p className="text-pretty text-faint text-sm">
      These do not expire. Basic brings {formatCount(plans.Basic.creditsPerMonth)} a month for $
      {plans.Basic.usdPerMonth}.{' '}
      <Link to={upgradePath} className="rounded-xs text-soft underline underline-offset-3 hover:text-ink">
        See the plans
      </Link>
    </p>
  );
}
