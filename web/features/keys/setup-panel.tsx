import { useProductName, useSession } from '../../lib/session.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Select } from '../../ui/select.tsx';
import { useStoredChoice } from '../../ui/stored-choice.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { type Agent, agentNames, agents, setupSnippet, type Transport, transports } from './setup-snippets.ts';

const keyPlaceholder = '<your API key>';

interface SetupPanelProps {
  /** The key to fill in; without it the snippets hold a place for one. */
  secret?: string;
  onCopied?: () => void;
}

/** How to connect an agent, by transport and by agent; both choices are remembered. */
export function SetupPanel({ secret, onCopied }: SetupPanelProps) {
  const [transport, setTransport] = useStoredChoice<Transport>('mcp-transport', transports);
  const [agent, setAgent] = useStoredChoice<Agent>('mcp-agent', agents);
  const productName = useProductName();
  const publicUrl = useSession().data?.publicUrl.replace(/\/+$/, '') ?? '';

  const panel = (shown: Transport) => {
    const { place, language, code } = setupSnippet({
      transport: shown,
      agent,
      publicUrl,
      productName,
      key: secret ?? keyPlaceholder,
    });
    return (
      <div className="flex flex-col gap-3 pt-4">
        <CodeBlock
          code={code}
          language={language}
          title={place}
          label={`Configuration for ${agentNames[agent]}`}
          onCopied={secret === undefined ? undefined : onCopied}
        />
        <p className="text-faint text-xs">
          {shown === 'http'
            ? 'The agent talks to this server over the network. The best choice for almost every agent.'
            : 'The agent starts a small program that passes its calls on. Write the folder of your own clone in place of /path/to/lectern.'}
        </p>
      </div>
    );
  };

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
        <Select
          label="Agent"
          value={agent}
          onChange={(next) => setAgent(next as Agent)}
          options={agents.map((value) => ({ value, label: agentNames[value] }))}
        />
      }
    />
  );
}
