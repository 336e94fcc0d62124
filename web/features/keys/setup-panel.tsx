import { ArrowUpRight } from 'lucide-react';
import { type SetupSnippet, setupSnippet } from '#contract/agent-setup.ts';
import { type Agent, agentIds, agentOf, agents, type Transport, transports } from '#contract/agents.ts';
import { installation } from '../../lib/installation.ts';
import { useProductName, useSession } from '../../lib/session.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Select } from '../../ui/select.tsx';
import { useStoredChoice } from '../../ui/stored-choice.ts';
import { Tabs } from '../../ui/tabs.tsx';

const keyPlaceholder = '<your API key>';

interface SetupPanelProps {
  /** The key to fill in; without it, the snippets contain a placeholder. */
  secret?: string | undefined;
  /** The agent, if the page has its own picker; otherwise a list is shown. */
  agent?: Agent;
  /** True if the agent signs in through the browser: the snippets contain no key. */
  isSigningIn?: boolean;
  onCopied?: () => void;
}

/** Returns the agent last selected in this browser. */
export function useChosenAgent(): [Agent, (id: string) => void] {
  const [id, setId] = useStoredChoice('mcp-agent', agentIds);
  return [agentOf(id), (next) => setId(agentIds.find((known) => known === next) ?? id)];
}

/** Setup instructions by transport and agent; both choices are remembered. */
export function SetupPanel({ secret, agent: given, isSigningIn = false, onCopied }: SetupPanelProps) {
  const [stored, setTransport] = useStoredChoice<Transport>('mcp-transport', transports);
  const [chosen, setChosen] = useChosenAgent();
  const agent = given ?? chosen;
  const productName = useProductName();
  const publicUrl = useSession().data?.publicUrl.replace(/\/+$/, '') ?? '';
  const transport = agent[stored] === undefined ? (stored === 'http' ? 'stdio' : 'http') : stored;

  const setup = { publicUrl, productName, stdio: installation().stdio };
  const key = isSigningIn ? undefined : (secret ?? keyPlaceholder);

  const panel = (shown: Transport) => {
    const snippet = setupSnippet(agent, shown, { ...setup, key });
    return (
      <div className="flex flex-col gap-3 pt-4">
        {snippet === undefined ? (
          <Notice tone="info">{agent.name} does not connect this way. Choose the other tab.</Notice>
        ) : (
          <>
            {snippet.link !== undefined && (
              <InstallLink agent={agent} href={isSigningIn ? snippet.link : secret && snippet.link} />
            )}
            {snippet.environment !== undefined && (
              <CodeBlock
                code={snippet.environment}
                language="shellscript"
                title="~/.profile"
                label="Line for your shell"
                onCopied={secret === undefined ? undefined : onCopied}
              />
            )}
            <CodeBlock
              code={snippet.code}
              language={snippet.language}
              title={snippet.place}
              label={`Configuration for ${agent.name}`}
              onCopied={secret === undefined ? undefined : onCopied}
            />
            <p className="text-faint text-xs">{noteOf(shown, snippet, setup.stdio)}</p>
            {agent.id === 'other-http' && snippet.keyedAddress !== undefined && (
              <>
                <p className="text-soft text-sm">
                  For clients that can't send headers: the address with the key in it. Addresses end up in logs, so
                  prefer the header.
                </p>
                <CodeBlock code={snippet.keyedAddress} title="Address" label="Address with the key" isWrapped />
              </>
            )}
          </>
        )}
      </div>
    );
  };

  if (isSigningIn) return panel('http');
  return (
    <Tabs
      label="Transport"
      value={transport}
      onChange={setTransport}
      tabs={[
        { name: 'http', label: 'MCP Streamable HTTP', panel: panel('http') },
        { name: 'stdio', label: 'MCP stdio', panel: panel('stdio') },
      ]}
      aside={
        given === undefined && (
          <Select
            label="Agent"
            value={agent.id}
            onChange={setChosen}
            options={agents.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )
      }
    />
  );
}

function noteOf(transport: Transport, { environment, asksForKey }: SetupSnippet, [program]: string[]): string {
  const key =
    environment !== undefined
      ? 'The configuration names the variable and not the key, so the file can be shared. '
      : asksForKey
        ? 'The agent asks for the key once and keeps it, so the file can be shared. '
        : '';
  if (transport === 'http')
    return `${key}The agent calls this server over the network. The best choice for almost every agent.`;
  const where =
    program === 'lectern-mcp' ? " First install this server's package, which its operator can give you." : '';
  return `${key}The agent starts a small program that forwards its calls.${where}`;
}

/** Opens the agent and imports the configuration; available once a key is filled in. */
function InstallLink({ agent, href }: { agent: Agent; href: string | undefined }) {
  if (!href) {
    return (
      <p className="text-soft text-sm">
        Fill in a key to get a link that adds the server to {agent.name} automatically.
      </p>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <a href={href} className={buttonClasses('action')}>
        Add to {agent.name}
        <ArrowUpRight aria-hidden className="size-4" />
      </a>
      <span className="text-faint text-xs">
        Opens {agent.name}, which asks before it adds the server. Or add it by hand:
      </span>
    </div>
  );
}
