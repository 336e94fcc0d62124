import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { UsageDay } from '#contract/credits.ts';
import type { Insights as Found } from '#contract/insights.ts';
import * as limits from '#contract/limits.ts';
import { usageOptions } from '../../lib/credit-queries.ts';
import { dayLabels, savedColumns } from '../../lib/usage-chart.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { BarChart } from '../../ui/bar-chart.tsx';
import { countOf, formatCount } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Panel, PanelBody } from './panel.tsx';
import { insightOptions } from './queries.ts';

/** Savings per day, the libraries used and their latency, and searches without results. */
export function Insights() {
  const usage = useQuery(usageOptions(useWorkspaceId()));
  const insights = useQuery(insightOptions(useWorkspaceId()));
  // Nothing to draw before the first call: the next steps explain how to make it.
  if (insights.data?.insights.latency.length === 0 && insights.data.insights.libraries.length === 0) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:gap-5 lg:grid-cols-[repeat(2,minmax(0,1fr))]">
      <ChartBox label="Tokens saved per day" query={usage}>
        {(days) => (
          <BarChart
            title="Tokens saved per day"
            columnsLabel="Day (UTC)"
            columns={savedColumns(days)}
            series={[{ name: 'below the baseline', tone: 'lamp' }]}
            emptyText="No search has found anything yet."
          />
        )}
      </ChartBox>
      <ChartBox label="Search time per day" query={insights}>
        {({ insights: { latency } }) => (
          <BarChart
            title="Search time per day, ms"
            columnsLabel="Day (UTC)"
            columns={timeColumns(latency, usage.data ?? [])}
            series={[
              { name: 'median', tone: 'lamp' },
              { name: '95th percentile', tone: 'busy' },
            ]}
            emptyText="No searches in this period."
          />
        )}
      </ChartBox>
      <Panel title="Answers by library">
        <PanelBody query={insights} label="Answers by library">
          {({ insights: found }) => <Libraries libraries={found.libraries} />}
        </PanelBody>
      </Panel>
      <Panel title="Queries without an answer">
        <PanelBody query={insights} label="Queries without an answer">
          {({ insights: found }) => <Unanswered {...found} />}
        </PanelBody>
      </Panel>
    </div>
  );
}

interface ChartBoxProps<Data> {
  label: string;
  query: Parameters<typeof PanelBody<Data>>[0]['query'];
  children: (data: Data) => ReactNode;
}

function ChartBox<Data>({ label, query, children }: ChartBoxProps<Data>) {
  return (
    <section aria-label={label} className="min-h-70 min-w-0 rounded-lg border border-line bg-surface shadow-sm">
      <PanelBody query={query} label={label}>
        {(data) => <div className="p-4 sm:p-5">{children(data)}</div>}
      </PanelBody>
    </section>
  );
}

/** Returns a column for each day, including days without searches. The second bar begins where the first ends. */
function timeColumns(latency: Found['latency'], days: readonly UsageDay[]) {
  return days.map(({ at }) => {
    const day = latency.find((one) => one.at === at);
    const [median, p95] = [Math.round(day?.medianMs ?? 0), Math.round(day?.p95Ms ?? 0)];
    return { ...dayLabels(at), values: [median, p95 - median], readings: [median, p95] };
  });
}

function Libraries({ libraries }: Pick<Found, 'libraries'>) {
  if (libraries.length === 0) {
    return <p className="px-4 py-4 text-faint sm:px-5">Libraries that answer your agents' queries appear here.</p>;
  }
  const most = Math.max(...libraries.map(({ answers }) => answers));
  return (
    <ol className="flex flex-col gap-2.5 px-4 py-4 sm:px-5">
      {libraries.map(({ name, moduleId, answers }) => (
        <li key={name} className="flex flex-col gap-1">
          <span className="flex items-baseline justify-between gap-3 text-sm">
            {moduleId === null ? (
              <span className="wrap-anywhere text-soft">{name}</span>
            ) : (
              <Link
                to={`/resources/${encodeURIComponent(moduleId)}`}
                className="wrap-anywhere rounded-xs text-ink underline-offset-3 hover:underline"
              >
                {name}
              </Link>
            )}
            <span className="tabular text-faint">{countOf(answers, 'answer')}</span>
          </span>
          <span aria-hidden className="block h-1.5 overflow-hidden rounded-full bg-hover">
            <span className="block h-full rounded-full bg-lamp" style={{ width: `${(answers / most) * 100}%` }} />
          </span>
        </li>
      ))}
    </ol>
  );
}

function Unanswered({ unanswered, unansweredCount, latency }: Found) {
  if (unanswered.length === 0) {
    const searches = latency.reduce((sum, day) => sum + day.searches, 0);
    return (
      <p className="text-pretty px-4 py-4 text-faint sm:px-5">
        {searches === 0
          ? 'Queries that find nothing appear here. They show what to index next.'
          : `Every search in the last ${limits.usageDaysDefault} days found something.`}
      </p>
    );
  }
  return (
    <div className="flex flex-col gap-2 px-4 py-4 sm:px-5">
      <ul className="flex flex-col gap-1.5 text-sm">
        {unanswered.map(({ query, count, lastAt }) => (
          <li key={query} className="flex items-baseline justify-between gap-3">
            <span className="wrap-anywhere line-clamp-2 text-ink">{query}</span>
            <span className="tabular shrink-0 text-faint">
              {count > 1 && `${formatCount(count)} times, `}
              <RelativeTime at={lastAt} />
            </span>
          </li>
        ))}
      </ul>
      <p className="text-faint text-sm">
        {countOf(unansweredCount, 'search', 'searches')} found nothing.{' '}
        <Link to="/resources#add" className="rounded-xs text-ink underline decoration-lamp-line underline-offset-3">
          Add a source
        </Link>
      </p>
    </div>
  );
}
