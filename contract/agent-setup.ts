import type { Agent, ConfigurationFile, Recipe, Template, Transport } from './agents.ts';
import { slugOf } from './product-name.ts';

/** The values that a configuration is built from. */
export interface SetupInput {
  /** This installation's public address, without a trailing slash. */
  publicUrl: string;
  productName: string;
  /** The command that relays standard input and output, with its arguments. */
  stdio: readonly string[];
  /** The secret, or a placeholder for it. Without a key, the agent signs in through the browser (HTTP only). */
  key?: string | undefined;
  /** `workspace`: a file that a project shares, which never contains the key. */
  scope?: 'user' | 'workspace';
  /** True if the program serves this machine's data folder and needs neither address nor key. */
  isLocal?: boolean;
}

/** A server's entry in an agent's configuration file. */
export interface AgentConfiguration {
  format: ConfigurationFile['format'];
  /** Path of the entry in the file: names of tables or objects, the server's name last. */
  at: string[];
  isList: boolean;
  entry: unknown;
  /** Items for this server in other lists of the same file. */
  beside: Record<string, unknown[]>;
}

export interface SetupSnippet {
  place: string;
  language: 'json' | 'toml' | 'yaml' | 'shellscript' | 'text';
  code: string;
  /** Link that opens the agent and imports the configuration. */
  link: string | undefined;
  /** The shell line that sets the variable the configuration refers to. */
  environment: string | undefined;
  /** True if the agent prompts for the key. */
  asksForKey: boolean;
  /** For clients that cannot send a header: the address with the key in it. */
  keyedAddress: string | undefined;
}

/** Returns the server's name in an agent's configuration. */
export function serverNameOf(productName: string): string {
  return slugOf(productName).replaceAll('_', '-');
}

/**
 * Returns the server's entry in an agent's configuration, or undefined if the agent does not support the transport or
 * key.
 */
export function configurationOf(agent: Agent, transport: Transport, input: SetupInput): AgentConfiguration | undefined {
  const recipe = agent[transport];
  if (recipe === undefined || recipe.isKeyless || !isPossible(agent, transport, input)) return undefined;
  const values = valuesOf(agent, input);
  const file: Omit<ConfigurationFile, 'path'> = agent.file ?? { format: 'json', at: ['mcpServers'] };
  return {
    format: file.format,
    at: file.isList ? [...file.at] : [...file.at, values.name],
    isList: file.isList === true,
    entry: filled(recipe.entry, values),
    beside: input.key === undefined ? {} : besideOf(recipe, values),
  };
}

/**
 * Returns what to paste to connect an agent to this installation, or undefined if the agent does not support the
 * transport.
 */
export function setupSnippet(agent: Agent, transport: Transport, input: SetupInput): SetupSnippet | undefined {
  const recipe = agent[transport];
  if (recipe === undefined || !isPossible(agent, transport, input)) return undefined;
  const values = valuesOf(agent, input);
  const { scope = 'user', key } = input;
  const isReferred = key !== undefined && referenceOf(agent, scope) !== undefined;
  const configuration = configurationOf(agent, transport, input);
  const rest = {
    link: scope === 'user' && configuration ? linkOf(agent, transport, values, configuration) : undefined,
    environment:
      isReferred && agent.reference?.from === 'environment' ? `export LECTERN_API_KEY=${shellWord(key)}` : undefined,
    asksForKey: isReferred && agent.reference?.from === 'prompt',
    keyedAddress:
      transport === 'http' && key !== undefined && scope === 'user'
        ? `${values.url}?apiKey=${/^[\w-]+$/.test(key) ? key : encodeURIComponent(key)}`
        : undefined,
  };
  if (configuration === undefined) {
    return { place: agent.place, language: 'text', code: String(filled(recipe.entry, values)), ...rest };
  }
  if (scope === 'user' && recipe.command !== undefined) {
    return { place: 'Terminal', language: 'shellscript', code: commandOf(recipe.command, values), ...rest };
  }
  return {
    place: scope === 'workspace' ? (agent.workspaceFile ?? '') : agent.file?.path ? placeOf(agent) : agent.place,
    language: configuration.format,
    code: textOf(configuration),
    ...rest,
  };
}

/** Returns the text of a file that contains only this configuration. */
function textOf({ format, at, isList, entry, beside }: AgentConfiguration): string {
  if (format === 'toml') return tomlOf(at, entry as Record<string, unknown>);
  const nested = at.reduceRight<unknown>((inside, name) => ({ [name]: inside }), isList ? [entry] : entry);
  const whole = { ...beside, ...(nested as object) };
  return format === 'yaml' ? yamlOf(whole) : jsonOf(whole);
}

/** Available in browsers and in Node; the contract includes the types of neither. */
declare const btoa: (text: string) => string;

type Values = {
  name: string;
  url: string;
  origin?: string;
  key?: string;
  bearer?: string;
  command: string;
  args: string[];
};

function isPossible(agent: Agent, transport: Transport, { key, scope = 'user', isLocal }: SetupInput): boolean {
  if (scope === 'workspace' && agent.workspaceFile === undefined) return false;
  if (key === undefined) return transport === 'http' || isLocal === true;
  return scope === 'user' || referenceOf(agent, scope) !== undefined;
}

function referenceOf({ reference }: Agent, scope: 'user' | 'workspace') {
  return scope === 'workspace' || reference?.isFor === 'always' ? reference : undefined;
}

