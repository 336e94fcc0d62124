import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { type AgentCall, insightEndpoints } from '#contract/insights.ts';
import { searchEndpoints } from '#contract/search.ts';
import { useEndpoint } from '../../kit/endpoint-query.ts';
import { callApi } from '../../lib/api-client.ts';
import { destinationDefault } from '../../lib/continuation.ts';
import { modulesOptions } from '../../lib/library-queries.ts';
import { useProductName, useSession } from '../../lib/session.ts';
import { setupChoiceName, setupStates } from '../../lib/setup-choice.ts';
import { useMayWrite } from '../../lib/team-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { countOf, formatCount, formatMs } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useStoredChoice } from '../../ui/stored-choice.ts';

const steps = [
  { name: 'source', title: 'Choose documentation' },
  { name: 'agent', title: 'Connect your agent' },
  { name: 'call', title: 'See the first call' },
] as const;
type StepName = (typeof steps)[number]['name'];

/** A charge is announced shortly before its call is listed, so the first call is also polled for. */
const askedEveryMs = 2_000;

interface WelcomeScreenProps {
  /** The step that selects documentation; from the sources feature. */
  source: ReactNode;
  /** The step that connects an agent; from the keys feature. */
  agent: ReactNode;
  /** Steps already done: the setup resumes after them. */
  done: { hasSource: boolean; hasOwnSource: boolean; hasKey: boolean };
}

/** The first screen after sign-up: documentation, an agent, and the agent's first call. Can be left and resumed. */
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
    // On the first screen, the focus stays at the top of the page.
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
        <div className="bottom-bar flex flex-wrap items-center gap-3 border-line border-t py-4">
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

/** If no call arrives within this time, the screen says what to check. */
const patienceMs = 60_000;

/** Waits for an agent's first call and shows it with its response. */
function CallStep({ calls, onDone }: { calls: AgentCall[] | undefined; onDone: () => void }) {
  const call = calls?.findLast(({ tool }) => tool === 'search') ?? calls?.at(-1);
  if (call !== undefined) return <FirstCall call={call} onDone={onDone} />;
  return <Waiting />;
}

function Waiting() {
  const productName = useProductName();
  const modules = useQuery(modulesOptions(useWorkspaceId())).data ?? [];
  const newest = modules
    .filter(({ displayName }) => displayName !== productName)
    .toSorted((a, b) => (b.lastUpdated ?? 0) - (a.lastUpdated ?? 0))[0];
  const subject = newest === undefined ? 'index a private site' : `get started with ${newest.displayName}`;
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <p className="text-soft">Ask your agent a question about the documentation. For example:</p>
      <CodeBlock code={`Use ${productName} to look up how to ${subject}`} label="Question for your agent" isWrapped />
      <div className="flex items-center gap-3 rounded-lg border border-line bg-surface px-4 py-4 shadow-sm">
        <span aria-hidden className="relative flex size-3">
          <span className="absolute inline-flex size-full animate-ping rounded-full bg-lamp opacity-60 motion-reduce:animate-none" />
          <span className="relative inline-flex size-3 rounded-full bg-lamp" />
        </span>
        <p role="status" className="text-ink">
          Waiting for your agent's first call…
        </p>
      </div>
      {isLate && <WhatToCheck />}
    </>
  );
}

function WhatToCheck() {
  const productName = useProductName();
  const publicUrl = useSession().data?.publicUrl ?? '';
  return (
    <div role="status" className="rounded-lg border border-warn-line bg-warn-ground px-4 py-4 text-soft">
      <p className="font-medium text-ink">No call yet. Check these:</p>
      <ul className="mt-2 list-disc space-y-1 pl-5">
        <li>The agent was restarted after you added the server, and lists {productName} among its MCP servers.</li>
        <li>
          The agent's machine can reach <code className="font-mono text-ink text-xs">{publicUrl}</code>.
        </li>
        <li>The key in its configuration is the one from step 2, without spaces around it.</li>
        <li>Agents search when they need to. Name {productName} in your question, as in the example.</li>
      </ul>
      <p className="mt-3">
        <Link to="/install" className="rounded-xs text-ink underline decoration-lamp-line underline-offset-3">
          Test the connection from this browser
        </Link>
      </p>
    </div>
  );
}

function FirstCall({ call, onDone }: { call: AgentCall; onDone: () => void }) {
  const workspace = useWorkspaceId();
  const { query } = call;
  // The response to the agent is not stored, so the same search is repeated, free of charge.
  const answer = useQuery({
    queryKey: ['search', workspace, 'first-call', query],
    queryFn: ({ signal }) => callApi(searchEndpoints.search, { query: query ?? '', isDraft: true }, signal, workspace),
    enabled: query !== null && call.pages.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <>
      <div
        role="status"
        className="flex items-start gap-3 rounded-lg border border-lamp-line bg-lamp-ground px-4 py-4 shadow-sm"
      >
        <Check aria-hidden className="mt-0.5 size-5 shrink-0 text-lamp" />
        <div className="min-w-0">
          <p className="font-medium text-ink">Your agent is connected.</p>
          <p className="text-soft text-sm">
            {call.client || 'An agent'}
            {call.credential && ` with the key “${call.credential}”`}, <RelativeTime at={call.at} />
          </p>
        </div>
      </div>
      <dl className="grid gap-x-6 gap-y-3 rounded-lg border border-line bg-surface px-4 py-4 shadow-sm sm:grid-cols-[auto_1fr]">
        <dt className="text-faint text-sm">{query === null ? 'It read' : 'It asked'}</dt>
        <dd className="wrap-anywhere font-medium text-ink">{query ?? call.url}</dd>
        <dt className="text-faint text-sm">It got</dt>
        <dd className="tabular text-soft">
          {call.pages.length === 0
            ? 'Nothing: no indexed page answers this. Add a source that does under Resources, then ask again.'
            : `${formatCount(call.tokens)} tokens from ${countOf(call.pages.length, 'page')} in ${formatMs(call.latencyMs)}`}
        </dd>
      </dl>
      {answer.data && (
        <pre
          tabIndex={0}
          role="group"
          aria-label="Answer"
          className="wrap-anywhere max-h-80 overflow-y-auto whitespace-pre-wrap rounded-lg border border-line bg-sunken px-4 py-3 font-mono text-ink text-xs leading-5"
        >
          {answer.data.text}
        </pre>
      )}
      <Button look="action" className="self-start" onClick={onDone}>
        Go to dashboard
      </Button>
    </>
  );
}
