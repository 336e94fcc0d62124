import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { AgentCall } from '#contract/insights.ts';
import { searchEndpoints } from '#contract/search.ts';
import { callApi } from '../../lib/api-client.ts';
import { modulesOptions } from '../../lib/library-queries.ts';
import { useProductName, useSession } from '../../lib/session.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { countOf, formatCount, formatMs } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';

/** How long a call may take to come before the screen says what to check. */
const patienceMs = 60_000;

/** Waits for the first call of an agent and shows it with its answer. */
export function CallStep({ calls, onDone }: { calls: AgentCall[] | undefined; onDone: () => void }) {
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
  // What an agent was sent is not kept: the same search is made again, for nothing.
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
