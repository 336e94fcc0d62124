import { parse } from 'yaml';
import { ParseError } from '../parse/parse-error.ts';

/** An object from a parsed file; its values may have any type. */
export type Fields = Readonly<Record<string, unknown>>;

/** More aliases than any real file uses for one anchor; hostile files need many more. */
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

/** Returns a scalar value as text, with numbers and booleans as written. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** Parses JSON; undefined if invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Parses YAML or JSON; of a file with errors, what is valid. Throws `ParseError` for a file that expands without bound through
 * aliases or is nested too deeply.
 */
export function parseData(text: string, url: string): unknown {
  if (/^\ufeff?\s*[{[]/.test(text)) {
    const data = parseJson(text);
    if (data !== undefined) return data;
  }
  try {
    // Pretty errors would show the position of each of many errors, which takes minutes. With `silent`, what is valid is
    // read: other programs accept files with small errors, such as a quoted text that continues without indentation.
    const options = { maxAliasCount: aliasesMax, uniqueKeys: false, logLevel: 'silent', prettyErrors: false } as const;
    return parse(text.replace(/^\ufeff/, ''), options);
  } catch (error) {
    if (error instanceof ReferenceError) throw new ParseError('parse-failed', `${url} repeats itself too often.`);
    if (error instanceof RangeError) throw new ParseError('parse-failed', `${url} is nested too deep.`);
    throw error;
  }
}
