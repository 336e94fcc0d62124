import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import * as limits from '#contract/limits.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { savingsOf, usageOptions } from '../../lib/credit-queries.ts';
import { usageColumns, usageSeries } from '../../lib/usage-chart.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { BarChart } from '../../ui/bar-chart.tsx';
import { formatCompact, formatCount } from '../../ui/quantities.ts';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';

/** The last 30 days: calls of each day, and what the answers saved, with how that is counted. */
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
          Tokens of the whole pages ({formatCount(savings.wholePages)}) minus tokens sent ({formatCount(savings.sent)}).
        </Figure>
        <Figure label="Below the baseline" value={formatCompact(savings.belowBaseline)}>
          {formatCount(limits.baselineTokens)} tokens for each search that found something, minus the tokens sent.
        </Figure>
        <Figure label="Duplicates withheld" value={formatCompact(savings.withheld)}>
          Tokens of passages that a conversation already had and that were not sent again.
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
