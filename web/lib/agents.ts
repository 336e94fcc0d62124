import { slugOf } from '#contract/product-name.ts';
import { commands } from './commands.ts';

export type Transport = 'http' | 'stdio';
export const transports = ['http', 'stdio'] as const;

/** What a configuration is made of. */
export interface SetupInput {
  /** Address of this installation, without a slash at the end. */
  publicUrl: string;
  productName: string;
  /** The secret, or the words that stand in its place. Without one the agent signs in through the browser (HTTP alone). */
  key?: string | undefined;
}

/** The same, as agents write it down. */
interface Server {
  name: string;
  remote: { url: string; headers?: { Authorization: string } };
  local: { command: string; args: string[]; env: { LECTERN_URL: string; LECTERN_API_KEY: string } };
}

interface Recipe {
  /** Where it goes: a file, a screen of settings, or the terminal. */
  place: string;
  language: 'json' | 'toml' | 'shellscript';
  /** What to paste: a value for JSON, the text itself for the rest. */
  write: (server: Server) => unknown;
  /** An address that has the agent take the configuration over by itself. */
  link?: (server: Server) => string;
}

export interface Agent {
  id: AgentId;
  name: string;
  kind: 'Editors' | 'Command line' | 'Apps' | 'Anything else';
  /** Missing: it cannot send a key over the network. */
  http?: Recipe;
  stdio?: Recipe;
  /** What to do once it is pasted. */
  next: string;
  /** How it signs in through the browser when it was given no key; missing where it cannot. */
  signIn?: string;
  /** The file it reads rules from. */
  rulesFile: string;
}

const mcpServers = (entry: (server: Server) => object) => (server: Server) => ({
  mcpServers: { [server.name]: entry(server) },
});
const json = (place: string, write: Recipe['write'], link?: Recipe['link']): Recipe => ({
  place,
  language: 'json',
  write,
  ...(link && { link }),
});
const local = ({ local }: Server) => local;
const typed = (type: string) => (server: Server) => ({ type, ...server.remote });

const cursorLink = (config: object, name: string) =>
  `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(name)}&config=${encodeURIComponent(btoa(JSON.stringify(config)))}`;
const codeLink = (config: object) => `vscode:mcp/install?${encodeURIComponent(JSON.stringify(config))}`;

// JSON's strings and lists are also TOML's; only tables are written otherwise.
const tomlTable = (values: Record<string, string>) =>
  `{ ${Object.entries(values)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
    .join(', ')} }`;

export const agentIds = [
  ...(['cursor', 'vscode', 'claude-code', 'claude-desktop', 'codex', 'gemini-cli', 'windsurf', 'zed'] as const),
  ...(['cline', 'roo', 'opencode', 'kiro', 'amp', 'jetbrains', 'other-http', 'other-stdio'] as const),
] as const;
export type AgentId = (typeof agentIds)[number];

