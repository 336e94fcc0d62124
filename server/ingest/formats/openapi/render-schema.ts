import { type Fields, fieldsOf, isFields, listOf, textOf } from '../parsed-data.ts';
import { oneLine } from '../write-markdown.ts';
import { type Description, referenceName } from './references.ts';

/** Maximum number of properties shown; the rest is counted. */
const propertiesMax = 80;
const linesMaxDefault = 120;
const valuesMax = 16;
const commentCharsMax = 140;
/** Deeper objects are shown as `object`. */
const depthMax = 6;
/** Maximum nesting of unions and arrays; no real type needs more. */
const nestingMax = 40;
/** Maximum number of types within one; compositions of compositions would grow exponentially. */
const typesMax = 2_000;

/**
 * Renders a schema as a type, with one property and its description per line. `levels` is the number of reference
 * levels to expand, including the first; deeper ones are named. A circular reference becomes its name, and long types
 * are cut with a count of the omitted properties.
 */
export function renderSchema(
  description: Description,
  schema: unknown,
  levels: number,
  linesMax = linesMaxDefault,
): string {
  return new SchemaPrinter(description, linesMax).print(schema, 0, levels);
}

class SchemaPrinter {
  private lines = 0;
  private readonly open = new Set<string>();
  private nesting = 0;
  private types = 0;
  private readonly description: Description;
  private readonly linesMax: number;

  constructor(description: Description, linesMax: number) {
    this.description = description;
    this.linesMax = linesMax;
  }

  print(value: unknown, depth: number, levels: number): string {
    if (!isFields(value)) return value === false ? 'never' : 'unknown';
    if (this.nesting >= nestingMax || ++this.types > typesMax) return 'object';
    this.nesting++;
    const type =
      typeof value.$ref === 'string' ? this.reference(value.$ref, depth, levels) : this.bare(value, depth, levels);
    this.nesting--;
    return value.nullable === true && !/\bnull$/.test(type) ? `${type} | null` : type;
  }

  private reference(reference: string, depth: number, levels: number): string {
    const name = referenceName(reference);
    if (this.open.has(reference)) return name;
    const target = this.description.resolve({ $ref: reference });
    const isOpened = levels > 0 || isSimple(target);
    if (!isOpened || Object.keys(target).length === 0 || this.lines > this.linesMax) return name;
    this.open.add(reference);
    // A named list or union does not count as a level.
    const type = this.print(target, depth, isFields(target.properties) ? levels - 1 : levels);
    this.open.delete(reference);
    return type.includes('\n') && levels > 0 && depth > 0 ? `${name} ${type}` : type;
  }

  private bare(schema: Fields, depth: number, levels: number): string {
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (Array.isArray(schema.enum)) return values(schema.enum);
    const whole = listOf(schema.allOf);
    if (whole.length > 0) return this.all(schema, whole, depth, levels);
    const choice = listOf(schema.oneOf ?? schema.anyOf);
    if (choice.length > 0) {
      const types = choice.slice(0, valuesMax).map((one) => this.print(one, depth, levels));
      return [...new Set(types), ...(choice.length > valuesMax ? ['…'] : [])].join(' | ');
    }
    return this.typed(schema, depth, levels);
  }

