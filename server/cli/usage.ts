import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** Thrown for an invalid command line; the process ends with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface OptionHelp {
  /** Options of type `string` take a value, shown as `placeholder`. */
  type: 'string' | 'boolean';
  placeholder?: string;
  multiple?: boolean;
  help: string;
}

export interface CommandShape {
  /** The command as typed, without the program's name: `key create`. */
  name: string;
  /** Names of the positional arguments, all required. */
  positionals: string[];
  /** Name of an additional, optional argument. */
  optional?: string;
  /** One line. */
  summary: string;
  /** Text that does not fit in the summary. */
  details?: string;
  options: Record<string, OptionHelp>;
  /** True if the command can also call the server in LECTERN_URL or --server. */
  isRemote?: boolean;
}

export type OptionValues = Record<string, string | boolean | string[] | undefined>;

/** Options that every command takes. */
export const everyCommand: Record<string, OptionHelp> = {
  data: { type: 'string', placeholder: 'DIR', help: 'data folder (default ./.data)' },
  port: { type: 'string', placeholder: 'N', help: 'port of the server (default 7331)' },
  help: { type: 'boolean', help: 'show this text' },
};

const remoteOption: Record<string, OptionHelp> = {
  server: {
    type: 'string',
    placeholder: 'URL',
    help: 'server to call, with the key in LECTERN_API_KEY (default LECTERN_URL, else the data folder)',
  },
};

function optionsOf({ options, isRemote }: CommandShape): Record<string, OptionHelp> {
  return { ...options, ...(isRemote ? remoteOption : {}), ...everyCommand };
}

/** Parses the arguments after the command's name. Throws UsageError with one sentence. */
export function parseCommandLine(shape: CommandShape, args: string[]): { values: OptionValues; positionals: string[] } {
  const options = optionsOf(shape);
  const config: ParseArgsOptionsConfig = { h: { type: 'boolean' } };
  for (const [name, { type, multiple }] of Object.entries(options))
    config[name] = { type, multiple: multiple ?? false };
  const { tokens } = parseArgs({ args, options: config, strict: false, allowPositionals: true, tokens: true });
  const values: OptionValues = {};
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    if (token.name === 'h') return { values: { help: true }, positionals: [] };
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (option === undefined) throw new UsageError(unknownOption(shape, token.rawName));
    takeOption(option, token.rawName, token.name, token.value, values);
  }
  if (values['help'] === true) return { values, positionals };
  const missing = shape.positionals[positionals.length];
  if (missing !== undefined) throw new UsageError(`give ${missing}`);
  const surplus = positionals[shape.positionals.length + (shape.optional === undefined ? 0 : 1)];
  if (surplus !== undefined) {
    throw new UsageError(`"${surplus}" is one argument too many; quote words that belong together`);
  }
  return { values, positionals };
}

/** A query such as `--no-verify` must follow `--`. */
function unknownOption({ name, positionals }: CommandShape, rawName: string): string {
  const [first] = positionals;
  const advice = first === undefined ? '' : `; if it is ${first}, put -- before it: lectern ${name} -- "${rawName}"`;
  return `there is no option ${rawName}${advice}`;
}

function takeOption(
  option: OptionHelp,
  rawName: string,
  name: string,
  value: string | undefined,
  values: OptionValues,
): void {
  if (option.type === 'boolean') {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value`);
    values[name] = true;
    return;
  }
  if (value === undefined || value === '') throw new UsageError(`${rawName} needs a value`);
  if (option.multiple) values[name] = [...((values[name] as string[] | undefined) ?? []), value];
  else if (values[name] !== undefined) throw new UsageError(`${rawName} was given twice`);
  else values[name] = value;
}

/** Returns an integer within the bounds; undefined if the option was not given. */
export function wholeNumber(
  values: OptionValues,
  name: string,
  bounds: { min: number; max: number },
): number | undefined {
  const value = values[name];
  if (typeof value !== 'string') return undefined;
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < bounds.min || number > bounds.max) {
    throw new UsageError(`--${name} takes a whole number from ${bounds.min} to ${bounds.max}, not "${value}"`);
  }
  return number;
}

export function text(values: OptionValues, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

export function flag(values: OptionValues, name: string): boolean {
  return values[name] === true;
}

export function list(values: OptionValues, name: string): string[] {
  const value = values[name];
  return Array.isArray(value) ? value : [];
}

/** Returns `an address or a folder` as `<address|folder>`. */
export function slotOf(positional: string): string {
  return `<${positional
    .split(' or ')
    .map((name) => name.replace(/^an? /, ''))
    .join('|')}>`;
}

/** Returns the help text of one command. */
export function helpOf(shape: CommandShape): string {
  const required = shape.positionals.map((name) => ` ${slotOf(name)}`).join('');
  const positionals = shape.optional === undefined ? required : `${required} [${shape.optional}]`;
  const rows = Object.entries(optionsOf(shape)).map(([name, option]) => [
    `--${name}${option.placeholder === undefined ? '' : ` ${option.placeholder}`}`,
    option.help,
  ]);
  const width = Math.max(...rows.map(([left]) => left?.length ?? 0));
  return [
    `Usage: lectern ${shape.name}${positionals} [options]`,
    '',
    shape.summary,
    ...(shape.details === undefined ? [] : [shape.details]),
    '',
    ...rows.map(([left, right]) => `  ${left?.padEnd(width)}  ${right}`),
    '',
  ].join('\n');
}
