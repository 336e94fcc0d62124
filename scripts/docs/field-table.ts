import type { JsonSchema } from '../../server/http/openapi/json-schema.ts';
import { inCell } from './error-index.ts';

export interface FieldRow {
  name: string;
  isRequired: boolean;
  schema: JsonSchema;
  /** `path` or `query` for a parameter. */
  where?: string;
}

const depthMax = 3;

/** Returns the fields of an object. Nested objects' fields follow with their full names; references are resolved. */
export function fieldRows(schema: JsonSchema, schemas: Record<string, JsonSchema>, prefix = '', depth = 0): FieldRow[] {
  const { properties = {}, required = [] } = opened(schema, schemas);
  return Object.entries(properties).flatMap(([field, part]) => {
    const name = prefix + field;
    const inner = innerObject(part, schemas);
    const suffix = inner?.isList === true ? '[].' : '.';
    const below =
      inner === undefined || depth >= depthMax ? [] : fieldRows(inner.schema, schemas, name + suffix, depth + 1);
    return [{ name, isRequired: required.includes(field), schema: part }, ...below];
  });
}

/** Returns a table of fields, parameters or arguments, with a column for notes if there are any. */
export function tableOf(title: string, rows: readonly FieldRow[], schemas: Record<string, JsonSchema>): string {
  const notes = rows.map(({ schema }) => notesOf(opened(schema, schemas)));
  const hasNotes = notes.some((note) => note !== '');
  const lines = rows.map(({ name, isRequired, schema, where }, index) => {
    const need = [where, isRequired ? 'required' : 'optional'].filter((word) => word !== undefined).join(', ');
    const note = hasNotes ? ` ${inCell(notes[index] ?? '')} |` : '';
    return `| \`${name}\` | ${inCell(typeOf(schema, schemas))} | ${need} |${note}`;
  });
  const head = `| ${title} | type | given |${hasNotes ? ' notes |' : ''}`;
  return [head, `|---|---|---|${hasNotes ? '---|' : ''}`, ...lines].join('\n');
}

function opened(schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  return schema.$ref === undefined ? schema : (schemas[nameOf(schema.$ref)] ?? {});
}

function nameOf(reference: string): string {
  return reference.slice('#/components/schemas/'.length);
}

function innerObject(
  schema: JsonSchema,
  schemas: Record<string, JsonSchema>,
): { schema: JsonSchema; isList: boolean } | undefined {
  const whole = opened(schema, schemas);
  const [only, ...others] = (whole.anyOf ?? []).filter(({ type }) => type !== 'null');
  if (only !== undefined) return others.length === 0 ? innerObject(only, schemas) : undefined;
  if (whole.properties !== undefined) return { schema: whole, isList: false };
  if (whole.items === undefined) return undefined;
  const item = opened(whole.items, schemas);
  return item.properties === undefined ? undefined : { schema: item, isList: true };
}

/** Returns a short form of the type: `integer`, `list of Module`, `string or null`. */
export function typeOf(schema: JsonSchema, schemas: Record<string, JsonSchema>): string {
  if (schema.$ref !== undefined) {
    const { enum: words } = opened(schema, schemas);
    return words === undefined ? nameOf(schema.$ref) : 'string';
  }
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((word) => `\`${String(word)}\``).join(', ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map((choice) => typeOf(choice, schemas)))].join(' or ');
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  if (schema.type === 'array')
    return `list of ${schema.items === undefined ? 'anything' : typeOf(schema.items, schemas)}`;
  return schema.type ?? 'anything';
}

function notesOf({
  description,
  default: byDefault,
  minimum,
  maximum,
  minLength,
  maxLength,
  maxItems,
}: JsonSchema): string {
  const bounds = [
    ...(minimum !== undefined && maximum !== undefined
      ? [`${minimum} to ${maximum}`]
      : [
          ...(minimum === undefined ? [] : [`at least ${minimum}`]),
          ...(maximum === undefined ? [] : [`at most ${maximum}`]),
        ]),
    ...(minLength !== undefined && minLength > 1 ? [`at least ${minLength} characters`] : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems} entries`]),
    ...(byDefault === undefined ? [] : [`default \`${JSON.stringify(byDefault)}\``]),
  ];
  return [...(description === undefined || description === '' ? [] : [description]), bounds.join(', ')]
    .filter((note) => note !== '')
    .join('. ');
}
