import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { amountOf, type CreditTransaction } from '#contract/credits.ts';
import { usageOptions } from '../../lib/credit-queries.ts';
import { modulesOptions } from '../../lib/library-queries.ts';
import { openings } from '../../lib/openings.ts';
import { Redirect } from '../../lib/redirect.tsx';
import { setupChoiceName, setupPath, setupStates } from '../../lib/setup-choice.ts';
import { useSelectedTeam } from '../../lib/team-queries.ts';
import { usageColumns, usageSeries } from '../../lib/usage-chart.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { BarChart } from '../../ui/bar-chart.tsx';
import { classNames } from '../../ui/class-names.ts';
import { InTurn } from '../../ui/in-turn.tsx';
import { formatCount } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { useStoredChoice } from '../../ui/stored-choice.ts';
import { CreditCard } from './credit-card.tsx';
import { Insights } from './insights.tsx';
import { KeysCard, NextSteps } from './keys-card.tsx';
import { LibraryCard } from './library-card.tsx';
import { Panel, PanelBody } from './panel.tsx';
import { agentCallOptions, keyOverviewOptions, recentOptions } from './queries.ts';
import { SavingsCard, SavingsLedger } from './savings-ledger.tsx';

/** Redirects users without a key or an agent's call to the setup, until they skip or finish it. */
export function DashboardScreen() {
  const [setup] = useStoredChoice(setupChoiceName, setupStates);
  const keys = useQuery(keyOverviewOptions(useWorkspaceId()));
  const calls = useQuery(agentCallOptions(useWorkspaceId()));
  // The cards retry failed queries: waiting for those retries here, without the cards, would never end.
  const [isKnown, setIsKnown] = useState(false);
  if (!isKnown && !keys.isPending && !calls.isPending) setIsKnown(true);
  if (setup === 'open') {
    if (!isKnown) return <DashboardLoading />;
    if (keys.data?.length === 0 && calls.data?.calls.length === 0) return <Redirect to={setupPath} />;
  }
  return <Overview />;
}

/** Shown until it is known whether the setup comes first. */
function DashboardLoading() {
  return (
    <div className="page py-8 sm:py-10">
      <Head />
      <Loading label="Loading…" className="mt-5 flex flex-col gap-5">
        <Skeleton className="h-50 w-full" />
        <Skeleton className="h-70 w-full" />
      </Loading>
    </div>
  );
}

function Head() {
  const { title, text } = openings['/dashboard'];
  return (
    <div>
      <h1 className="heading-page">{title}</h1>
      <p className="mt-1 text-soft">{text}</p>
    </div>
  );
}

/** Credits, savings, activity and next steps. */
function Overview() {
  return (
    <div className="page flex flex-col gap-4 py-8 sm:gap-5 sm:py-10">
      <Head />
      {/* Cards and charts have the same height while loading, so that nothing moves when they load. */}
      <div className="grid gap-4 sm:gap-5 md:auto-rows-[minmax(12.75rem,auto)] md:grid-cols-2 md:max-xl:*:last:col-span-2 xl:grid-cols-3">
        <CreditCard />
        <SavingsCard />
        <Start />
      </div>
      <InTurn>
        <Calls />
        <SavingsLedger />
        <div className="grid gap-4 sm:gap-5 xl:grid-cols-2">
          <RecentActivity />
          <LibraryCard />
        </div>
        {/* Last, because it disappears if there is nothing to draw. */}
        <Insights />
      </InTurn>
    </div>
  );
}

/** The first steps until they are done, then the active keys. */
function Start() {
  const keys = useQuery(keyOverviewOptions(useWorkspaceId())).data;
  const usage = useQuery(usageOptions(useWorkspaceId())).data;
  const modules = useQuery(modulesOptions(useWorkspaceId())).data;
  const isReader = useSelectedTeam()?.isWriter === false;
  if (keys === undefined || usage === undefined || modules === undefined) return <KeysCard />;
  const steps = {
    ...(isReader ? {} : { hasSource: modules.length > 0 }),
    hasKey: keys.some(({ isActive }) => isActive),
    isConnected: keys.some(({ lastUsed }) => lastUsed !== null),
    hasSearched: usage.some(({ searches }) => searches > 0),
  };
  return Object.values(steps).every(Boolean) ? <KeysCard /> : <NextSteps {...steps} />;
}

function Calls() {
  const usage = useQuery(usageOptions(useWorkspaceId()));
  return (
    <section aria-label="Calls" className="min-h-70 rounded-lg border border-line bg-surface shadow-sm">
      {usage.data ? (
        <div className="p-4 sm:p-5">
          <BarChart
            title="Searches and reads per day (UTC)"
            columnsLabel="Day"
            columns={usageColumns(usage.data)}
            series={usageSeries}
            emptyText="No calls in this period. Your agents' searches and reads appear here."
          />
        </div>
      ) : (
        <PanelBody query={usage} label="Calls">
          {() => <Skeleton className="h-40 w-full" />}
        </PanelBody>
      )}
    </section>
  );
}

function RecentActivity() {
  const transactions = useQuery(recentOptions(useWorkspaceId()));
  return (
    <Panel title="Recent activity" more={{ path: '/activity', label: 'View all' }}>
      <PanelBody query={transactions} label="Activity" rows={5}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="px-4 py-4 text-faint sm:px-5">
              No activity yet. Your agents' searches and reads appear here.
            </p>
          ) : (
            <ul className="flex flex-col py-1.5">
              {rows.map((row) => (
                <Entry key={row.id} row={row} />
              ))}
            </ul>
          )
        }
      </PanelBody>
    </Panel>
  );
}

function Entry({ row }: { row: CreditTransaction }) {
  const subject = row.metadata.args?.query ?? row.metadata.args?.url;
  const words = typeof subject === 'string' ? subject : row.details;
  const amount = amountOf(row);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 px-4 py-1.5 sm:px-5">
      <span className="truncate" title={words}>
        <span className="text-ink">{words}</span>
        <span className="ml-2 text-faint text-xs">
          {row.source === 'usage' ? (row.metadata.apiKeyName ?? row.details) : ''}
        </span>
      </span>
      <span className="tabular flex items-baseline gap-3 text-xs">
        <span className={classNames('text-right', amount > 0 ? 'text-lamp' : 'text-soft')}>
          {amount > 0 ? '+' : amount < 0 ? '−' : ''}
          {formatCount(Math.abs(amount))}
        </span>
        <span className="w-26 text-right text-faint">
          <RelativeTime at={row.timestamp} />
        </span>
      </span>
    </li>
  );
}
