import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

export interface ToolAnswer {
  /** All text the agent received. */
  text: string;
  /** o200k_base tokens of that text. */
  tokens: number;
  /** Tokens of the structured content, which some clients also show their model. */
  besideTokens: number;
  /** Addresses of the results with their fragments, best first. */
  urls: string[];
  isError: boolean;
  ms: number;
}

export interface ToolSurface {
  definitionTokens: number;
  instructionTokens: number;
}

/** An agent's session with the MCP endpoint: it sees only what any client sees. */
export interface Agent {
  search(query: string, budget?: number): Promise<ToolAnswer>;
  read(url: string): Promise<ToolAnswer>;
  surface: ToolSurface;
  close(): Promise<void>;
}

/** Opens a new session. Tools are found by the end of their names, because the names start with the product's name. */
export async function openAgent(origin: string, key: string): Promise<Agent> {
  const client = await connect(origin, key);
  const { tools } = await client.listTools();
  const searchTool = toolEndingWith(tools, 'search_documentation');
  const readTool = toolEndingWith(tools, 'read_url');
  const budgetName = Object.keys(searchTool.inputSchema.properties ?? {}).find((name) => /budget|token/i.test(name));
  const definitions = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));

  const call = async (name: string, args: Record<string, unknown>): Promise<ToolAnswer> => {
    const begun = performance.now();
    const result = await client.callTool({ name, arguments: args });
    const ms = performance.now() - begun;
    const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    return {
      text,
      tokens: tokensOf(text),
      besideTokens: result.structuredContent === undefined ? 0 : tokensOf(JSON.stringify(result.structuredContent)),
      urls: urlsOf(result.structuredContent, text),
      isError: result.isError === true,
      ms,
    };
  };
  return {
    search: (query, budget) =>
      call(searchTool.name, { query, ...(budget !== undefined && budgetName ? { [budgetName]: budget } : {}) }),
    read: (url) => call(readTool.name, { url }),
    surface: {
      definitionTokens: tokensOf(JSON.stringify(definitions)),
      instructionTokens: tokensOf(client.getInstructions() ?? ''),
    },
    close: () => client.close(),
  };
}

/** Connects, and waits if the key has used up its sessions per hour: a run over all folds needs more. */
async function connect(origin: string, key: string): Promise<Client> {
  const client = new Client({ name: 'lectern-eval', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit }));
    return client;
  } catch (error) {
    const [, seconds] = /Too many requests\. Try again in (\d+) seconds/.exec(String(error)) ?? [];
    if (seconds === undefined) throw error;
    process.stderr.write(`too many sessions in this hour: waiting ${seconds} seconds\n`);
    await sleep(Number(seconds) * 1000);
    return connect(origin, key);
  }
}

function toolEndingWith<T extends { name: string }>(tools: T[], ending: string): T {
  const tool = tools.find(({ name }) => name.endsWith(ending));
  if (tool === undefined) throw new Error(`the server has no tool whose name ends with ${ending}`);
  return tool;
}

function tokensOf(text: string): number {
  return countTokens(text, { disallowedSpecial: new Set() });
}

/** Returns the addresses of the structured results or, without them, all addresses in the text in order. */
function urlsOf(structured: unknown, text: string): string[] {
  const results = (structured as { results?: unknown } | undefined)?.results;
  if (Array.isArray(results)) {
    return results.map((result: { url?: unknown }) => result.url).filter((url) => typeof url === 'string');
  }
  return [...new Set(text.match(/\b(?:https?|file):\/\/[^\s)<>\]"'`]+/g) ?? [])];
}
