export type Transport = 'http' | 'stdio';
export const transports = ['http', 'stdio'] as const;

/**
 * A value with placeholders: `{name}` of the server, `{url}` of its MCP end point, `{origin}` of the installation,
 * `{bearer}` and `{key}` for the key or a reference to it, `{command}` and `{args}` of the program. What holds a
 * placeholder without a value is left out, and so is what becomes empty by it.
 */
export type Template = string | number | boolean | readonly Template[] | { readonly [name: string]: Template };

export interface ConfigurationFile {
  /** `~` is the home folder, `{appData}` where applications keep what is theirs. */
  path: string;
  /** Other names that the agent reads it by; the one that is there is written. */
  otherPaths?: readonly string[];
  format: 'json' | 'toml' | 'yaml';
  /** Where in the file the servers stand, by their names. */
  at: readonly string[];
  /** The servers are a list of entries with names. */
  isList?: boolean;
}

export interface Recipe {
  entry: Template;
  /** Further entries of the file that go with a key: lists that are added to. */
  beside?: { readonly [list: string]: Template };
  /** Words of a command that writes the entry; each list goes on a line of its own. */
  command?: readonly (readonly string[])[];
  /** The person signs in through the browser; a key cannot be given. */
  isKeyless?: true;
}

export interface Agent {
  id: AgentId;
  name: string;
  kind: 'Editors' | 'Command line' | 'Apps' | 'Anything else';
  /** Where to paste the configuration, for people. */
  place: string;
  file?: ConfigurationFile;
  /** File of a project, which is shared: no key may stand in it. */
  workspaceFile?: string;
  /** What stands for the key in files where it must not or need not stand itself. */
  reference?: {
    /** Instead of the key alone. */
    key: string;
    /** `always`: the agent is started from a shell, or asks. `workspace`: an app, which a shell's variables do not reach. */
    isFor: 'always' | 'workspace';
    /** Who gives the value: a variable of the shell, the agent's own prompt, or a file. */
    from: 'environment' | 'prompt';
  };
  http?: Recipe;
  stdio?: Recipe;
  /** An address that has the agent take the configuration over by itself. */
  link?: 'cursor' | 'vscode' | 'lmstudio' | 'goose';
  /** What to do once it is pasted. */
  next: string;
  /** How it signs in through the browser when it was given no key; missing where it cannot. */
  signIn?: string;
  /** The file it reads rules from. */
  rulesFile: string;
  /** What shows that the agent is on this machine: programs on the path, and folders written as in `path`. */
  signs?: { programs?: readonly string[]; folders?: readonly string[] };
}

export const agentIds = [
  ...(['cursor', 'vscode', 'claude-code', 'claude-desktop', 'codex', 'gemini-cli', 'windsurf', 'zed'] as const),
  ...(['cline', 'roo', 'opencode', 'kiro', 'amp', 'jetbrains', 'copilot-cli', 'qwen-code', 'crush'] as const),
  ...(['goose', 'continue', 'warp', 'lm-studio', 'claude-ai', 'chatgpt', 'other-http', 'other-stdio'] as const),
] as const;
export type AgentId = (typeof agentIds)[number];
