import { Fragment } from 'react';
import { type SetupSnippet, setupSnippet } from '#contract/agent-setup.ts';
import { type Agent, agentOf } from '#contract/agents.ts';
import { installation } from '../../lib/installation.ts';
import { CodeBlock } from '../../ui/code-block.tsx';

/** The clients shown individually; `/install` lists all of them, with the key filled in. */
const shown = (
  [
    ...(['claude-code', 'cursor', 'vscode', 'copilot-cli', 'windsurf', 'codex', 'zed', 'gemini-cli'] as const),
    ...(['opencode', 'other-http', 'other-stdio'] as const),
  ] as const
).map(agentOf);
const keyPlaceholder = '<your API key>';

interface ClientTabsProps {
  publicUrl: string;
  productName: string;
}

/**
 * Setup instructions, one client at a time. Radio buttons and style sheets switch between clients, so it works before
 * scripts load and without them.
 */
export function ClientTabs(setup: ClientTabsProps) {
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-x-1.5 gap-y-2">
      <legend className="sr-only">Client</legend>
      {shown.map((agent, place) => (
        <Fragment key={agent.id}>
          <input
            type="radio"
            name="client"
            id={`client-${agent.id}`}
            value={agent.id}
            defaultChecked={place === 0}
            aria-controls={`connect-${agent.id}`}
            className="peer sr-only"
          />
          <label
            htmlFor={`client-${agent.id}`}
            className="order-1 flex h-8 cursor-pointer select-none items-center rounded-full border border-line-strong px-3.5 text-sm text-soft transition-colors duration-100 hover:bg-hover hover:text-ink [input:checked+&]:border-lamp-line [input:checked+&]:bg-lamp-ground [input:checked+&]:font-medium [input:checked+&]:text-ink [input:focus-visible+&]:outline-2 [input:focus-visible+&]:outline-lamp [input:focus-visible+&]:outline-offset-2"
          >
            {agent.name}
          </label>
          <div
            id={`connect-${agent.id}`}
            className="order-2 mt-3 hidden w-full min-w-0 [input:checked+label+&]:grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-7 lg:grid-cols-2"
          >
            <Connect agent={agent} {...setup} />
          </div>
        </Fragment>
      ))}
    </fieldset>
  );
}

function Connect({ agent, publicUrl, productName }: ClientTabsProps & { agent: Agent }) {
  const setup = { publicUrl, productName, stdio: installation().stdio };
  const keyless = agent.signIn && setupSnippet(agent, 'http', setup);
  const overHttp = setupSnippet(agent, 'http', { ...setup, key: keyPlaceholder });
  const overStdio = setupSnippet(agent, 'stdio', { ...setup, key: keyPlaceholder });
  return (
    <>
      {keyless && (
        <Way
          title="Streamable HTTP, without a key"
          text={`${agent.signIn} You sign in, see which application asks, choose the workspace and allow access.`}
          label={`Configuration for ${agent.name} without a key`}
          snippet={keyless}
        />
      )}
      {overHttp && (
        <Way
          title="Streamable HTTP, with an API key"
          text={agent.next}
          label={`Configuration for ${agent.name} with a key`}
          snippet={overHttp}
        />
      )}
      {overStdio && (
        <Way
          title="stdio"
          text={`The agent starts a small program that forwards its calls. ${agent.next}`}
          label={`Configuration for ${agent.name} over stdio`}
          snippet={overStdio}
        />
      )}
    </>
  );
}

interface WayProps {
  title: string;
  text: string;
  label: string;
  snippet: SetupSnippet;
}

function Way({ title, text, label, snippet }: WayProps) {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <h3 className="font-medium text-ink text-md">{title}</h3>
      {snippet.environment !== undefined && (
        <CodeBlock code={snippet.environment} title="~/.profile" label={`${label}: line for your shell`} />
      )}
      <CodeBlock code={snippet.code} title={snippet.place} label={label} />
      <p className="text-soft text-sm">{text}</p>
    </div>
  );
}
