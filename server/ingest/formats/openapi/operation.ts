import { type Fields, fieldsOf, isFields, listOf, textOf } from '../parsed-data.ts';
import { codeSpan, oneLine, tableMarkdown } from '../write-markdown.ts';
import type { Description } from './references.ts';
import { notesOf, renderSchema } from './render-schema.ts';

/** One method of one path, or one webhook. */
export interface Operation {
  method: string;
  path: string;
  fields: Fields;
  /** Parameters of the path, which apply to all its methods. */
  shared: readonly unknown[];
  isWebhook: boolean;
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

/** Returns all operations of a description in order, webhooks last. */
export function operationsOf(description: Description): Operation[] {
  const { root } = description;
  return [...ofPaths(description, root.paths, false), ...ofPaths(description, root.webhooks, true)];
}

function ofPaths(description: Description, paths: unknown, isWebhook: boolean): Operation[] {
  return Object.entries(fieldsOf(paths)).flatMap(([path, value]) => {
    const item = description.resolve(value);
    const own = methods.filter((method) => isFields(item[method])).map((method) => [method, item[method]] as const);
    const further = Object.entries(fieldsOf(item.additionalOperations));
    return [...own, ...further].map(([method, fields]) => ({
      method: method.toUpperCase(),
      path,
      fields: fieldsOf(fields),
      shared: listOf(item.parameters),
      isWebhook,
    }));
  });
}

/** Returns all parameters; the operation's own take precedence over those of its path. */
export function parametersOf(description: Description, operation: Operation): Fields[] {
  const found = new Map<string, Fields>();
  for (const one of [...listOf(operation.fields.parameters), ...operation.shared]) {
    const parameter = description.resolve(one);
    const key = `${textOf(parameter.in)} ${textOf(parameter.name)}`;
    if (textOf(parameter.name) !== '' && !found.has(key)) found.set(key, parameter);
  }
  return [...found.values()];
}

export function parameterTable(description: Description, parameters: readonly Fields[]): string {
  const rows = parameters
    .filter((parameter) => parameter.in !== 'body')
    .map((parameter) => {
      const schema = parameter.schema ?? contentSchema(parameter.content)?.schema ?? parameter;
      const isPlain = schema === parameter;
      const type = renderSchema(description, isPlain ? { ...parameter, description: undefined } : schema, 1);
      const name = `${codeSpan(textOf(parameter.name))}${parameter.required === true ? ' (required)' : ''}`;
      const notes = [oneLine(textOf(parameter.description)), ...notesOf(description.resolve(schema))];
      return [name, textOf(parameter.in), codeSpan(oneLine(type)), [...new Set(notes)].filter(Boolean).join('; ')];
    });
  return rows.length === 0 ? '' : tableMarkdown([['Parameter', 'In', 'Type', 'Description'], ...rows]);
}

/** A body with its media types; its schema is the JSON one if there is a choice. */
export interface Content {
  types: string[];
  schema: unknown;
  examples?: unknown[];
}

export function contentSchema(content: unknown): Content | undefined {
  const entries = Object.entries(fieldsOf(content));
  const main = entries.find(([type]) => /\bjson\b/.test(type)) ?? entries[0];
  if (!main) return undefined;
  const media = fieldsOf(main[1]);
  const schema = media.schema ?? media.itemSchema;
  return { types: entries.map(([type]) => type).slice(0, 6), schema, examples: examplesOf(media) };
}

const examplesMax = 2;

/** Returns the examples of a media type or its schema: a single one, or several named ones. */
function examplesOf(media: Fields): unknown[] {
  if (media.example !== undefined) return [media.example];
  const named = Object.values(fieldsOf(media.examples)).map((one) => fieldsOf(one).value);
  const known = named.filter((value) => value !== undefined).slice(0, examplesMax);
  const own = fieldsOf(media.schema).example;
  return known.length > 0 || own === undefined ? known : [own];
}

const exampleCharactersMax = 4_000;

/** Returns an example as code, and its language. */
export function exampleCode(example: unknown): { code: string; language: string } {
  const isText = typeof example === 'string';
  const code = isText ? example : (JSON.stringify(example, null, 2) ?? '');
  const cut = code.length > exampleCharactersMax ? `${code.slice(0, exampleCharactersMax)}\n…` : code;
  return { code: cut, language: isText ? '' : 'json' };
}

/** Returns an operation's request body, from OpenAPI 3 or Swagger 2. */
export function requestBody(
  description: Description,
  operation: Operation,
  parameters: readonly Fields[],
): { content: Content; isRequired: boolean; text: string } | undefined {
  if (operation.fields.requestBody !== undefined) {
    const body = description.resolve(operation.fields.requestBody);
    const content = contentSchema(body.content);
    return content && { content, isRequired: body.required === true, text: textOf(body.description) };
  }
  const body = parameters.find((parameter) => parameter.in === 'body');
  if (!body) return undefined;
  const types = listOf(operation.fields.consumes ?? description.root.consumes).map(textOf);
  return {
    content: { types, schema: body.schema },
    isRequired: body.required === true,
    text: textOf(body.description),
  };
}

/** Returns the accepted security schemes, each alternative with its scopes; empty if no authentication is needed. */
export function securityText(description: Description, operation: Operation): string {
  const rules = listOf(operation.fields.security ?? description.root.security);
  const alternatives = rules.map((rule) =>
    Object.entries(fieldsOf(rule))
      .map(([name, scopes]) => {
        const names = listOf(scopes).map(textOf).filter(Boolean);
        return `\`${name}\`${names.length > 0 ? ` (${names.slice(0, 20).join(', ')})` : ''}`;
      })
      .join(' and '),
  );
  return [...new Set(alternatives)].map((one) => one || 'none').join(' or ');
}
