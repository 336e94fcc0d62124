import { type Callable, callables } from '#contract/callables.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { type EndpointGroup, endpointGroups } from '#contract/reference.ts';
import { teamHeader } from '#contract/team-header.ts';
import { exampleOf, jsonContent } from './example.ts';
import { codesOf, faultResponses, faultSchemas, faultsOf } from './faults.ts';
import { inputSchema, type JsonSchema, namedSchemas, outputSchema } from './json-schema.ts';
import { rawOperations } from './raw-operations.ts';
import { anySender, securityOf, securitySchemes } from './security.ts';
import type { Content, OpenApiDocument, Operation, Parameter } from './types.ts';

export const callablesGroup = {
  slug: 'callables',
  title: 'Callable functions',
  about: '`POST /callable/{name}` with `{"data": …}` returns `{"result": …}`.',
};

export const otherCalls = { slug: 'more', title: 'More calls', about: 'Calls of single pages.' };

/**
 * Returns the whole HTTP interface as an OpenAPI 3.1 document, generated from the schemas that validate requests and
 * responses. `endpoints` lists all endpoints; those without a group in the reference come last.
 */
export function openApiDocument(
  about: { productName: string; version: string; address: string },
  endpoints: readonly Endpoint[],
): OpenApiDocument {
  const schemas = { ...namedSchemas(), ...faultSchemas() };
  const paths: OpenApiDocument['paths'] = {};
  const add = (path: string, method: string, operation: Operation): void => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  };
  const groups = groupsOf(endpoints);
  for (const { title, endpoints: named } of groups) {
    for (const [name, definition] of Object.entries(named)) {
      add(openPath(definition.path), definition.method, operationOf(name, definition, title, schemas));
    }
  }
  for (const { path, method, operation } of rawOperations(schemas)) add(path, method, operation);
  for (const definition of Object.values(callables)) {
    add(`/callable/${definition.name}`, 'POST', callableOperation(definition, callablesGroup.title, schemas));
  }
  return {
    openapi: '3.1.0',
    info: {
      title: about.productName,
      version: about.version,
      description: `Indexes documentation and answers questions about it. Agents use MCP at /mcp; people and programs use these endpoints. To act in a team, name it in the header ${teamHeader}.`,
    },
    servers: [{ url: about.address }],
    tags: [...groups, callablesGroup].map(({ title, about: description }) => ({ name: title, description })),
    paths,
    components: { schemas, responses: faultResponses(), securitySchemes: securitySchemes() },
  };
}

/** Returns the reference groups with their endpoints, followed by endpoints without a group. */
function groupsOf(endpoints: readonly Endpoint[]): EndpointGroup[] {
  const present = new Set(endpoints);
  const groups = endpointGroups.map((group) => {
    const named = Object.entries(group.endpoints).filter(([, definition]) => present.delete(definition));
    return { ...group, endpoints: Object.fromEntries(named) };
  });
  const others = Object.fromEntries([...present].map((definition) => [derivedName(definition), definition]));
  return [...groups, { ...otherCalls, endpoints: others }].filter((group) => Object.keys(group.endpoints).length > 0);
}

/** Returns an operation name: `GET /api/jobs/:jobId` becomes `getJobsByJobId`. */
function derivedName({ method, path }: Endpoint): string {
  const words = path.replace(/^\/api\//, '').replace(/:(\w+)/g, 'by-$1');
  const camel = words.replace(/[^A-Za-z0-9]+(\w)/g, (_, letter: string) => letter.toUpperCase());
  return `${method.toLowerCase()}${camel.slice(0, 1).toUpperCase()}${camel.slice(1)}`;
}

/** Returns `/api/jobs/:jobId` as `/api/jobs/{jobId}`. */
export function openPath(path: string): string {
  return path.replace(/:([A-Za-z]+)/g, '{$1}');
}

function operationOf(name: string, definition: Endpoint, tag: string, schemas: Record<string, JsonSchema>): Operation {
  const input = inputSchema(definition.input);
  const inPath = [...definition.path.matchAll(/:([A-Za-z]+)/g)].map(([, part = '']) => part);
  const hasBody = definition.method === 'POST' || definition.method === 'PUT';
  const named = hasBody ? inPath : Object.keys(input.properties ?? {});
  const parameters = named.map((field) => parameterOf(field, input, inPath.includes(field), schemas));
  const body = hasBody ? bodySchema(input, inPath) : undefined;
  const security = tag === otherCalls.title ? anySender() : securityOf(definition);
  const told = codesOf(name, definition.method);
  return {
    operationId: name,
    tags: [tag],
    summary: definition.summary,
    security,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: jsonContent(body, schemas) } }),
    responses: {
      200: answerOf(definition, schemas),
      ...faultsOf(told, definition.path.startsWith('/admin/') ? 'Admin' : ''),
    },
    'x-error-codes': told,
  };
}

function parameterOf(
  name: string,
  input: JsonSchema,
  isInPath: boolean,
  schemas: Record<string, JsonSchema>,
): Parameter {
  const { description, ...schema } = input.properties?.[name] ?? { type: 'string' };
  const required = isInPath || (input.required ?? []).includes(name);
  return {
    name,
    in: isInPath ? 'path' : 'query',
    required,
    ...(description === undefined ? {} : { description }),
    schema,
    ...(required ? { example: exampleOf(schema, schemas, name) } : {}),
  };
}

/** Returns the schema of the fields that are not in the path; undefined if there are none. */
function bodySchema(input: JsonSchema, inPath: readonly string[]): JsonSchema | undefined {
  if (input.properties === undefined) return input;
  const properties = Object.fromEntries(Object.entries(input.properties).filter(([name]) => !inPath.includes(name)));
  if (Object.keys(properties).length === 0) return undefined;
  const required = (input.required ?? []).filter((name) => !inPath.includes(name));
  return { ...input, properties, ...(required.length === 0 ? { required: undefined } : { required }) };
}

function answerOf(
  definition: Endpoint,
  schemas: Record<string, JsonSchema>,
): { description: string; content: Record<string, Content> } {
  if (definition.attachment !== undefined) {
    const { mediaType, fileName } = definition.attachment;
    return { description: `The file ${fileName}.`, content: { [mediaType]: { schema: { type: 'string' } } } };
  }
  return { description: 'Done.', content: jsonContent(outputSchema(definition.output), schemas) };
}

/** Returns the operation of a callable function, with its input in `data` and its output in `result`. */
function callableOperation(
  { name, summary, input, output, ...who }: Callable,
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
    security: securityOf(who),
    requestBody: { required: true, content: wrapped('data', inputSchema(input)) },
    responses: {
      200: { description: 'Done.', content: wrapped('result', outputSchema(output)) },
      ...faultsOf(told, 'Callable'),
    },
    'x-error-codes': told,
  };
}
