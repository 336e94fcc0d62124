import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { Link } from 'react-router';
import type { AgentSurface } from '#contract/agent-surface.ts';
import { type ErrorCode, errorTable } from '#contract/errors.ts';
import * as limits from '#contract/limits.ts';
import { slugOf } from '#contract/product-name.ts';
import { ClientTabs } from '../features/mcp/client-tabs.tsx';
import { Definitions, Tools } from '../features/mcp/definitions.tsx';
import { agentRules } from '../lib/agent-rules.ts';
import written from '../lib/agent-surface.json';
import { callLater } from '../lib/call-later.ts';
import { installation } from '../lib/installation.ts';
import { publicPage } from '../lib/public-page-head.tsx';
import { useSession } from '../lib/session.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { formatCount } from '../ui/quantities.ts';
import { TextLink } from '../ui/text-link.tsx';

const parts = [
  ['connect', 'Connect'],
  ['tools', 'Tools'],
  ['prompts', 'Prompts'],
  ['resources', 'Resources'],
  ['memory', 'Memory'],
  ['budgets', 'Budgets'],
  ['errors', 'Errors'],
] as const;

/** Instructions for connecting an agent, and everything the server sends it, generated from the server's definitions. */
function McpScreen() {
  const surface = useAgentSurface();
  const publicUrl = usePublicUrl();
  const { productName, tools, prompts, resources } = surface;
  const [search, read] = tools.map(({ name }) => name);
  return (
    <div className="page flex flex-col gap-16 py-12 md:py-16">
      <Opening toolsTokens={surface.toolsTokens} publicUrl={publicUrl} />

      <Part
        id="connect"
        title="Connect"
        intro={
          <>
            Clients that can sign in through the browser need no key. Others need one from{' '}
            <TextLink to="/keys">API Keys</TextLink>; <TextLink to="/install">Install</TextLink> has configurations for
            more clients, fills in the key, and tests the connection.
          </>
        }
      >
        <ClientTabs publicUrl={publicUrl} productName={productName} />
        <div className="mt-2 flex min-w-0 flex-col gap-2">
          <h3 className="font-medium text-ink text-md">Tell the agent when to look things up</h3>
          <CodeBlock code={agentRules(productName)} title="AGENTS.md" label="Rules for the agent" isWrapped />
        </div>
      </Part>

      <Part
        id="tools"
        title="Tools"
        intro={`Tokens an agent receives before its first call: ${surface.toolsTokens} tokens of definitions and ${surface.instructions.tokens} of instructions. Tests keep them under 350 and 150.`}
      >
        <Tools tools={tools} />
        <div className="min-w-0">
          <CodeBlock
            code={surface.instructions.text}
            title="The instructions"
            label="Instructions for the agent"
            isWrapped
          />
        </div>
        <p className="max-w-prose text-soft">
          Clients that call themselves <code className="font-mono text-ink">openai-mcp</code> see the same two tools as{' '}
          {surface.deepResearchTools.map(({ name }, place) => (
            <span key={name}>
              {place > 0 && ' and '}
              <code className="font-mono text-ink">{name}</code>
            </span>
          ))}
          , with the arguments that deep-research clients require.
        </p>
      </Part>

      <Part id="prompts" title="Prompts" intro="Prompts that users pick in the client; each takes one argument.">
        <Definitions list={prompts} />
      </Part>

      <Part
        id="resources"
        title="Resources"
        intro="Every module you can read is a resource; every page can be read by its address. Module ids complete as you type."
      >
        <Definitions
          list={resources}
          uriOf={(name) => resources.find((resource) => resource.name === name)?.uriTemplate}
        />
      </Part>

      <MemoryAndBudgets search={search} read={read} />

      <Part
        id="errors"
        title="Errors an agent can get"
        intro="Errors that the agent can fix are results with the next step. Each code has a page."
      >
        <AgentErrors />
      </Part>
    </div>
  );
}

export default publicPage('/mcp', McpScreen);

