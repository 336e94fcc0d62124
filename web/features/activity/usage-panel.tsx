import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { MemberUsage as Usage } from '#contract/credits.ts';
import * as limits from '#contract/limits.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { memberUsageOptions, savingsOf, usageOptions } from '../../lib/credit-queries.ts';
import { usageColumns, usageSeries } from '../../lib/usage-chart.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { BarChart } from '../../ui/bar-chart.tsx';
import { PartHeading } from '../../ui/part-heading.tsx';
import { Progress } from '../../ui/progress.tsx';
import { countOf, formatCompact, formatCount } from '../../ui/quantities.ts';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { useSteps } from '../../ui/steps.tsx';

/** The last 30 days: calls per day and savings, with an explanation of how they are measured. */
export function UsagePanel() {
  const usage = useQuery(usageOptions(useWorkspaceId()));
  if (usage.isError) {
    return <RetryNotice query={usage} title="Couldn't load usage" />;
  }
  if (!usage.data) {
    return (
      <Loading label="Loading usage…" className="rounded-lg border border-line bg-surface p-5">
        <Skeleton className="h-4 w-40" />
        <Skeleton className="mt-5 h-40 w-full" />
      </Loading>
    );
  }
  const savings = savingsOf(usage.data);
  return (
    <section aria-label="Usage" className="overflow-hidden rounded-lg border border-line bg-surface shadow-sm">
      <div className="p-4 sm:p-5">
        <BarChart
          title={`Calls per day, last ${limits.usageDaysDefault} days (UTC)`}
          columnsLabel="Day"
          columns={usageColumns(usage.data)}
          series={usageSeries}
          emptyText="No calls in this period. Your agents' searches and reads appear here."
        />
      </div>
      <dl className="grid border-line border-t sm:grid-cols-3 sm:divide-x sm:divide-line max-sm:divide-y max-sm:divide-line">
        <Figure label="Tokens saved" value={formatCompact(savings.saved)}>
          Tokens in the whole pages ({formatCount(savings.wholePages)}) minus tokens sent ({formatCount(savings.sent)}).
        </Figure>
        <Figure label="Below the baseline" value={formatCompact(savings.belowBaseline)}>
          {formatCount(limits.baselineTokens)} tokens for each search that found something, minus the tokens sent.
        </Figure>
        <Figure label="Duplicates withheld" value={formatCompact(savings.withheld)}>
          Tokens in passages that were not sent again because the conversation already had them.
        </Figure>
      </dl>
    </section>
  );
}

function Figure({ label, value, children }: { label: string; value: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-0.5 px-4 py-3.5 sm:px-5">
      <dt className="text-faint text-xs">{label}</dt>
      <dd className="tabular font-semibold text-ink text-lg">{value}</dd>
      <dd className="text-pretty text-faint text-xs">{children}</dd>
    </div>
  );
}

const date = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', timeZone: 'UTC' });

/** Each member's usage since the billing cycle began, highest first. */
export function MemberUsage({ teamId }: { teamId: string }) {
  const usage = useQuery(memberUsageOptions(teamId));
  if (usage.isError && !usage.data) {
    return <RetryNotice query={usage} title="Couldn't load the members' usage" />;
  }
  return (
    <section aria-labelledby="member-usage" className="rounded-lg border border-line bg-surface shadow-sm">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 px-4 pt-4 sm:px-5">
        <PartHeading id="member-usage">Members</PartHeading>
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

/** Returns a text such as '12 credits', with the amount paid by the member's own account. */
function wordsFor({ creditsUsed, accountCreditsUsed }: Usage): string {
  if (accountCreditsUsed === 0) return countOf(creditsUsed, 'credit');
  const own = `${formatCount(accountCreditsUsed)} from own account`;
  return creditsUsed === 0 ? own : `${formatCount(creditsUsed)} and ${own}`;
}
