import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { Link } from 'react-router';
import { setupPath } from '../../lib/setup-choice.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Panel, PanelBody } from './panel.tsx';
import { keyOverviewOptions } from './queries.ts';

const keysShown = 4;

/** Active keys, most recently used first. */
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

interface NextStepsProps {
  /** Undefined if the user may not add sources. */
  hasSource?: boolean;
  hasKey: boolean;
  isConnected: boolean;
  hasSearched: boolean;
}

/** A new user's first steps, each ticked once done. */
export function NextSteps({ hasSource, hasKey, isConnected, hasSearched }: NextStepsProps) {
  const steps = [
    ...(hasSource === undefined
      ? []
      : [
          {
            label: 'Add a source',
            hint: 'A small site is searchable within a minute.',
            path: '/resources#add',
            isDone: hasSource,
          },
        ]),
    { label: 'Create an API key', hint: 'One per agent.', path: '/keys#new', isDone: hasKey },
    {
      label: 'Connect an agent',
      hint: 'Paste its configuration, then ask it something.',
      path: '/install',
      isDone: isConnected,
    },
    { label: 'Run a first search', hint: 'See what an agent receives.', path: '/search', isDone: hasSearched },
  ];
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <Panel title="Next steps" more={{ path: setupPath, label: 'Resume setup' }}>
      <p className="sr-only">
        {done} of {steps.length} done
      </p>
      <ol className="flex flex-1 flex-col justify-center py-1.5">
        {steps.map(({ label, hint, path, isDone }, place) => (
          <li key={label} className="flex items-center gap-3 px-4 py-1 sm:px-5">
            <span
              aria-hidden
              className={classNames(
                'tabular flex size-6 shrink-0 items-center justify-center rounded-full border font-medium text-xs',
                isDone && 'border-lamp-line bg-lamp-ground text-lamp',
                !isDone && (place === next ? 'border-lamp text-lamp' : 'border-line-strong text-faint'),
              )}
            >
              {isDone ? <Check className="size-3.5" /> : place + 1}
            </span>
            <div className="min-w-0">
              {isDone ? (
                <span className="text-faint">
                  {label}
                  <span className="sr-only">, done</span>
                </span>
              ) : (
                <Link
                  to={path}
                  className="inline-flex min-h-6 items-center rounded-xs font-medium text-ink decoration-lamp-line underline-offset-3 hover:underline"
                >
                  {label}
                </Link>
              )}
              {place === next && <p className="text-faint text-xs">{hint}</p>}
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
