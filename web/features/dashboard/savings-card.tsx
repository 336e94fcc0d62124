import { useQuery } from '@tanstack/react-query';
import * as limits from '#contract/limits.ts';
import { savingsOf, usageOptions } from '../../lib/credit-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Explain } from '../../ui/explain.tsx';
import { formatCompact, formatCount } from '../../ui/quantities.ts';
import { Panel, PanelBody } from './panel.tsx';

/** Tokens that agents did not have to read, and how that is counted. */
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
                    {`An agent without a documentation search reads about ${formatCount(limits.baselineTokens)} tokens for one look-up.`}
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
