export type Transport = 'http' | 'stdio';
export const transports = ['http', 'stdio'] as const;

/**
 * A value with placeholders: `{name}` of the server, `{url}` of its MCP endpoint, `{origin}` of the installation,
 * `{bearer}` and `{key}` for the key or a reference to it, `{command}` and `{args}` of the program. A text whose
 * placeholder has no value is left out, and so are lists and objects that become empty.
 */
export type Template = string | number | boolean | readonly Template[] | { readonly [name: string]: Template };

export interface ConfigurationFile {
  /** `~` is the home folder, `{appData}` the folder where applications store their data. */
  path: string;
  /** Alternative paths that the agent reads; an existing file is edited in place. */
  otherPaths?: readonly string[];
  format: 'json' | 'toml' | 'yaml';
  /** Path of the object that holds the servers by name. */
  at: readonly string[];
  /** True if the servers are a list of named entries. */
  isList?: boolean;
}

export interface Recipe {
  entry: Template;
  /** Further lists in the file that get items when there is a key. */
  beside?: { readonly [list: string]: Template };
  /** Words of a command that writes the entry; each inner list is one line. */
  command?: readonly (readonly string[])[];
  /** Set if the user must sign in through the browser; a key cannot be used. */
  isKeyless?: true;
}

export interface Agent {
  id: AgentId;
  name: string;
  kind: 'Editors' | 'Command line' | 'Apps' | 'Anything else';
  /** Where to paste the configuration, for people. */
  place: string;
  file?: ConfigurationFile;
  /** A file that a project shares; it must not contain a key. */
  workspaceFile?: string;
  /** A reference that replaces the key in files that must not or need not contain it. */
  reference?: {
    /** Replaces the key. */
    key: string;
    /**
     * `always`: the agent starts from a shell, or prompts. `workspace`: an app, which does not see the shell's
     * variables.
     */
    isFor: 'always' | 'workspace';
    /** Where the value comes from: a shell variable or the agent's own prompt. */
    from: 'environment' | 'prompt';
  };
  http?: Recipe;
  stdio?: Recipe;
  /** Kind of link that makes the agent import the configuration. */
  link?: 'cursor' | 'vscode' | 'lmstudio' | 'goose';
  /** What to do after pasting the configuration. */
  next: string;
  /** How to sign in through the browser when no key is given; missing if the agent cannot. */
  signIn?: string;
  /** The file that the agent reads rules from. */
  rulesFile: string;
  /** Signs that the agent is installed: programs on the path, and folders written as in `path`. */
  signs?: { programs?: readonly string[]; folders?: readonly string[] };
}

export const agentIds = [
  ...(['cursor', 'vscode', 'claude-code', 'claude-desktop', 'codex', 'gemini-cli', 'windsurf', 'zed'] as const),
  ...(['cline', 'roo', 'opencode', 'kiro', 'amp', 'jetbrains', 'copilot-cli', 'qwen-code', 'crush'] as const),
  ...(['goose', 'continue', 'warp', 'lm-studio', 'claude-ai', 'chatgpt', 'other-http', 'other-stdio'] as const),
] as const;
export type AgentId = (typeof agentIds)[number];

/** An agent as listed: it needs a kind, place or rules file only if it differs from the default. */
type ListedAgent = Omit<Agent, 'kind' | 'place' | 'rulesFile'> & Partial<Pick<Agent, 'kind' | 'place' | 'rulesFile'>>;

/** Completes agents of one kind: by default they are configured in their file and read rules from AGENTS.md. */
export function agentsOf(kind: Agent['kind'], listed: readonly ListedAgent[]): Agent[] {
  return listed.map((agent) => ({ kind, place: agent.file?.path ?? '', rulesFile: 'AGENTS.md', ...agent }));
}
