import { useQuery } from '@tanstack/react-query';
import { amountOf, type CreditTransaction } from '#contract/credits.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { classNames } from '../../ui/class-names.ts';
import { formatCount } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Panel, PanelBody } from './panel.tsx';
import { recentOptions } from './queries.ts';

export function RecentActivity() {
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
