import type { ExtractedDocument } from '../../document.ts';
import { Draft, titleFromUrl } from '../draft.ts';
import { embedMarkdown } from '../embed-markdown.ts';
import { type Fields, fieldsOf, isFields, listOf, parseData, textOf } from '../parsed-data.ts';
import { extractCodeFile } from '../plain-text.ts';
import { oneLine } from '../write-markdown.ts';
import { addChannels } from './channels.ts';
import {
  contentSchema,
  exampleCode,
  type Operation,
  operationsOf,
  parametersOf,
  parameterTable,
  requestBody,
  securityText,
} from './operation.ts';
import { Description, referenceName } from './references.ts';
import { renderSchema } from './render-schema.ts';

/** Number of reference levels expanded in body schemas; deeper schemas are named and have separate sections. */
const requestLevels = 2;
const responseLevels = 1;
/** Responses repeat the schemas, so their start is sufficient next to the operation. */
const responseLinesMax = 50;

/**
 * Extracts an OpenAPI (3.0 to 3.2), Swagger 2.0 or AsyncAPI (2 or 3) description in JSON or YAML: an introduction, a
 * section for each operation, named by method and path (or action and channel), and a section for each schema. Resolves
 * references only within the document. A file in another format is read as code. Throws `ParseError` for a file that
 * expands without bound.
 */
export function extractOpenApi(text: string, page: { url: string }): ExtractedDocument {
  const root = parseData(text, page.url);
  if (!isFields(root) || !isDescription(root))
    return extractCodeFile(text, { url: page.url, language: /^\s*\{/.test(text) ? 'json' : 'yaml' });
  const description = new Description(root);
  const info = fieldsOf(root.info);
  const draft = new Draft(page.url);
  draft.title = oneLine(textOf(info.title)) || titleFromUrl(page.url);
  addIntroduction(draft, description);
  if (textOf(root.asyncapi) === '') addOperations(draft, description);
  else addChannels(draft, description);
  addSchemas(draft, description);
  return draft.finish();
}

/** Returns true if what could be read names its format and has operations or schemas. */
function isDescription({ openapi, swagger, asyncapi, ...root }: Fields): boolean {
  const contents = [root.paths, root.webhooks, root.channels, root.operations, root.components, root.definitions];
  return [openapi, swagger, asyncapi].some((version) => textOf(version) !== '') && contents.some(isFields);
}

function addIntroduction(draft: Draft, description: Description): void {
  const { root } = description;
  const info = fieldsOf(root.info);
  const version = textOf(info.version);
  draft.add({ type: 'heading', markdown: draft.title, depth: 1 });
  draft.addText('paragraph', version === '' ? '' : `Version ${version}`);
  embedMarkdown(draft, textOf(info.description) || textOf(info.summary));
  const shown = serversOf(description)
    .filter((url) => url !== '' && url !== 'https://')
    .slice(0, 10);
  draft.addText('paragraph', shown.length === 0 ? '' : `**Servers:** ${shown.map((url) => `\`${url}\``).join(', ')}`);
  const schemes = Object.entries(fieldsOf(root.securityDefinitions ?? fieldsOf(root.components).securitySchemes));
  for (const [name, value] of schemes) {
    const scheme = description.resolve(value);
    const place = textOf(scheme.in) === '' ? '' : `, ${textOf(scheme.in)} \`${textOf(scheme.name)}\``;
    const kind = [textOf(scheme.type), textOf(scheme.scheme)].filter(Boolean).join(' ');
    draft.openTerm(`\`${name}\``, [name]);
    draft.addText('paragraph', `Security scheme: ${kind}${place}. ${oneLine(textOf(scheme.description))}`.trim());
    draft.closeTerm();
  }
}

function serversOf(description: Description): string[] {
  const { root } = description;
  if (description.isSwagger)
    return [`${listOf(root.schemes).map(textOf)[0] ?? 'https'}://${textOf(root.host)}${textOf(root.basePath)}`];
  // AsyncAPI's servers are named; since version 3 they have a host.
  return Object.values(isFields(root.servers) ? root.servers : listOf(root.servers)).map((server) => {
    const { url, protocol, host, pathname } = description.resolve(server);
    return textOf(url) || (textOf(host) === '' ? '' : `${textOf(protocol)}://${textOf(host)}${textOf(pathname)}`);
  });
}

/** Adds operations grouped by their first tag, in order of each tag's first use. */
function addOperations(draft: Draft, description: Description): void {
  const groups = new Map<string, Operation[]>();
  for (const operation of operationsOf(description)) {
    const tag = textOf(listOf(operation.fields.tags)[0]) || (operation.isWebhook ? 'Webhooks' : '');
    const group = groups.get(tag);
    if (group) group.push(operation);
    else groups.set(tag, [operation]);
  }
  const tags = new Map(listOf(description.root.tags).map((tag) => [textOf(fieldsOf(tag).name), fieldsOf(tag)]));
  for (const [tag, group] of groups) {
    draft.add({ type: 'heading', markdown: tag || 'Operations', depth: 2, anchor: `tag/${tag || 'default'}` });
    embedMarkdown(draft, textOf(tags.get(tag)?.description));
    for (const operation of group) addOperation(draft, description, operation);
  }
}