/** Every agent that has a configuration of its own, by the format it reads today. Screens are made from this table. */
export const agents: readonly Agent[] = [
  {
    id: 'cursor',
    name: 'Cursor',
    kind: 'Editors',
    http: json('~/.cursor/mcp.json', mcpServers(typed('http')), (server) =>
      cursorLink(typed('http')(server), server.name),
    ),
    stdio: json('~/.cursor/mcp.json', mcpServers(local), (server) => cursorLink(server.local, server.name)),
    next: 'Open Cursor Settings, Tools & MCP, and check that the server is enabled.',
    signIn: 'Press Connect beside the server in Cursor Settings, Tools & MCP.',
    rulesFile: 'AGENTS.md',
  },
  {
    id: 'vscode',
    name: 'VS Code',
    kind: 'Editors',
    http: json(
      '.vscode/mcp.json',
      (server) => ({ servers: { [server.name]: typed('http')(server) } }),
      (server) => codeLink({ name: server.name, ...typed('http')(server) }),
    ),
    stdio: json(
      '.vscode/mcp.json',
      ({ name, local }) => ({ servers: { [name]: { type: 'stdio', ...local } } }),
      ({ name, local }) => codeLink({ name, type: 'stdio', ...local }),
    ),
    next: 'Press Start above the server in the file, then choose Agent in the chat.',
    signIn: 'VS Code asks to sign in when the server is started for the first time.',
    rulesFile: '.github/copilot-instructions.md',
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    kind: 'Editors',
    http: json(
      '~/.codeium/windsurf/mcp_config.json',
      mcpServers(({ remote: { url, headers } }) => ({ serverUrl: url, headers })),
    ),
    stdio: json('~/.codeium/windsurf/mcp_config.json', mcpServers(local)),
    next: 'Press Refresh in the MCP panel of Cascade.',
    signIn: 'Windsurf opens the browser when the server is refreshed.',
    rulesFile: 'AGENTS.md',
  },
  {
    id: 'zed',
    name: 'Zed',
    kind: 'Editors',
    http: json('~/.config/zed/settings.json', ({ name, remote }) => ({ context_servers: { [name]: remote } })),
    stdio: json('~/.config/zed/settings.json', ({ name, local }) => ({ context_servers: { [name]: local } })),
    next: "Open the Agent panel's settings and check that the dot next to the server is green.",
    signIn: "Press Authenticate next to the server in the Agent panel's settings.",
    rulesFile: 'AGENTS.md',
  },
  {
    id: 'jetbrains',
    name: 'JetBrains IDEs',
    kind: 'Editors',
    http: json(
      'Settings | Tools | AI Assistant | Model Context Protocol (MCP), Add, As JSON',
      mcpServers(typed('http')),
    ),
    stdio: json(
      'Settings | Tools | AI Assistant | Model Context Protocol (MCP), or ~/.junie/mcp/mcp.json',
      mcpServers(local),
    ),
    next: 'Press Apply and check that the server is connected. Junie can only start programs: choose MCP stdio for it.',
    rulesFile: '.junie/guidelines.md',
  },
  {
    id: 'kiro',
    name: 'Kiro',
    kind: 'Editors',
    http: json(
      '~/.kiro/settings/mcp.json',
      mcpServers((server) => ({ ...typed('http')(server), disabled: false })),
    ),
    stdio: json(
      '~/.kiro/settings/mcp.json',
      mcpServers((server) => ({ ...server.local, disabled: false })),
    ),
    next: 'The server appears in the MCP part of the Kiro panel as soon as the file is saved.',
    rulesFile: '.kiro/steering/documentation.md',
  },
  {
    id: 'cline',
    name: 'Cline',
    kind: 'Editors',
    http: json('cline_mcp_settings.json (MCP Servers, Configure)', mcpServers(typed('streamableHttp'))),
    stdio: json('cline_mcp_settings.json (MCP Servers, Configure)', mcpServers(local)),
    next: 'Cline connects as soon as the file is saved.',
    rulesFile: '.clinerules/documentation.md',
  },
  {
    id: 'roo',
    name: 'Roo Code',
    kind: 'Editors',
    http: json('.roo/mcp.json', mcpServers(typed('streamable-http'))),
    stdio: json('.roo/mcp.json', mcpServers(local)),
    next: 'Roo Code connects as soon as the file is saved.',
    rulesFile: '.roo/rules/documentation.md',
  },
  {
    id: 'claude-code',
    name: 'Claude Code',
    kind: 'Command line',
    http: {
      place: 'Terminal',
      language: 'shellscript',
      write: ({ name, remote }) =>
        [
          `claude mcp add --transport http ${name} ${remote.url}`,
          ...(remote.headers ? [`  --header "Authorization: ${remote.headers.Authorization}"`] : []),
        ].join(' \\\n'),
    },
    stdio: {
      place: 'Terminal',
      language: 'shellscript',
      write: ({ name, local: { command, args, env } }) =>
        `claude mcp add \\\n  --env LECTERN_URL=${env.LECTERN_URL} \\\n  --env LECTERN_API_KEY=${env.LECTERN_API_KEY} \\\n  --transport stdio ${name} \\\n  -- ${[command, ...args].join(' ')}`,
    },
    next: 'Type /mcp in Claude Code to see that the server is connected.',
    signIn: 'Type /mcp in Claude Code, choose the server, then Authenticate.',
    rulesFile: 'CLAUDE.md',
  },
  {
    id: 'codex',
    name: 'Codex',
    kind: 'Command line',
    http: {
      place: '~/.codex/config.toml',
      language: 'toml',
      write: ({ name, remote }) =>
        [
          `[mcp_servers.${name}]`,
          `url = ${JSON.stringify(remote.url)}`,
          ...(remote.headers ? [`http_headers = ${tomlTable(remote.headers)}`] : []),
        ].join('\n'),
    },
    stdio: {
      place: '~/.codex/config.toml',
      language: 'toml',
      write: ({ name, local: { command, args, env } }) =>
        `[mcp_servers.${name}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\nenv = ${tomlTable(env)}`,
    },
    next: 'Start Codex again and type /mcp to see that the server is connected.',
    signIn: 'Run codex mcp login with the name of the server.',
    rulesFile: 'AGENTS.md',
  },
  {
    id: 'gemini-cli',
    name: 'Gemini CLI',
    kind: 'Command line',
    http: json(
      '~/.gemini/settings.json',
      mcpServers(({ remote: { url, headers } }) => ({ httpUrl: url, headers })),
    ),
    stdio: json('~/.gemini/settings.json', mcpServers(local)),
    next: 'Start Gemini CLI again and type /mcp to see that the server is connected.',
    signIn: 'Type /mcp auth and the name of the server in Gemini CLI.',
    rulesFile: 'GEMINI.md',
  },
  {
    id: 'opencode',
    name: 'OpenCode',
    kind: 'Command line',
    http: json('~/.config/opencode/opencode.json', ({ name, remote }) => ({
      $schema: 'https://opencode.ai/config.json',
      mcp: { [name]: { type: 'remote', ...remote, ...(remote.headers && { oauth: false }), enabled: true } },
    })),
    stdio: json('~/.config/opencode/opencode.json', ({ name, local: { command, args, env } }) => ({
      $schema: 'https://opencode.ai/config.json',
      mcp: { [name]: { type: 'local', command: [command, ...args], environment: env, enabled: true } },
    })),
    next: 'Start OpenCode again; "opencode mcp list" shows the server.',
    rulesFile: 'AGENTS.md',
  },
  {
    id: 'amp',
    name: 'Amp',
    kind: 'Command line',
    http: json('~/.config/amp/settings.json', ({ name, remote }) => ({ 'amp.mcpServers': { [name]: remote } })),
    stdio: json('~/.config/amp/settings.json', ({ name, local }) => ({ 'amp.mcpServers': { [name]: local } })),
    next: 'Start Amp again; "amp mcp doctor" shows the server.',
    rulesFile: 'AGENTS.md',
  },
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    kind: 'Apps',
    stdio: json('claude_desktop_config.json (Settings, Developer, Edit Config)', mcpServers(local)),
    next: 'Quit Claude Desktop, not only its window, and open it again.',
    rulesFile: 'the instructions of a project',
  },
  {
    id: 'other-http',
    name: 'Any agent, over HTTP',
    kind: 'Anything else',
    http: json('MCP configuration', mcpServers(typed('http'))),
    next: 'Have the agent list its MCP servers; it should show two tools.',
    signIn: 'A client that follows the MCP authorization specification opens the browser by itself.',
    rulesFile: 'AGENTS.md',
  },
  {
    id: 'other-stdio',
    name: 'Any agent, over stdio',
    kind: 'Anything else',
    stdio: json('MCP configuration', mcpServers(local)),
    next: 'Have the agent list its MCP servers; it should show two tools.',
    rulesFile: 'AGENTS.md',
  },
];

export function agentOf(id: AgentId): Agent {
  const found = agents.find((agent) => agent.id === id);
  if (found === undefined) throw new Error(`no agent is called ${id}`);
  return found;
}

export interface SetupSnippet {
  place: string;
  language: string;
  code: string;
  link: string | undefined;
}

/** What to paste so that an agent finds this installation; undefined when the agent does not take that transport. */
export function setupSnippet(agent: Agent, transport: Transport, input: SetupInput): SetupSnippet | undefined {
  const recipe = agent[transport];
  if (recipe === undefined || (input.key === undefined && transport === 'stdio')) return undefined;
  const server: Server = {
    name: slugOf(input.productName).replaceAll('_', '-'),
    remote: {
      url: `${input.publicUrl}/mcp`,
      ...(input.key !== undefined && { headers: { Authorization: `Bearer ${input.key}` } }),
    },
    local: {
      command: commands.launcher,
      args: [commands.stdio],
      env: { LECTERN_URL: input.publicUrl, LECTERN_API_KEY: input.key ?? '' },
    },
  };
  const written = recipe.write(server);
  return {
    place: recipe.place,
    language: recipe.language,
    code: typeof written === 'string' ? written : JSON.stringify(written, null, 2),
    link: recipe.link?.(server),
  };
}