function valuesOf(
  agent: Agent,
  { publicUrl, productName, stdio, key, scope = 'user', isLocal = false }: SetupInput,
): Values {
  const [command = '', ...args] = stdio;
  const shown = key === undefined ? undefined : (referenceOf(agent, scope)?.key ?? key);
  return {
    ...{ name: serverNameOf(productName), url: `${publicUrl}/mcp`, command, args },
    ...(!isLocal && { origin: publicUrl }),
    ...(shown !== undefined && { key: shown, bearer: `Bearer ${shown}` }),
  };
}

/** Returns a template with its placeholders replaced, or undefined if nothing remains. */
function filled(template: Template, values: Values): unknown {
  if (typeof template === 'string') return filledText(template, values);
  if (typeof template !== 'object') return template;
  if (isTemplates(template)) {
    const items = template.flatMap((item) => filled(item, values)).filter((item) => item !== undefined);
    return items.length === 0 ? undefined : items;
  }
  const fields = Object.entries(template)
    .map(([name, value]) => [name, filled(value, values)])
    .filter(([, value]) => value !== undefined);
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

function isTemplates(template: Template): template is readonly Template[] {
  return Array.isArray(template);
}

function filledText(template: string, values: Values): string | string[] | undefined {
  if (template === '{args}') return values.args;
  let isWhole = true;
  const text = template.replace(
    /\{(name|url|origin|key|bearer|command)\}/g,
    (_, name: Exclude<keyof Values, 'args'>) => {
      const value = values[name];
      isWhole &&= value !== undefined;
      return value ?? '';
    },
  );
  return isWhole ? text : undefined;
}

function besideOf({ beside = {} }: Recipe, values: Values): Record<string, unknown[]> {
  return Object.fromEntries(Object.entries(beside).map(([list, items]) => [list, filled(items, values) as unknown[]]));
}

/** Returns a shell command with one line per group of words. Groups without a value are left out. */
function commandOf(lines: readonly (readonly string[])[], values: Values): string {
  return lines
    .flatMap((words) => {
      const whole = words.map((word) => filledText(word, values));
      return whole.includes(undefined) ? [] : [(whole as (string | string[])[]).flat().map(shellWord).join(' ')];
    })
    .join(' \\\n  ');
}

/** Returns a word quoted for a shell. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function placeOf({ place, file }: Agent): string {
  return place === 'Terminal' ? (file?.path ?? place) : place;
}

function linkOf(
  { link }: Agent,
  transport: Transport,
  { name, url, bearer }: Values,
  { entry, beside }: AgentConfiguration,
): string | undefined {
  const config = JSON.stringify(entry);
  switch (link) {
    case 'cursor':
      return `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${encodeURIComponent(btoa(config))}`;
    case 'lmstudio':
      return `lmstudio://add_mcp?name=${name}&config=${encodeURIComponent(btoa(config))}`;
    case 'vscode':
      return `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, ...(entry as object), ...beside }))}`;
    case 'goose':
      return transport === 'http' && bearer === undefined
        ? `goose://extension?type=streamable_http&url=${encodeURIComponent(url)}&id=${name}&name=${name}`
        : undefined;
    default:
      return undefined;
  }
}

/** Returns JSON formatted as people write it: lists of plain values stay on one line. */
function jsonOf(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== 'object')) return `[${value.map((item) => jsonOf(item)).join(', ')}]`;
    return `[\n${value.map((item) => inner + jsonOf(item, inner)).join(',\n')}\n${indent}]`;
  }
  const fields = Object.entries(value).map(
    ([name, field]) => `${inner}${JSON.stringify(name)}: ${jsonOf(field, inner)}`,
  );
  return `{\n${fields.join(',\n')}\n${indent}}`;
}

// JSON strings and lists are also valid TOML; only tables are written differently.
export function tomlOf(at: readonly string[], entry: Record<string, unknown>): string {
  const valueOf = (value: unknown): string =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? `{ ${Object.entries(value)
          .map(([name, field]) => `${name} = ${valueOf(field)}`)
          .join(', ')} }`
      : jsonOf(value);
  const lines = Object.entries(entry).map(([name, value]) => `${name} = ${valueOf(value)}`);
  return [`[${at.join('.')}]`, ...lines].join('\n');
}

function yamlOf(value: unknown, indent = ''): string {
  if (Array.isArray(value) && value.some((item) => typeof item === 'object')) {
    return value.map((item) => `${indent}- ${yamlOf(item, `${indent}  `).trimStart()}`).join('\n');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return yamlScalar(value);
  return Object.entries(value)
    .map(([name, field]) => {
      const isBlock =
        typeof field === 'object' && (!Array.isArray(field) || field.some((item) => typeof item === 'object'));
      return `${indent}${name}:${isBlock ? `\n${yamlOf(field, `${indent}  `)}` : ` ${yamlScalar(field)}`}`;
    })
    .join('\n');
}

/** Returns a YAML scalar. Every JSON value is valid YAML; words are left unquoted, as people write them. */
function yamlScalar(value: unknown): string {
  const isWord =
    typeof value === 'string' && /^[a-z][\w-]*$/i.test(value) && !/^(?:true|false|null|yes|no|on|off)$/i.test(value);
  return isWord ? value : jsonOf(value);
}
