import type { JsonSchema } from './json-schema.ts';
import type { Content } from './types.ts';

const byFormat: Record<string, string> = {
  email: 'person@example.org',
  uri: 'https://docs.example.org/guide/',
  date: '2026-11-22',
  'date-time': '2026-11-22T09:00:00Z',
};

const byName: Record<string, string> = {
  branch: 'main',
  domain: 'example.org',
  fileName: 'guide.pdf',
  folder: 'docs',
  host: 'git.example.org',
  issuer: 'https://id.example.org',
  moduleId: 'docs.example.org',
  module: 'docs.example.org',
  name: 'laptop',
  password: 'correct horse battery',
  query: 'how do I run a coroutine from a thread',
  repository: 'example/library',
  source: 'https://docs.example.org/guide/',
  teamName: 'Docs team',
  title: 'Coroutines and tasks',
  pageTitle: 'Coroutines and tasks',
  headingPath: 'Scheduling from other threads',
  moduleName: 'Example library',
  text: 'Submit a coroutine to the given event loop. Thread-safe.',
  excerpt: 'Submit a coroutine to the given event loop.',
  version: '2.1',
  path: '/docs/guide/agents#without-a-key',
  displayName: 'Example library',
  url: 'https://docs.example.org/guide/start#install',
};

/**
 * Returns a valid example value, made of required fields and fields worth showing; always the same for the same schema.
 */
export function exampleOf(schema: JsonSchema, schemas: Record<string, JsonSchema>, name = '', depth = 0): unknown {
  if (schema.$ref !== undefined) {
    const target = schemas[schema.$ref.slice('#/components/schemas/'.length)];
    return target === undefined ? {} : exampleOf(target, schemas, name, depth);
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first !== undefined) return exampleOf(first, schemas, name, depth);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return exampleObject(schema, schemas, depth);
    case 'array':
      return depth > 5 || schema.items === undefined ? [] : [exampleOf(schema.items, schemas, name, depth + 1)];
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return numberFor(schema, name);
    case 'string':
      return textFor(schema, name);
    default:
      return null;
  }
}

function exampleObject(
  schema: JsonSchema,
  schemas: Record<string, JsonSchema>,
  depth: number,
): Record<string, unknown> {
  const required = schema.required ?? [];
  const entries = Object.entries(schema.properties ?? {}).filter(([name]) => required.includes(name));
  return Object.fromEntries(entries.map(([name, part]) => [name, exampleOf(part, schemas, name, depth + 1)]));
}

/** Times are epoch milliseconds. */
function numberFor({ minimum, maximum }: JsonSchema, name: string): number {
  const wanted = /(At|Date|Time|timestamp|lastUsed|from|to)$/.test(name) ? 1_795_338_000_000 : 1;
  return Math.min(Math.max(wanted, minimum ?? wanted), maximum ?? wanted);
}

function textFor({ format, minLength = 0, maxLength, pattern }: JsonSchema, name: string): string {
  const known = byFormat[format ?? ''] ?? byName[name];
  const text = known ?? (/Id$|^id$/.test(name) ? `${name.replace(/Id$/, '') || 'some'}-1` : `some ${name || 'text'}`);
  const long = text.length < minLength ? text.padEnd(minLength, 'x') : text;
  const cut = maxLength === undefined ? long : long.slice(0, maxLength);
  return pattern !== undefined && !new RegExp(pattern).test(cut) ? simplest(pattern, cut) : cut;
}

/** Generates text for the contract's patterns, which accept words of lower-case letters and digits. */
function simplest(pattern: string, text: string): string {
  return ['example', 'a1', '0', 'abcdef'].find((word) => new RegExp(pattern).test(word)) ?? text;
}

/** Returns a JSON body with an example. */
export function jsonContent(schema: JsonSchema, schemas: Record<string, JsonSchema>): Record<string, Content> {
  const { required, ...rest } = schema;
  const clean = required === undefined ? rest : schema;
  return { 'application/json': { schema: clean, example: exampleOf(clean, schemas) } };
}
