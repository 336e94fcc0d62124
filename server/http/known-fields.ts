import type { z } from 'zod';
import { AppError } from '#server/app-error.ts';

/** The parts of a zod schema's definition that show which fields a value may have. */
interface Definition {
  type: string;
  shape?: Record<string, z.ZodType>;
  catchall?: z.ZodType;
  element?: z.ZodType;
  valueType?: z.ZodType;
  innerType?: z.ZodType;
  in?: z.ZodType;
  options?: readonly z.ZodType[];
}

/**
 * Refuses a body with a field that is not in its schema: silently dropped, the field would seem to have taken effect.
 */
export function requireKnownFields(schema: z.ZodType, body: unknown): void {
  const field = unknownFieldIn(schema, body);
  if (field === undefined) return;
  const known = Object.keys(definitionOf(schema).shape ?? {});
  const names = known.length === 0 ? 'none is expected' : `the fields are ${known.join(', ')}`;
  const reason = `${field.slice(0, 100)} is not a field of this call${field.includes('.') ? '' : `; ${names}`}`;
  throw new AppError('invalid-input', { values: { reason } });
}

function definitionOf(schema: z.ZodType): Definition {
  return schema._zod.def as unknown as Definition;
}

/** Returns the path of the first field that is not in the schema. Leaves wrong types to the schema. */
function unknownFieldIn(schema: z.ZodType, value: unknown): string | undefined {
  const { type, shape, catchall, element, valueType, innerType, in: input, options } = definitionOf(schema);
  if (typeof value !== 'object' || value === null) return undefined;
  if (type === 'union' && options !== undefined) {
    // An alternative that is not an object, such as an address in place of a person, says nothing about fields.
    const faults = options.filter(hasParts).map((option) => unknownFieldIn(option, value));
    return faults.includes(undefined) ? undefined : faults[0];
  }
  const inner = innerType ?? input;
  if (inner !== undefined) return unknownFieldIn(inner, value);
  if (Array.isArray(value)) return element && firstFault(value.entries(), () => element);
  if (shape !== undefined && catchall === undefined)
    return firstFault(Object.entries(value), (name) => (Object.hasOwn(shape, name) ? shape[name] : undefined));
  return valueType && firstFault(Object.entries(value), () => valueType);
}

const simple = new Set([
  'string',
  'number',
  'int',
  'boolean',
  'bigint',
  'null',
  'enum',
  'literal',
  'date',
  'undefined',
]);

function hasParts(schema: z.ZodType): boolean {
  const { type, innerType, in: input } = definitionOf(schema);
  const inner = innerType ?? input;
  return inner === undefined ? !simple.has(type) : hasParts(inner);
}

function firstFault(
  entries: Iterable<[string | number, unknown]>,
  schemaOf: (name: string) => z.ZodType | undefined,
): string | undefined {
  for (const [key, value] of entries) {
    const name = String(key);
    const schema = schemaOf(name);
    if (schema === undefined) return name;
    const inside = unknownFieldIn(schema, value);
    if (inside !== undefined) return `${name}.${inside}`;
  }
  return undefined;
}
