import { parse as parseToml, TomlError } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { LockfileError } from './lockfile.ts';

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function entriesOf(value: unknown): [string, unknown][] {
  return Object.entries(fieldsOf(value));
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** Parsers of data throw errors of these kinds for damaged input; all else is a fault of ours. */
function parsed(fileName: string, parse: () => unknown): Fields {
  try {
    return fieldsOf(parse());
  } catch (error) {
    const isDamage =
      error instanceof SyntaxError ||
      error instanceof TomlError ||
      error instanceof RangeError ||
      error instanceof ReferenceError ||
      (error instanceof Error && error.name === 'YAMLParseError');
    if (!isDamage) throw error;
    const where = error.message.split('\n', 1)[0]?.slice(0, 200) ?? '';
    throw new LockfileError('lockfile-damaged', `${fileName} cannot be read: ${where}`, { cause: error });
  }
}

export function readJson(fileName: string, text: string): Fields {
  return parsed(fileName, () => JSON.parse(text));
}

export function readYaml(fileName: string, text: string): Fields {
  return parsed(fileName, () => parseYaml(text, { maxAliasCount: 100, uniqueKeys: false, logLevel: 'error' }));
}

export function readToml(fileName: string, text: string): Fields {
  return parsed(fileName, () => parseToml(text));
}