function Opening({ toolsTokens, publicUrl }: { toolsTokens: number; publicUrl: string }) {
  return (
    <header className="max-w-[46rem]">
      <h1 className="font-display text-4xl text-ink tracking-[-0.028em] md:text-6xl">Connect over MCP</h1>
      <p className="mt-5 text-pretty text-lg text-soft">
        Two tools, defined in {toolsTokens} tokens. One searches the documentation you can read; the other reads a page.
        Any client that supports the Model Context Protocol can use them.
      </p>
      <CodeBlock code={`${publicUrl}/mcp`} label="MCP endpoint" className="mt-6 max-w-xl" />
      <nav aria-label="On this page" className="mt-6">
        <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
          {parts.map(([id, name]) => (
            <li key={id}>
              <a href={`#${id}`} className="inline-flex min-h-6 items-center rounded-xs text-lamp hover:underline">
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  );
}

function MemoryAndBudgets({ search, read }: { search: string | undefined; read: string | undefined }) {
  return (
    <div className="grid gap-x-12 gap-y-16 md:grid-cols-2">
      <Part id="memory" title="Memory: nothing is sent twice">
        <Prose>
          <p>
            Passages that a conversation has received aren't sent again; the response lists their addresses. A
            conversation is the transport's session, or a handle that the client passes back, or the same key and client
            within {limits.agentMemoryMinutes} minutes.
          </p>
          <p>
            The memory survives a server restart and ends {limits.agentSessionDays} days after the last call.{' '}
            <code>{read}</code> sends a page again.
          </p>
        </Prose>
      </Part>
      <Part id="budgets" title="Budgets">
        <Prose>
          <p>
            A response of <code>{search}</code> has at most {formatCount(limits.searchTokensDefault)} tokens (o200k)
            unless <code>budget</code> sets another limit, from {formatCount(limits.budgetTokensMin)} to{' '}
            {formatCount(limits.budgetTokensMax)}. It never exceeds the limit.
          </p>
          <p>
            A page of up to {formatCount(limits.readTokensDefault)} tokens is returned whole. A longer page is cut to
            its start and the parts most similar to the conversation&apos;s searches. With an anchor, you get that
            section whole. The best sections left out are named with their size.
          </p>
          <p>
            A search costs {limits.searchCredits} credit and a read {limits.readCredits}. Failures, results without
            anything new, and retries are free.
          </p>
        </Prose>
      </Part>
    </div>
  );
}

interface PartProps {
  id: string;
  title: string;
  intro?: ReactNode;
  children: ReactNode;
}

function Part({ id, title, intro, children }: PartProps) {
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-5">
      <div>
        <h2 id={id} className="scroll-mt-2 font-display text-2xl text-ink tracking-tight">
          {title}
        </h2>
        {intro && <p className="mt-1.5 max-w-[44rem] text-soft">{intro}</p>}
      </div>
      {children}
    </section>
  );
}

function Prose({ children }: { children: ReactNode }) {
  return <div className="prose max-w-prose text-soft">{children}</div>;
}

/** Errors that agents may get, and how they are sent. */
const met: readonly { code: ErrorCode; as: string }[] = [
  { code: 'key-missing', as: 'HTTP 401, with the address to sign in at' },
  { code: 'key-refused', as: 'HTTP 401' },
  { code: 'connection-refused', as: 'HTTP 401, with the address to sign in at' },
  { code: 'credits-exhausted', as: 'result with isError: the balance, when the allowance renews, where to upgrade' },
  { code: 'query-empty', as: 'result with isError' },
  { code: 'query-too-long', as: 'result with isError' },
  { code: 'module-unknown', as: 'result with isError, naming the nearest modules' },
  { code: 'page-not-indexed', as: 'result with isError' },
  { code: 'invalid-input', as: 'result with isError' },
  { code: 'index-damaged', as: 'protocol error' },
];

function AgentErrors() {
  return (
    <div
      className="prose-table overflow-x-auto rounded-xl border border-line bg-surface shadow-sm"
      tabIndex={0}
      role="group"
      aria-label="Errors"
    >
      <table className="w-full text-left text-sm">
        <thead className="text-faint text-xs">
          <tr>
            <th className="px-5 py-2.5 font-normal">Code</th>
            <th className="px-5 py-2.5 font-normal">Message</th>
            <th className="px-5 py-2.5 font-normal">Sent as</th>
          </tr>
        </thead>
        <tbody>
          {met.map(({ code, as }) => (
            <tr key={code} className="border-line border-t align-top">
              <td className="whitespace-nowrap px-5 py-2.5">
                <Link
                  to={`/docs/errors/${code}`}
                  className="rounded-xs font-mono text-ink underline decoration-lamp-line underline-offset-3 hover:decoration-lamp"
                >
                  {code}
                </Link>
              </td>
              <td className="min-w-56 px-5 py-2.5 text-soft">{sentence(code)}</td>
              <td className="min-w-44 px-5 py-2.5 text-soft">{as}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Returns an error's message with placeholder names as values. Whose credits are meant is mentioned only in teams. */
function sentence(code: ErrorCode): string {
  return errorTable[code].sentence.replace('{whose}', '').replace(/\{(\w+)\}/g, '<$1>');
}

/** Returns the tools offered to agents: from the code at build time, then from the running server once it responds. */
function useAgentSurface(): AgentSurface {
  const answered = useQuery({
    queryKey: ['agent-surface'],
    queryFn: ({ signal }) =>
      callLater(
        async () => (await import('#contract/agent-surface.ts')).agentSurfaceEndpoints.getAgentSurface,
        {},
        signal,
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { productName } = installation();
  const asWritten = useMemo(() => namedAfter(productName), [productName]);
  return answered.data ?? asWritten;
}

/** Returns the address where agents reach this installation, without a trailing slash. */
function usePublicUrl(): string {
  return useSession().data?.publicUrl.replace(/\/+$/, '') ?? installation().address;
}

/** Returns the built-in definitions with the product's name replaced by this installation's. */
function namedAfter(productName: string): AgentSurface {
  const text = JSON.stringify(written)
    .replaceAll(written.productName, JSON.stringify(productName).slice(1, -1))
    .replaceAll(`${slugOf(written.productName)}_`, `${slugOf(productName)}_`);
  return JSON.parse(text) as AgentSurface;
}
