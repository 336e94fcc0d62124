import { Check } from 'lucide-react';
import { Link } from 'react-router';
import { setupPath } from '../../lib/setup-choice.ts';
import { classNames } from '../../ui/class-names.ts';
import { Panel } from './panel.tsx';

interface NextStepsProps {
  /** Missing: the person may not add one. */
  hasSource?: boolean;
  hasKey: boolean;
  isConnected: boolean;
  hasSearched: boolean;
}

/** What someone new does first; ticked off as it happens. */
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
