import { useQuery } from '@tanstack/react-query';
import type { MemberUsage as Usage } from '#contract/credits.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { memberUsageOptions } from '../../lib/credit-queries.ts';
import { Progress } from '../../ui/progress.tsx';
import { countOf, formatCount } from '../../ui/quantities.ts';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { useSteps } from '../../ui/steps.tsx';

const date = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', timeZone: 'UTC' });

/** What the calls of each member took since the billing cycle began, the largest first. */
export function MemberUsage({ teamId }: { teamId: string }) {
  const usage = useQuery(memberUsageOptions(teamId));
  if (usage.isError && !usage.data) {
    return <RetryNotice query={usage} title="Couldn't load the members' usage" />;
  }
  return (
    <section aria-labelledby="member-usage" className="rounded-lg border border-line bg-surface shadow-sm">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 px-4 pt-4 sm:px-5">
        <h2 id="member-usage" className="heading-part">
          Members
        </h2>
        {usage.data && <p className="text-faint text-xs">Credits since {date.format(usage.data.since)} (UTC)</p>}
      </div>
      {usage.data ? (
        <Members members={usage.data.members} />
      ) : (
        <Loading label="Loading the members' usage…" className="flex flex-col gap-4 p-4 sm:p-5">
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-4 w-4/5" />
        </Loading>
      )}
    </section>
  );
}

function Members({ members }: { members: Usage[] }) {
  const sorted = members.toSorted((a, b) => totalOf(b) - totalOf(a));
  const { shown, listRef, more } = useSteps<Usage, HTMLUListElement>('Members', sorted);
  const most = Math.max(1, ...members.map(totalOf));
  if (members.every((member) => totalOf(member) === 0)) {
    return <p className="px-4 pt-1 pb-4 text-faint text-sm sm:px-5">No calls in this cycle yet.</p>;
  }
  return (
    <>
      <ul ref={listRef} className="flex flex-col gap-3 px-4 pt-3 pb-4 sm:px-5">
        {shown.map((member) => {
          const name = member.user || member.userEmail || 'A deleted account';
          return (
            <li
              key={member.userId}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 sm:grid-cols-[minmax(0,14rem)_minmax(0,1fr)_12rem]"
            >
              <span className="wrap-anywhere text-ink text-sm">{name}</span>
              <span className="max-sm:order-last max-sm:col-span-2">
                <Progress
                  label={`Share of ${name}`}
                  value={totalOf(member)}
                  max={most}
                  valueText={wordsFor(member)}
                  tone="quiet"
                />
              </span>
              <span className="tabular text-right text-soft text-sm">{wordsFor(member)}</span>
            </li>
          );
        })}
      </ul>
      {more}
    </>
  );
}

function totalOf({ creditsUsed, accountCreditsUsed }: Usage): number {
  return creditsUsed + accountCreditsUsed;
}

/** '12 credits'; what a member's own account paid is named. */
function wordsFor({ creditsUsed, accountCreditsUsed }: Usage): string {
  if (accountCreditsUsed === 0) return countOf(creditsUsed, 'credit');
  const own = `${formatCount(accountCreditsUsed)} from own account`;
  return creditsUsed === 0 ? own : `${formatCount(creditsUsed)} and ${own}`;
}