function addOperation(draft: Draft, description: Description, operation: Operation): void {
  const { method, path, fields } = operation;
  const name = `${method} ${path}`;
  const id = textOf(fields.operationId);
  const anchor = id || `${method.toLowerCase()}-${path.replace(/[^\w]+/g, '-').replace(/^-|-$/g, '')}`;
  draft.addName(name, 3, anchor, [name, path, ...(id === '' ? [] : [id])]);
  const summary = oneLine(textOf(fields.summary));
  const isDeprecated = fields.deprecated === true ? ' (deprecated)' : '';
  draft.addText('paragraph', [summary === '' ? '' : `**${summary}**`, isDeprecated].join('').trim());
  if (id !== '') draft.addText('paragraph', `Operation id: \`${id}\`${operation.isWebhook ? ' (webhook)' : ''}`);
  const text = textOf(fields.description);
  if (oneLine(text) !== summary) embedMarkdown(draft, text);
  const parameters = parametersOf(description, operation);
  draft.add({ type: 'table', markdown: parameterTable(description, parameters) });
  addBody(draft, description, operation, parameters);
  addResponses(draft, description, operation);
  const security = securityText(description, operation);
  draft.addText('paragraph', security === '' ? '' : `**Security:** ${security}`);
}

function addBody(
  draft: Draft,
  description: Description,
  operation: Operation,
  parameters: ReturnType<typeof parametersOf>,
): void {
  const body = requestBody(description, operation, parameters);
  if (!body) return;
  const types = body.content.types.map((type) => `\`${type}\``).join(', ');
  const label = `**Request body**${body.isRequired ? ' (required)' : ''}${types === '' ? '' : ` ${types}`}`;
  draft.addText('paragraph', body.text === '' ? label : `${label}: ${oneLine(body.text)}`);
  if (body.content.schema !== undefined)
    draft.addCode(renderSchema(description, body.content.schema, requestLevels), 'ts');
  addExamples(draft, 'Example', body.content.examples);
}

function addExamples(draft: Draft, label: string, examples: readonly unknown[] = []): void {
  for (const example of examples) {
    const { code, language } = exampleCode(example);
    if (code.trim() === '') continue;
    draft.addText('paragraph', `**${label}**`);
    draft.addCode(code, language);
  }
}

/** Adds all responses as one list, then the full schema of the first successful one. */
function addResponses(draft: Draft, description: Description, operation: Operation): void {
  const responses = Object.entries(fieldsOf(operation.fields.responses)).map(([status, value]) => {
    const response = description.resolve(value);
    // Swagger 2 stores examples by media type.
    const older = Object.values(fieldsOf(response.examples)).slice(0, 1);
    const content = contentSchema(response.content) ?? { types: [], schema: response.schema, examples: older };
    const { schema, examples = [] } = content;
    return { status, text: oneLine(textOf(response.description)), schema, examples };
  });
  const main = responses.find(({ status, schema }) => status.startsWith('2') && schema !== undefined);
  const lines = responses.map(({ status, text, schema }) => {
    const type = schema === undefined ? 'object' : shortType(description, schema);
    return `- \`${status}\`${text === '' ? '' : ` ${text}`}${type === 'object' ? '' : `: \`${type}\``}`;
  });
  draft.addText('list', lines.length === 0 ? '' : ['**Responses**', '', ...lines].join('\n'));
  if (main) draft.addCode(renderSchema(description, main.schema, responseLevels, responseLinesMax), 'ts');
  for (const { status, examples } of responses.slice(0, responsesWithExamplesMax))
    addExamples(draft, `Example of \`${status}\``, examples);
}

const responsesWithExamplesMax = 6;

function shortType(description: Description, schema: unknown): string {
  const type = oneLine(renderSchema(description, schema, 0)).replaceAll('`', "'");
  return type.length > 80 ? 'object' : type;
}

function addSchemas(draft: Draft, description: Description): void {
  const { root } = description;
  const schemas = Object.entries(
    fieldsOf(description.isSwagger ? root.definitions : fieldsOf(root.components).schemas),
  );
  if (schemas.length > 0) draft.add({ type: 'heading', markdown: 'Schemas', depth: 2, anchor: 'schemas' });
  for (const [name, schema] of schemas) {
    draft.addName(name, 3, `schema-${name}`, [name]);
    const fields = fieldsOf(schema);
    embedMarkdown(draft, textOf(fields.description));
    const target = typeof fields.$ref === 'string' ? referenceName(fields.$ref) : undefined;
    draft.addCode(target ?? renderSchema(description, schema, 1), 'ts');
  }
}
