import { Check } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { insightEndpoints } from '#contract/insights.ts';
import { useEndpoint } from '../../kit/endpoint-query.ts';
import { destinationDefault } from '../../lib/continuation.ts';
import { useProductName, useSession } from '../../lib/session.ts';
import { setupChoiceName, setupStates } from '../../lib/setup-choice.ts';
import { useMayWrite } from '../../lib/team-queries.ts';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useStoredChoice } from '../../ui/stored-choice.ts';
import { CallStep } from './call-step.tsx';

const steps = [
  { name: 'source', title: 'Choose documentation' },
  { name: 'agent', title: 'Connect your agent' },
  { name: 'call', title: 'See the first call' },
] as const;
type StepName = (typeof steps)[number]['name'];

/** A charge is announced a moment before its call can be listed: the first call is also asked for. */
const askedEveryMs = 2_000;

interface WelcomeScreenProps {
  /** Chooses documentation; of the feature that owns sources. */
  source: ReactNode;
  /** Connects one agent; of the feature that owns keys. */
  agent: ReactNode;
  /** What has been done already: where the setup resumes. */
  done: { hasSource: boolean; hasOwnSource: boolean; hasKey: boolean };
}

/** The first screen after signing up: documentation, an agent, and the proof that it works. Can be left and resumed. */
export function WelcomeScreen({ source, agent, done }: WelcomeScreenProps) {
  const [params, setParams] = useSearchParams();
  const productName = useProductName();
  const name = useSession().data?.user?.displayName;
  const canAdd = useMayWrite();
  const [isWaiting, setIsWaiting] = useState(true);
  const calls = useEndpoint(insightEndpoints.listAgentCalls, { limit: 5 }, { everyMs: isWaiting && askedEveryMs });
  const hasCall = (calls.data?.calls.length ?? 0) > 0;
  if (hasCall && isWaiting) setIsWaiting(false);
  const [, keepSetup] = useStoredChoice(setupChoiceName, setupStates);
  const navigate = useNavigate();
  const leave = () => {
    keepSetup('left');
    void navigate(destinationDefault);
  };
  const [started] = useState<StepName>(done.hasKey ? 'call' : done.hasOwnSource ? 'agent' : 'source');
  const shown = steps.find((step) => step.name === params.get('step'))?.name ?? started;
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    // The first screen has the focus where the page begins.
    if (isFirst.current) isFirst.current = false;
    else if (shown) heading.current?.focus();
  }, [shown]);
  const show = (step: StepName) => setParams({ step }, { replace: true });
  const isDone = { source: done.hasSource, agent: done.hasKey, call: hasCall };
  const at = steps.findIndex((step) => step.name === shown);
  const next = steps[at + 1];

  return (
    <div className="page flex flex-col gap-7 py-8 sm:py-10">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="flex-1 basis-80">
          <h1 className="heading-page">{name ? `Welcome, ${name}` : `Welcome to ${productName}`}</h1>
          <p className="mt-1 text-soft">Three steps to your agent's first answer. You can come back to them anytime.</p>
        </div>
        <Button look="quiet" className="max-sm:-ml-3.5" onClick={leave}>
          {hasCall ? 'Go to dashboard' : 'Skip for now'}
        </Button>
      </div>
      <nav aria-label="Setup">
        <ol className="grid gap-2 sm:grid-cols-3">
          {steps.map((step, index) => (
            <li key={step.name}>
              <button
                type="button"
                aria-current={step.name === shown ? 'step' : undefined}
                onClick={() => show(step.name)}
                className={classNames(
                  'flex h-full w-full items-center gap-3 rounded-lg border px-4 py-3 text-left transition-colors duration-100',
                  step.name === shown
                    ? 'border-lamp-line bg-lamp-ground text-ink'
                    : 'border-line bg-surface text-soft hover:bg-hover hover:text-ink',
                )}
              >
                <span
                  aria-hidden
                  className="tabular flex size-6 shrink-0 items-center justify-center rounded-full border border-line-strong bg-surface text-xs"
                >
                  {isDone[step.name] ? <Check className="size-3.5 text-lamp" /> : index + 1}
                </span>
                <span className="font-medium">{step.title}</span>
                {isDone[step.name] && <span className="sr-only">, done</span>}
              </button>
            </li>
          ))}
        </ol>
      </nav>
      <section aria-labelledby="setup-step" className="flex flex-col gap-5">
        <h2 id="setup-step" ref={heading} tabIndex={-1} className="heading-part outline-none">
          {steps[at]?.title}
        </h2>
        {shown === 'source' && source}
        {shown === 'agent' && agent}
        {shown === 'call' && <CallStep calls={calls.data?.calls} onDone={leave} />}
      </section>
      {next && (
        <div className="sticky bottom-0 z-10 flex flex-wrap items-center gap-3 border-line border-t bg-canvas py-4">
          <Button look="action" onClick={() => show(next.name)}>
            Continue
          </Button>
          {shown === 'source' && canAdd && (
            <Link to="/resources#add" className={buttonClasses('quiet')}>
              More ways to add documentation
            </Link>
          )}
        </div>
      )}
    </div>
  );
}
