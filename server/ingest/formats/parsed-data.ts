import { parse } from 'yaml';
import { ParseError } from '../parse/parse-error.ts';

/** An object of a parsed file whose parts may be anything. */
export type Fields = Readonly<Record<string, unknown>>;

/** More aliases than any real file uses for one anchor; a file made to grow without bound needs many more. */
const aliasesMax = 1000;

export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Text of a value that is one; numbers and booleans as they are written. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** Parses JSON; undefined for what is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Parses YAML or JSON; undefined for what is neither. Throws `ParseError` for a file that expands without bound by its aliases or
 * nests too deep.
 */
export function parseData(text: string, url: string): unknown {
  if (/^\ufeff?\s*[{[]/.test(text)) {
    const data = parseJson(text);
    if (data !== undefined) return data;
  }
  try {
    // Drawing the place of each of many errors takes minutes.
    const options = { maxAliasCount: aliasesMax, uniqueKeys: false, logLevel: 'error', prettyErrors: false } as const;
    return parse(text.replace(/^\ufeff/, ''), options);
  } catch (error) {
    if (error instanceof ReferenceError) throw new ParseError('parse-failed', `${url} repeats itself too often.`);
    if (error instanceof RangeError) throw new ParseError('parse-failed', `${url} is nested too deep.`);
    if (error instanceof Error && error.name === 'YAMLParseError') return undefined;
    throw error;
  }
}
