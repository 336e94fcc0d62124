import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Panel, PanelBody } from './panel.tsx';
import { keyOverviewOptions } from './queries.ts';

const keysShown = 4;

/** Active keys, the last used first. */
export function KeysCard() {
  const keys = useQuery(keyOverviewOptions(useWorkspaceId()));
  return (
    <Panel title="API keys" more={{ path: '/keys', label: 'Manage' }}>
      <PanelBody query={keys} label="API keys">
        {(list) => {
          const active = list.filter(({ isActive }) => isActive);
          if (active.length === 0) {
            return (
              <div className="flex flex-col items-start gap-3 px-4 py-4 sm:px-5">
                <p className="text-soft">Your agent needs a key to search.</p>
                <Link to="/keys#new" className={buttonClasses('plain', 'sm')}>
                  Create an API key
                </Link>
              </div>
            );
          }
          const shown = active.toSorted((a, b) => (b.lastUsed ?? 0) - (a.lastUsed ?? 0)).slice(0, keysShown);
          return (
            <ul className="flex flex-col py-1.5">
              {shown.map(({ id, name, maskedKey, lastUsed }) => (
                <li key={id} className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-4 px-4 py-1.5 sm:px-5">
                  <span className="flex min-w-0 flex-col">
                    <span className="wrap-anywhere text-ink">{name}</span>
                    <code className="truncate font-mono text-faint text-xs">{maskedKey}</code>
                  </span>
                  <span className="text-faint text-xs">
                    {lastUsed === null ? 'Never used' : <RelativeTime at={lastUsed} />}
                  </span>
                </li>
              ))}
            </ul>
          );
        }}
      </PanelBody>
    </Panel>
  );
}
