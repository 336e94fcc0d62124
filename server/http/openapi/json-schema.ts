import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import * as accounts from '#contract/accounts.ts';
import * as audit from '#contract/audit.ts';
import * as billing from '#contract/billing.ts';
import * as connections from '#contract/connections.ts';
import * as credits from '#contract/credits.ts';
import * as hosting from '#contract/hosting.ts';
import * as identity from '#contract/identity.ts';
import * as keys from '#contract/keys.ts';
import * as library from '#contract/library.ts';
import * as pdfSets from '#contract/pdf-sets.ts';
import * as repositories from '#contract/repositories.ts';
import * as search from '#contract/search.ts';
import * as sourceCredentials from '#contract/source-credentials.ts';
import * as teams from '#contract/teams.ts';

/** A JSON Schema 2020-12 schema, as used in OpenAPI 3.1. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  prefixItems?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  additionalProperties?: boolean | JsonSchema;
}

/** Returns the schema of the input that callers send. */
export function inputSchema(schema: z.ZodType): JsonSchema {
  return plain(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
}

/** Returns the schema of a response, with references to named schemas. */
export function outputSchema(schema: z.ZodType): JsonSchema {
  return withReferences(unnamedOutput(schema), undefined);
}

/** Returns all named schemas used in responses. */
export function namedSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries([...named()].map(([name, schema]) => [name, withReferences(schema, name)]));
}

function unnamedOutput(schema: z.ZodType): JsonSchema {
  return plain(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }));
}

/**
 * Removes details that callers do not need: the range of number types, patterns already given by the format, and the
 * ban on further response fields, which a later version may add.
 */
function plain(schema: object): JsonSchema {
  const isKept = ([key, value]: [string, unknown]): boolean =>
    key !== '$schema' &&
    !(key === 'maximum' && value === Number.MAX_SAFE_INTEGER) &&
    !(key === 'minimum' && value === Number.MIN_SAFE_INTEGER) &&
    !(key === 'pattern' && 'format' in schema) &&
    !(key === 'additionalProperties' && value === false);
  const kept = Object.entries(schema).filter(isKept);
  return Object.fromEntries(kept.map(([key, value]) => [key, isSchemaHolder(key) ? within(value, key, plain) : value]));
}

let namedOnce: Map<string, JsonSchema> | undefined;

/** Names the contract's schemas: `moduleSchema` becomes `Module`. */
function named(): Map<string, JsonSchema> {
  namedOnce ??= new Map(
    [accounts, audit, billing, connections, credits, hosting, identity, keys, library, pdfSets, repositories, search]
      .concat([sourceCredentials, teams] as never[])
      .flatMap((room) => Object.entries(room))
      .flatMap(([name, value]): [string, JsonSchema][] => {
        const short = /^(.+)Schema$/.exec(name)?.[1];
        if (short === undefined || !(value instanceof z.ZodType) || value._zod.def.type !== 'object') return [];
        return [[short.slice(0, 1).toUpperCase() + short.slice(1), unnamedOutput(value)]];
      }),
  );
  return namedOnce;
}

/** `own` is not replaced by a reference to itself. */
function withReferences(schema: JsonSchema, own: string | undefined): JsonSchema {
  for (const [name, known] of named()) {
    if (name !== own && isDeepStrictEqual(schema, known)) return { $ref: `#/components/schemas/${name}` };
  }
  const inner = (part: object): JsonSchema => withReferences(part as JsonSchema, undefined);
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, isSchemaHolder(key) ? within(value, key, inner) : value]),
  );
}

function isSchemaHolder(key: string): boolean {
  return ['properties', 'items', 'prefixItems', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'].includes(key);
}

/** Applies `change` to each schema below a key that holds one schema, a list or a map of schemas. */
function within(value: unknown, key: string, change: (schema: object) => JsonSchema): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((part: object) => change(part));
  if (key !== 'properties') return change(value);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, change(part as object)]));
}
