import { useQuery } from '@tanstack/react-query';
import type { CreditInfo } from '#contract/credits.ts';
import { creditInfoOptions } from '../../lib/credit-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Badge } from '../../ui/badge.tsx';
import { Progress } from '../../ui/progress.tsx';
import { formatCount } from '../../ui/quantities.ts';
import { MoreCredits } from './more-credits.tsx';
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
