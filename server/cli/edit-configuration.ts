import { applyEdits, type FormattingOptions, modify, type ParseError, parse } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { isMap, isSeq, parseDocument } from 'yaml';
import { type AgentConfiguration, tomlOf } from '#contract/agent-setup.ts';

/** Thrown if the file cannot be changed safely; the message says why. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/**
 * Returns the text of a configuration file with a server's entry, or without it if `isRemoved`. Keeps comments, order
 * and all other entries. An empty text is a new file. Throws ConfigurationError if the text cannot be parsed.
 */
export function withEntry(text: string, configuration: AgentConfiguration, isRemoved = false): string {
  switch (configuration.format) {
    case 'json':
      return editJson(text, configuration, isRemoved);
    case 'yaml':
      return editYaml(text, configuration, isRemoved);
    case 'toml':
      return editToml(text, configuration, isRemoved);
  }
}

function editJson(text: string, { at, entry, beside }: AgentConfiguration, isRemoved: boolean): string {
  const isNew = text.trim() === '';
  const errors: ParseError[] = [];
  const before: unknown = isNew ? {} : parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 || !isRecord(before)) throw new ConfigurationError('it is not JSON');
  const formattingOptions: FormattingOptions = {
    insertSpaces: !/^\t/m.test(text),
    tabSize: /^( +)\S/m.exec(text)?.[1]?.length ?? 2,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  const set = (from: string, path: (string | number)[], value: unknown) =>
    applyEdits(from, modify(from, path, value, { formattingOptions }));
  const parent = at.slice(0, -1).reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), before);
  if (parent !== undefined && !isRecord(parent)) throw new ConfigurationError(`"${at[0]}" is not an object`);
  if (isRemoved) {
    let rest =
      parent !== undefined && at.at(-1) !== undefined && Object.hasOwn(parent, at.at(-1) ?? '')
        ? set(text, at, undefined)
        : text;
    for (const list of Object.keys(beside)) rest = withoutItems(rest, list, beside[list] ?? [], set);
    return rest;
  }
  let edited = isSame(parent?.[at.at(-1) ?? ''], entry) ? text : set(isNew ? '{}' : text, at, entry);
  for (const [list, items] of Object.entries(beside)) {
    for (const item of items) {
      const there: unknown = (parse(edited) as Record<string, unknown>)[list];
      const known = Array.isArray(there) ? there : [];
      if (known.some((other) => idOf(other) === idOf(item))) continue;
      edited = Array.isArray(there) ? set(edited, [list, known.length], item) : set(edited, [list], [item]);
    }
  }
  return isNew ? `${edited}\n` : edited;
}

function withoutItems(
  text: string,
  list: string,
  items: readonly unknown[],
  set: (from: string, path: (string | number)[], value: unknown) => string,
): string {
  const there: unknown = (parse(text) as Record<string, unknown> | undefined)?.[list];
  if (!Array.isArray(there)) return text;
  const at = there.findIndex((other) => items.some((item) => idOf(item) === idOf(other)));
  return at === -1 ? text : set(text, [list, at], undefined);
}

function editYaml(text: string, { at, entry, isList }: AgentConfiguration, isRemoved: boolean): string {
  const document = parseDocument(text);
  if (document.errors.length > 0) throw new ConfigurationError('it is not YAML');
  if (document.contents !== null && !isMap(document.contents)) throw new ConfigurationError('it is not a YAML map');
  if (!isList) {
    const there = document.getIn(at);
    if (isRemoved ? there === undefined : isSame(document.toJS() && valueAt(document.toJS(), at), entry)) return text;
    if (isRemoved) document.deleteIn(at);
    else document.setIn(at, entry);
    return document.toString({ lineWidth: 0 });
  }
  const list = document.getIn(at);
  if (list !== undefined && list !== null && !isSeq(list)) throw new ConfigurationError(`"${at[0]}" is not a list`);
  const items = isSeq(list) ? (list.toJSON() as unknown[]) : [];
  const place = items.findIndex((item) => nameOf(item) === nameOf(entry));
  if (isRemoved ? place === -1 : isSame(items[place], entry)) return text;
  if (isRemoved) document.deleteIn([...at, place]);
  else if (isSeq(list)) document.setIn([...at, place === -1 ? items.length : place], document.createNode(entry));
  else document.setIn(at, document.createNode([entry]));
  return document.toString({ lineWidth: 0 });
}

/** Replaces only the lines of the server's own tables, because no TOML writer keeps comments. */
function editToml(text: string, { at, entry }: AgentConfiguration, isRemoved: boolean): string {
  const before = readToml(text);
  const there = valueAt(before, at);
  if (isRemoved ? there === undefined : isSame(there, entry)) return text;
  const name = at.map((part) => (/^[\w-]+$/.test(part) ? part : JSON.stringify(part))).join('.');
  const lines = text.split('\n');
  const kept: string[] = [];
  let isOwn = false;
  for (const line of lines) {
    const header = /^\s*\[+\s*([^\]]+?)\s*\]+/.exec(line)?.[1];
    if (header !== undefined) isOwn = header === name || header.startsWith(`${name}.`);
    // Comments above the next table belong to that table.
    if (!isOwn) kept.push(line);
  }
  const rest = kept.join('\n');
  if (valueAt(readToml(rest), at) !== undefined) {
    throw new ConfigurationError(`"${name}" is not a separate table, so it cannot be changed here`);
  }
  if (isRemoved) return `${rest.trimEnd()}\n`;
  const table = `${tomlOf(at, entry as Record<string, unknown>)}\n`;
  const edited = rest.trim() === '' ? table : `${rest.trimEnd()}\n\n${table}`;
  readToml(edited);
  return edited;
}

function readToml(text: string): unknown {
  try {
    return parseToml(text);
  } catch (cause) {
    throw new ConfigurationError('it is not TOML', { cause });
  }
}

function valueAt(value: unknown, at: readonly string[]): unknown {
  return at.reduce<unknown>((inside, name) => (isRecord(inside) ? inside[name] : undefined), value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const idOf = (value: unknown): unknown => (isRecord(value) ? value['id'] : undefined);
const nameOf = (value: unknown): unknown => (isRecord(value) ? value['name'] : undefined);

/** Compares values, ignoring the order of fields. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, at) => isSame(item, other[at]));
  }
  if (!isRecord(one) || !isRecord(other)) return one === other;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => isSame(one[name], other[name]));
}
