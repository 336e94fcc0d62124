import { useQuery } from '@tanstack/react-query';
import { Activity, Download } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { creditEndpoints } from '#contract/credits.ts';
import { toRequest } from '#contract/endpoint.ts';
import * as limits from '#contract/limits.ts';
import { NothingMatches } from '../../kit/nothing-matches.tsx';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { ApiError } from '../../lib/api-error.ts';
import { memberUsageOptions, transactionsOptions, usageOptions } from '../../lib/credit-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { ActionLink } from '../../ui/button-link.tsx';
import { classNames } from '../../ui/class-names.ts';
import { DateField } from '../../ui/date-field.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { countOf, formatCount } from '../../ui/quantities.ts';
import { Select } from '../../ui/select.tsx';
import { TableLoading } from '../../ui/skeleton.tsx';
import {
  type ActivityFilters,
  activityTypes,
  isReversed,
  readActivityFilters,
  transactionQuery,
  writeActivityFilters,
} from './activity-filters.ts';
import { TransactionTable } from './transaction-table.tsx';
import { MemberUsage, UsagePanel } from './usage-panel.tsx';

interface ActivityScreenProps {
  /** The team whose activity is shown; defaults to the user's own. */
  team?: { teamId: string; name: string } | undefined;
}

export function ActivityScreen({ team }: ActivityScreenProps) {
  const [params, setParams] = useSearchParams();
  const filters = readActivityFilters(params);
  const change = (part: Partial<ActivityFilters>) =>
    setParams(writeActivityFilters({ ...filters, ...part }), { replace: true, preventScrollReset: true });
  // Content further down is shown once the height of the content above is known, so that it never moves.
  const isUsageKnown = !useQuery(usageOptions(useWorkspaceId())).isPending;
  const members = useQuery({ ...memberUsageOptions(team?.teamId ?? ''), enabled: team !== undefined });
  const { limit: _, ...exported } = transactionQuery(filters);
  return (
    <div className="page flex flex-col gap-6 py-10">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="heading-page">{team === undefined ? 'Recent Activity' : `${team.name} Recent Activity`}</h1>
          <p className="mt-1 max-w-prose text-soft">All credits granted and spent, and what they were spent on.</p>
        </div>
        <a
          href={toRequest(creditEndpoints.exportTransactions, { ...exported, teamId: team?.teamId }).path}
          download
          className={buttonClasses('plain')}
        >
          <Download aria-hidden className="size-4" />
          Export CSV
        </a>
      </div>
      <UsagePanel />
      {team && (
        <div hidden={!isUsageKnown}>
          <MemberUsage teamId={team.teamId} />
        </div>
      )}
      <section
        aria-labelledby="transactions"
        hidden={!isUsageKnown || (team !== undefined && members.isPending)}
        className="flex flex-col gap-3"
      >
        <div className="flex flex-wrap items-center gap-2">
          <h2 id="transactions" className="heading-part mr-auto">
            Transactions
          </h2>
          <Filters filters={filters} onChange={change} />
        </div>
        <MatchCount filters={filters} />
        <Transactions
          filters={filters}
          isTeam={team !== undefined}
          onClear={() => change({ type: 'all', from: '', to: '' })}
        />
      </section>
    </div>
  );
}

const typeLabels: Record<ActivityFilters['type'], string> = {
  all: 'All',
  subscription: 'Subscription',
  usage: 'Usage',
  initial: 'Initial',
  purchase: 'Purchase',
};

function Filters({
  filters,
  onChange,
}: {
  filters: ActivityFilters;
  onChange: (part: Partial<ActivityFilters>) => void;
}) {
  return (
    <>
      <Select
        label="Type"
        value={filters.type}
        options={activityTypes.map((type) => ({ value: type, label: typeLabels[type] }))}
        onChange={(value) => onChange({ type: activityTypes.find((type) => type === value) ?? 'all' })}
      />
      <DateField label="From" value={filters.from} max={filters.to} onChange={(from) => onChange({ from })} />
      <DateField label="To" value={filters.to} min={filters.from} onChange={(to) => onChange({ to })} />
    </>
  );
}

interface TransactionsProps {
  filters: ActivityFilters;
  isTeam: boolean;
  onClear: () => void;
}

function useTransactions(filters: ActivityFilters) {
  return useQuery({
    ...transactionsOptions(useWorkspaceId(), transactionQuery(filters)),
    enabled: !isReversed(filters),
  });
}

function isFiltered(filters: ActivityFilters): boolean {
  return writeActivityFilters(filters).size > 0;
}

/** Tells screen readers how many transactions match the filters. */
function MatchCount({ filters }: { filters: ActivityFilters }) {
  const { data, isPlaceholderData } = useTransactions(filters);
  const isKnown = data !== undefined && !isPlaceholderData && isFiltered(filters);
  return (
    <p role="status" className="sr-only">
      {isKnown && countOf(data.length, 'transaction')}
    </p>
  );
}

function Transactions({ filters, isTeam, onClear }: TransactionsProps) {
  const transactions = useTransactions(filters);
  const rows = transactions.data;
  if (isReversed(filters)) {
    return (
      <Notice tone="warn" title="From is later than To">
        Choose an earlier From or a later To.
      </Notice>
    );
  }
  if (transactions.isError) {
    return (
      <RetryNotice query={transactions}>
        {transactions.error instanceof ApiError
          ? `Failed to load transactions: ${transactions.error.message}`
          : 'Failed to load credit transactions'}
      </RetryNotice>
    );
  }
  if (!rows) return <TableLoading label="Loading transactions..." rows={5} height="h-12" />;
  if (rows.length === 0) {
    if (!isFiltered(filters)) return <NothingYet />;
    return <NothingMatches onClear={onClear}>No transactions matching the selected filters.</NothingMatches>;
  }
  return (
    <div
      className={classNames('flex flex-col gap-2 transition-opacity', transactions.isPlaceholderData && 'opacity-60')}
    >
      <TransactionTable transactions={rows} isTeam={isTeam} />
      {rows.length === limits.creditTransactionsActivity && (
        <p className="text-faint text-xs">
          Showing the latest {formatCount(rows.length)}. Narrow the dates, or export to get earlier ones.
        </p>
      )}
    </div>
  );
}

function NothingYet() {
  return (
    <EmptyState
      icon={<Activity aria-hidden className="size-5" />}
      title="No activity yet"
      action={<ActionLink to="/keys#new">Create an API key</ActionLink>}
    >
      Your agents' searches and reads appear here with their cost.
    </EmptyState>
  );
}
