import { agentsOf } from './agent.ts';
import { local, remote } from './entries.ts';

/** Desktop applications, and the generic entry for any other client. */
export const apps = agentsOf('Apps', [
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    place: 'claude_desktop_config.json (Settings, Developer, Edit Config)',
    file: { path: '{appData}/Claude/claude_desktop_config.json', format: 'json', at: ['mcpServers'] },
    stdio: { entry: local },
    next: 'Quit Claude Desktop, not only its window, and open it again.',
    rulesFile: 'the instructions of a project',
    signs: { folders: ['{appData}/Claude'] },
  },
  {
    id: 'claude-ai',
    name: 'Claude connectors',
    place: 'claude.ai or Claude Desktop: Settings, Connectors, Add custom connector',
    http: { entry: '{url}', isKeyless: true },
    next: 'Press Connect. Anthropic’s servers call this address, so it must be reachable from the internet over https.',
    signIn: 'Press Connect beside the connector and sign in.',
    rulesFile: 'the instructions of a project',
  },
  {
    id: 'chatgpt',
    name: 'ChatGPT connectors',
    place: 'Settings, Apps & Connectors, Advanced, Developer mode on; then Create',
    http: { entry: '{url}', isKeyless: true },
    next: 'Choose OAuth and press Create. OpenAI’s servers call this address, so it must be reachable from the internet over https.',
    signIn: 'Press Connect beside the connector and sign in.',
    rulesFile: 'the instructions of a project',
  },
  {
    id: 'lm-studio',
    name: 'LM Studio',
    place: 'mcp.json (Program, Install, Edit mcp.json)',
    file: { path: '~/.lmstudio/mcp.json', format: 'json', at: ['mcpServers'] },
    http: { entry: remote },
    stdio: { entry: local },
    link: 'lmstudio',
    next: 'Turn the server on under Program, and allow its tools when the model asks for them.',
    rulesFile: 'the system prompt of a chat',
    signs: { programs: ['lms'], folders: ['~/.lmstudio'] },
  },
  {
    id: 'other-http',
    name: 'Any agent, over HTTP',
    kind: 'Anything else',
    place: 'MCP configuration',
    http: { entry: { type: 'http', ...remote } },
    next: 'Have the agent list its MCP servers; it should show two tools.',
    signIn: 'A client that follows the MCP authorization specification opens the browser automatically.',
  },
  {
    id: 'other-stdio',
    name: 'Any agent, over stdio',
    kind: 'Anything else',
    place: 'MCP configuration',
    stdio: { entry: local },
    next: 'Have the agent list its MCP servers; it should show two tools.',
  },
]);
