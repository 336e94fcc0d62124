import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { SavingsLedger as Ledger, SavingsRow } from '#contract/credits.ts';
import * as limits from '#contract/limits.ts';
import { savingsOf, savingsOptions, usageOptions } from '../../lib/credit-queries.ts';
import { useSelectedTeam } from '../../lib/team-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Explain } from '../../ui/explain.tsx';
import { countOf, formatCompact, formatCount } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Panel, PanelBody } from './panel.tsx';

const rowsShown = 6;

/** Savings against the baseline: in total, by key and by conversation, with an explanation of how they are measured. */
export function SavingsLedger() {
  const savings = useQuery(savingsOptions(useWorkspaceId()));
  const team = useSelectedTeam();
  return (
    <Panel
      title="Savings ledger"
      about="Tokens that your agents did not have to read, by key and by conversation."
      more={{ path: '/activity', label: 'All calls' }}
    >
      <PanelBody query={savings} label="The savings ledger">
        {(ledger) =>
          ledger.total.searches + ledger.total.reads === 0 ? (
            <p className="text-pretty px-4 py-4 text-faint sm:px-5">
              Savings by key and by conversation appear here after the first search.
            </p>
          ) : (
            <Sums ledger={ledger} whose={team ? team.team.name : 'You'} />
          )
        }
      </PanelBody>
    </Panel>
  );
}

function Sums({ ledger, whose }: { ledger: Ledger; whose: string }) {
  const { total, baselineTokens } = ledger;
  return (
    <div className="flex flex-col">
      <div className="grid lg:grid-cols-2 lg:divide-x lg:divide-line">
        <Rows
          title="By key"
          rows={ledger.keys}
          nameOf={({ id, name }) => name ?? (id === null ? 'Browser and command line' : 'A deleted key')}
        />
        <Rows
          title="By conversation"
          rows={ledger.sessions}
          nameOf={({ name }) => name ?? 'An earlier conversation'}
          isTimed
          empty="Your agents' conversations appear here."
        />
      </div>
      <div className="flex flex-col gap-1.5 border-line border-t px-4 py-3.5 text-sm sm:px-5">
        <p className="tabular text-ink">
          {whose}: {formatCount(total.savedTokens)} tokens saved in {limits.usageDaysDefault} days by{' '}
          {countOf(total.answeredSearches, 'answered search', 'answered searches')} and {countOf(total.reads, 'read')}.
        </p>
        <p className="text-pretty text-faint">
          A search that found something counts as one lookup of {formatCount(baselineTokens)} tokens, which an agent
          typically spends without a documentation search. All tokens sent are subtracted, including reads (
          {formatCount(total.tokensSent)} tokens). Searches without results and retries save nothing.
        </p>
      </div>
    </div>
  );
}

interface RowsProps {
  title: string;
  rows: SavingsRow[];
  nameOf: (row: SavingsRow) => ReactNode;
  isTimed?: boolean;
  empty?: string;
}

function Rows({ title, rows, nameOf, isTimed = false, empty }: RowsProps) {
  return (
    <div className="min-w-0 px-4 py-3.5 max-lg:not-first:border-line max-lg:not-first:border-t sm:px-5">
      <table className="tabular w-full text-sm">
        <caption className="sr-only">{title}</caption>
        <thead>
          <tr className="text-faint text-xs">
            <th scope="col" className="pb-1.5 text-left font-normal">
              {title}
            </th>
            <th scope="col" className="pb-1.5 pl-3 text-right font-normal">
              Calls
            </th>
            <th scope="col" className="pb-1.5 pl-3 text-right font-normal">
              Sent
            </th>
            <th scope="col" className="pb-1.5 pl-3 text-right font-normal">
              Saved
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, rowsShown).map((row) => (
            <tr key={row.id ?? ''} className="align-baseline">
              <th scope="row" className="wrap-anywhere py-1 text-left font-normal text-ink">
                {nameOf(row)}
                {isTimed && (
                  <span className="ml-1.5 text-faint text-xs">
                    <RelativeTime at={row.lastAt} />
                  </span>
                )}
              </th>
              <td className="py-1 pl-3 text-right text-soft">{formatCount(row.searches + row.reads)}</td>
              <td className="py-1 pl-3 text-right text-soft">{formatCompact(row.tokensSent)}</td>
              <td className="py-1 pl-3 text-right text-ink">{formatCompact(row.savedTokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && empty !== undefined && <p className="text-faint text-sm">{empty}</p>}
      {rows.length > rowsShown && (
        <p className="mt-1.5 text-faint text-xs">and {formatCount(rows.length - rowsShown)} more</p>
      )}
    </div>
  );
}

/** Tokens that agents did not have to read, with an explanation of how they are counted. */
export function SavingsCard() {
  const usage = useQuery(usageOptions(useWorkspaceId()));
  return (
    <Panel title="Tokens saved" more={{ path: '/activity', label: 'How it is counted' }}>
      <PanelBody query={usage} label="Usage">
        {(days) => {
          const savings = savingsOf(days);
          if (savings.wholePages === 0) {
            return (
              <p className="text-pretty px-4 py-4 text-faint sm:px-5">
                Tokens saved by your agents' searches appear here.
              </p>
            );
          }
          return (
            <div className="flex flex-col gap-3 px-4 py-4 sm:px-5">
              <p className="flex flex-wrap items-baseline gap-x-2">
                <span className="tabular font-semibold text-2xl text-ink">{formatCompact(savings.saved)}</span>
                <span className="text-faint text-sm">{Math.round(savings.savedShare * 100)}% of the whole pages</span>
              </p>
              <dl className="tabular grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 text-sm [&>dd]:text-right">
                <dt className="text-faint">Whole pages</dt>
                <dd>{formatCount(savings.wholePages)}</dd>
                <dt className="text-faint">Sent</dt>
                <dd>{formatCount(savings.sent)}</dd>
                <dt className="text-faint">
                  Below {formatCount(limits.baselineTokens)} a search
                  <Explain term="Baseline">
                    {`An agent without a documentation search reads about ${formatCount(limits.baselineTokens)} tokens for one lookup.`}
                  </Explain>
                </dt>
                <dd>{formatCount(savings.belowBaseline)}</dd>
              </dl>
            </div>
          );
        }}
      </PanelBody>
    </Panel>
  );
}
