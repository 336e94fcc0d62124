import type { Callable } from '#contract/callables.ts';
import { exampleOf } from './example.ts';
import { codesOf, faultsOf } from './faults.ts';
import { inputSchema, type JsonSchema, outputSchema } from './json-schema.ts';
import { securityOf } from './security.ts';
import type { Operation } from './types.ts';

/** A callable function: what it takes stands in `data`, what it answers in `result`. */
export function callableOperation(
  { name, summary, input, output, keyRight }: Callable,
  tag: string,
  schemas: Record<string, JsonSchema>,
): Operation {
  const wrapped = (field: string, schema: JsonSchema): Record<string, { schema: JsonSchema; example: unknown }> => ({
    'application/json': {
      schema: { type: 'object', properties: { [field]: schema }, required: [field] },
      example: { [field]: exampleOf(schema, schemas) },
    },
  });
  const told = [...codesOf(name, 'POST'), 'deadline-exceeded' as const];
  return {
    operationId: name,
    tags: [tag],
    summary,
    security: securityOf(name, keyRight),
    requestBody: { required: true, content: wrapped('data', inputSchema(input)) },
    responses: {
      200: { description: 'Done.', content: wrapped('result', outputSchema(output)) },
      ...faultsOf(told, 'Callable'),
    },
    'x-error-codes': told,
  };
}
