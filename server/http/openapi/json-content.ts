import { exampleOf } from './example.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Content } from './types.ts';

/** A JSON body with an example. */
export function jsonContent(schema: JsonSchema, schemas: Record<string, JsonSchema>): Record<string, Content> {
  const { required, ...rest } = schema;
  const clean = required === undefined ? rest : schema;
  return { 'application/json': { schema: clean, example: exampleOf(clean, schemas) } };
}