  private typed(schema: Fields, depth: number, levels: number): string {
    const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).map(textOf).filter((type) => type !== '');
    if (types.length > 1) return types.map((type) => this.typed({ ...schema, type }, depth, levels)).join(' | ');
    const type = types[0] ?? (schema.properties ? 'object' : schema.items ? 'array' : '');
    if (type === 'array') {
      const item = this.print(schema.items, depth, levels);
      return / [|&] /.test(item) && !item.endsWith('}') ? `(${item})[]` : `${item}[]`;
    }
    if (type === 'object') return this.object(schema, depth, levels);
    if (type === '') return 'unknown';
    return schema.format === undefined ? type : `${type}<${textOf(schema.format)}>`;
  }

  /** Renders a composition: object parts are merged into one object, others are joined. */
  private all(schema: Fields, parts: readonly unknown[], depth: number, levels: number): string {
    const merged: Record<string, unknown> = { type: 'object', properties: fieldsOf(schema.properties) };
    const required = [...listOf(schema.required)];
    const rest: string[] = [];
    for (const part of parts.slice(0, valuesMax)) {
      const target = levels > 0 || !isFields(part) || part.$ref === undefined ? this.description.resolve(part) : {};
      if (isFields(target.properties) && listOf(target.allOf).length === 0) {
        merged.properties = { ...fieldsOf(merged.properties), ...target.properties };
        required.push(...listOf(target.required));
      } else rest.push(this.print(part, depth, levels));
    }
    merged.required = required;
    const own = Object.keys(fieldsOf(merged.properties)).length > 0 ? [this.object(merged, depth, levels)] : [];
    return [...new Set(rest.filter((type) => type !== 'unknown')), ...own].join(' & ') || 'object';
  }

  private object(schema: Fields, depth: number, levels: number): string {
    const properties = Object.entries(fieldsOf(schema.properties));
    const extra = schema.additionalProperties;
    const open = isFields(extra) ? `[key: string]: ${this.print(extra, depth + 1, levels)}` : undefined;
    if (properties.length === 0) return open === undefined ? 'object' : `{ ${open} }`;
    if (this.lines > this.linesMax || depth >= depthMax) return 'object';
    const indent = '  '.repeat(depth + 1);
    const required = new Set(listOf(schema.required));
    const lines: string[] = [];
    for (const [name, property] of properties.slice(0, propertiesMax)) {
      this.lines++;
      if (this.lines > this.linesMax) break;
      const key = /^[\w$]+$/.test(name) ? name : JSON.stringify(name);
      const type = this.print(property, depth + 1, levels);
      lines.push(
        `${indent}${key}${required.has(name) ? '' : '?'}: ${type};${comment(this.description.resolve(property), property)}`,
      );
    }
    const left = properties.length - lines.length;
    if (left > 0) lines.push(`${indent}// … ${left} more`);
    if (open !== undefined) lines.push(`${indent}${open};`);
    return `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`;
  }
}

/** Returns true for types that are always expanded, because they are as short as their name. */
function isSimple(schema: Fields): boolean {
  return (
    (typeof schema.type === 'string' && schema.type !== 'object' && schema.type !== 'array') ||
    Array.isArray(schema.enum)
  );
}

function values(all: readonly unknown[]): string {
  const shown = all.slice(0, valuesMax).map((value) => JSON.stringify(value) ?? 'unknown');
  return [...shown, ...(all.length > valuesMax ? ['…'] : [])].join(' | ').slice(0, 1000);
}

/** Returns a property's description, default and bounds as a comment. */
function comment(schema: Fields, property: unknown): string {
  const own = textOf(fieldsOf(property).description) || textOf(schema.description) || textOf(schema.title);
  const text = oneLine(own.slice(0, 4 * commentCharsMax));
  const short = text.length > commentCharsMax ? `${text.slice(0, commentCharsMax - 1)}…` : text;
  const notes = [...(short === '' ? [] : [short]), ...notesOf(schema)];
  return notes.length === 0 ? '' : ` // ${notes.join('; ')}`;
}

/** Returns a value's constraints besides its type. */
export function notesOf(schema: Fields): string[] {
  const notes: string[] = [];
  if (schema.deprecated === true) notes.push('deprecated');
  if (schema.readOnly === true) notes.push('read only');
  if (schema.writeOnly === true) notes.push('write only');
  if (schema.default !== undefined && schema.default !== null)
    notes.push(`default ${(JSON.stringify(schema.default) ?? '').slice(0, 80)}`);
  for (const [key, label] of bounds)
    if (typeof schema[key] === 'number' || typeof schema[key] === 'string')
      notes.push(`${label} ${textOf(schema[key]).slice(0, 80)}`);
  return notes;
}

const bounds: readonly [string, string][] = [
  ['minimum', 'min'],
  ['maximum', 'max'],
  ['minLength', 'min length'],
  ['maxLength', 'max length'],
  ['minItems', 'min items'],
  ['maxItems', 'max items'],
  ['pattern', 'pattern'],
];
