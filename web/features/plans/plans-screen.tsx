import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { creditPack, plans, type Tier, tiers } from '#contract/plans.ts';
import { creditInfoOptions } from '../../lib/credit-queries.ts';
import { useSession } from '../../lib/session.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Badge } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Notice } from '../../ui/notice.tsx';
import { countOf, formatCount } from '../../ui/quantities.ts';

const whatFor: Record<Tier, string> = {
  Free: 'To try it with one agent.',
  Basic: 'For somebody who codes with an agent every day.',
  Pro: 'For several agents at work most of the day.',
};

/** What the plans bring and cost. The one in the address (`tier`) is marked as chosen. */
export function PlansScreen() {
  const [params] = useSearchParams();
  const chosen = tiers.find((tier) => tier.toLowerCase() === params.get('tier')?.toLowerCase());
  const isSignedIn = Boolean(useSession().data?.user);
  const credits = useQuery({ ...creditInfoOptions(useWorkspaceId()), enabled: isSignedIn });
  return (
    <div className="page flex flex-col gap-7 py-10">
      <div>
        <h1 className="heading-page">Plans</h1>
        <p className="mt-1 max-w-prose text-soft">
          A search costs one credit and so does a read. What fails or finds nothing is free.
        </p>
      </div>
      <ul className="grid gap-4 md:grid-cols-3">
        {tiers.map((tier) => (
          <PlanCard key={tier} tier={tier} isChosen={tier === chosen} isCurrent={tier === credits.data?.tier} />
        ))}
      </ul>
      <p className="max-w-prose text-soft">
        {formatCount(creditPack.credits)} more credits cost ${creditPack.usd} on any plan. They do not expire and are
        used after the month's own.
      </p>
      <Notice tone="info" title="Nothing can be bought here yet">
        This installation takes no payments. Ask whoever runs it for a plan or for more credits.
      </Notice>
    </div>
  );
}

function PlanCard({ tier, isChosen, isCurrent }: { tier: Tier; isChosen: boolean; isCurrent: boolean }) {
  const { usdPerMonth, creditsPerMonth } = plans[tier];
  return (
    <li
      className={classNames(
        'flex flex-col gap-3 rounded-lg border bg-surface p-5 shadow-sm',
        isChosen ? 'border-lamp ring-1 ring-lamp' : 'border-line',
      )}
    >
      <div className="flex min-h-6 items-center gap-2">
        <h2 className="heading-part">{tier}</h2>
        {isCurrent && <Badge tone="good">Your plan</Badge>}
        {isChosen && !isCurrent && <Badge>Chosen</Badge>}
      </div>
      <p className="tabular">
        <span className="font-semibold text-2xl text-ink">${usdPerMonth}</span>{' '}
        <span className="text-faint text-sm">a month</span>
      </p>
      <p className="text-ink">
        {creditsPerMonth === 0 ? 'No monthly credits' : `${countOf(creditsPerMonth, 'credit')} a month`}
      </p>
      <p className="text-pretty text-faint text-sm">{whatFor[tier]}</p>
    </li>
  );
}
