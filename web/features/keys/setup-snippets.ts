import { commands } from '../../lib/commands.ts';

export const transports = ['http', 'stdio'] as const;
export type Transport = (typeof transports)[number];

export const agents = ['claude-code', 'cursor', 'vscode', 'codex', 'other'] as const;
export type Agent = (typeof agents)[number];

export const agentNames: Record<Agent, string> = {
  'claude-code': 'Claude Code',
  cursor: 'Cursor',
  vscode: 'VS Code',
  codex: 'Codex',
  other: 'Another agent',
};

export interface SetupInput {
  transport: Transport;
  agent: Agent;
  /** Address of this installation, without a slash at the end. */
  publicUrl: string;
  productName: string;
  /** The secret, or the words that stand in its place. */
  key: string;
}

export interface SetupSnippet {
  /** Where it goes: a file, or the terminal. */
  place: string;
  language: string;
  code: string;
}

/** What to paste so that an agent finds this installation. */
export function setupSnippet(input: SetupInput): SetupSnippet {
  const server = serverName(input.productName);
  const remote = { url: `${input.publicUrl}/mcp`, headers: { Authorization: `Bearer ${input.key}` } };
  const local = {
    command: commands.launcher,
    args: [commands.stdio],
    env: { LECTERN_URL: input.publicUrl, LECTERN_API_KEY: input.key },
  };
  const isHttp = input.transport === 'http';
  switch (input.agent) {
    case 'claude-code':
      return {
        place: 'Terminal',
        language: 'shellscript',
        code: isHttp
          ? `claude mcp add --transport http ${server} ${remote.url} \\\n  --header "Authorization: Bearer ${input.key}"`
          : `claude mcp add ${server} \\\n  --env LECTERN_URL=${input.publicUrl} \\\n  --env LECTERN_API_KEY=${input.key} \\\n  -- ${commands.launcher} ${commands.stdio}`,
      };
    case 'cursor':
      return json('~/.cursor/mcp.json', { mcpServers: { [server]: isHttp ? remote : local } });
    case 'vscode':
      return json('.vscode/mcp.json', {
        servers: { [server]: isHttp ? { type: 'http', ...remote } : { type: 'stdio', ...local } },
      });
    case 'codex':
      return { place: '~/.codex/config.toml', language: 'toml', code: codexTable(server, isHttp ? remote : local) };
    case 'other':
      return json('MCP configuration', { mcpServers: { [server]: isHttp ? { type: 'http', ...remote } : local } });
  }
}

function json(place: string, value: unknown): SetupSnippet {
  return { place, language: 'json', code: JSON.stringify(value, null, 2) };
}

function codexTable(
  server: string,
  config:
    | { url: string; headers: Record<string, string> }
    | { command: string; args: string[]; env: Record<string, string> },
): string {
  // JSON's strings and lists are also TOML's; only tables are written otherwise.
  const table = (values: Record<string, string>) =>
    `{ ${Object.entries(values)
      .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
      .join(', ')} }`;
  const head = `[mcp_servers.${server}]`;
  return 'url' in config
    ? `${head}\nurl = ${JSON.stringify(config.url)}\nhttp_headers = ${table(config.headers)}`
    : `${head}\ncommand = ${JSON.stringify(config.command)}\nargs = ${JSON.stringify(config.args)}\nenv = ${table(config.env)}`;
}

/** What the agent calls this server: the product's name as agents accept it. */
function serverName(productName: string): string {
  return (
    productName
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'docs'
  );
}
