import { parse as parseToml, TomlError } from 'smol-toml';
import { LineCounter, parseDocument } from 'yaml';
import { type Fields, fieldsOf } from '../formats/parsed-data.ts';
import { LockfileError } from './lockfile.ts';

export function entriesOf(value: unknown): [string, unknown][] {
  return Object.entries(fieldsOf(value));
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

const faultCharactersMax = 200;

/** Parses data. Errors that parsers throw for damaged input become a LockfileError; all others are internal errors. */
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
    const why = `${fileName} cannot be read: ${wordsOf(error)}. Use the original file.`;
    throw new LockfileError('lockfile-damaged', why, { cause: error });
  }
}

/**
 * Returns a parser's message on one line: some messages show the position on further lines, and JSON's quotes part of
 * the file, including line breaks.
 */
function wordsOf(error: Error): string {
  const said = error instanceof SyntaxError ? error.message : (error.message.split('\n', 1)[0] ?? '');
  const line = said
    .slice(0, 10 * faultCharactersMax)
    .replace(/\s+/g, ' ')
    .replace(/[\s.:]+$/, '');
  return line.length > faultCharactersMax ? `${line.slice(0, faultCharactersMax)}…` : line;
}

export function readJson(fileName: string, text: string): Fields {
  return parsed(fileName, () => JSON.parse(text));
}

export function readYaml(fileName: string, text: string): Fields {
  return parsed(fileName, () => {
    const lineCounter = new LineCounter();
    // Pretty errors would show the position of each of many errors, which takes minutes.
    const read = parseDocument(text, { uniqueKeys: false, logLevel: 'error', prettyErrors: false, lineCounter });
    const [fault] = read.errors;
    if (fault === undefined) return read.toJS({ maxAliasCount: 100 });
    const { line, col } = lineCounter.linePos(fault.pos[0]);
    fault.message += ` at line ${line}, column ${col}`;
    throw fault;
  });
}

export function readToml(fileName: string, text: string): Fields {
  return parsed(fileName, () => parseToml(text));
}

/**
 * Describes a repository from its lockfile form (`git+https://host/owner/name?tag=v1#<revision>`): its address, and the
 * requested tag or branch, or else the resolved revision.
 */
export function gitOrigin(source: string): string {
  const url = URL.parse(source.replace(/^git\+/, ''));
  if (url === null) return source;
  const [tag, branch] = ['tag', 'branch'].map((name) => url.searchParams.get(name) ?? undefined);
  const revision = url.hash.slice(1) || (url.searchParams.get('rev') ?? undefined);
  url.search = '';
  url.hash = '';
  return originOf({ address: url.href, tag, branch, revision });
}

export interface GitOrigin {
  address: string;
  tag?: string | undefined;
  branch?: string | undefined;
  revision?: string | undefined;
}

/** Describes a repository from its parts. */
export function originOf({ address, tag, branch, revision }: GitOrigin): string {
  if (tag) return `${address} at tag ${tag}`;
  if (branch) return `${address} at branch ${branch}`;
  return revision ? `${address} at revision ${revision.slice(0, 12)}` : address;
}
