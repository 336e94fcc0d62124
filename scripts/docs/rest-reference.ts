import { callables } from '../../contract/callables.ts';
import { placeholders } from '../../contract/public-page.ts';
import { openApiDocument } from '../../server/http/openapi/document.ts';
import type { JsonSchema } from '../../server/http/openapi/json-schema.ts';
import type { Content, OpenApiDocument, Operation } from '../../server/http/openapi/types.ts';
import { productVersion } from '../../server/platform/product-version.ts';
import { contractEndpoints } from './contract-endpoints.ts';
import { fieldRows, tableOf } from './field-table.ts';
import type { DocsSource } from './sources.ts';
import { slugOfTag } from './tag-slug.ts';

const folder = '/docs/reference/rest';

/** Returns the REST reference: a page about all calls, and one for each group of calls. */
export async function restReference(root: string): Promise<DocsSource[]> {
  const endpoints = await contractEndpoints(root);
  const about = { productName: placeholders.productName, version: productVersion, address: placeholders.address };
  const document = openApiDocument(about, endpoints);
  const pages = document.tags.map(({ name, description }) => ({
    ...{ path: `${folder}/${slugOfTag(name)}`, section: 'reference' as const },
    ...{ sourcePath: 'contract/reference.ts', isGenerated: true },
    markdown: groupPage(document, name, description),
  }));
  return [overview(document), ...pages];
}

function overview(document: OpenApiDocument): DocsSource {
  const rows = document.tags.map(({ name, description }) => {
    const count = operationsOf(document, name).length;
    return `| [${name}](${folder}/${slugOfTag(name)}) | ${description} | ${count} |`;
  });
  const operations = document.tags.reduce((sum, { name }) => sum + operationsOf(document, name).length, 0);
  const markdown = overviewText
    .replace('{operations}', String(operations - Object.keys(callables).length))
    .replace('{callables}', String(Object.keys(callables).length))
    .replace('{groups}', rows.join('\n'));
  return { path: folder, section: 'reference', sourcePath: 'contract/reference.ts', isGenerated: true, markdown };
}

const overviewText = `# REST

Programs can do everything the screens do: {operations} endpoints under \`/api\` and \`/admin\`, and {callables} callable functions. The same
schemas check each request and response, and generate these pages and the [OpenAPI document](/api/openapi.json).

## Groups

| group | purpose | endpoints |
|---|---|---|
{groups}

## Authentication

| method | how | access |
|---|---|---|
| API key | \`Authorization: Bearer lec_…\` | search, read, and information about modules, runs and credits; more with the rights [Index and Manage sources](/docs/guide/connecting#keys) |
| identity token | \`Authorization: Bearer lid_…\`, from \`POST /api/identity/token\` | everything the user may do, for an hour |
| session | the browser’s cookie, with the header \`x-lectern-csrf: 1\` on requests that change something | the screens |

A user selects a team with the header \`x-lectern-team: {teamId}\`. A key always acts in its own workspace.

## Requests and responses

\`GET\` and \`DELETE\` take their fields from the query, \`POST\` and \`PUT\` from a JSON object. Times are milliseconds since 1970.
Every response has the header \`x-request-id\`. A body can have up to 1 MB; lockfiles and parts of PDF files have their own limits.

\`\`\`sh
curl -H "Authorization: Bearer $LECTERN_API_KEY" \\
  "http://127.0.0.1:7331/api/search?query=run+a+coroutine+from+a+thread&budget=800"
\`\`\`

Endpoints that open a payment page accept the header \`Idempotency-Key\`: the same key opens one page, however often it is sent.

## Errors

\`\`\`json
{ "error": { "code": "query-empty", "message": "The query is empty. …", "requestId": "4f0c1f0e-…" } }
\`\`\`

Under \`/admin\` the form is \`{"success": false, "error", "code", "requestId"}\`, for a callable function
\`{"error": {"status", "message", "details": {"code", "requestId"}}}\`. Codes are stable, messages may change; each code has
[a page](/docs/errors). With 429, the header \`retry-after\` has the seconds to wait.

Data that you may not see returns the same error as data that doesn’t exist.
`;

function operationsOf(
  document: OpenApiDocument,
  tag: string,
): { path: string; method: string; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
}

function groupPage(document: OpenApiDocument, tag: string, description: string): string {
  const schemas = document.components['schemas'] as Record<string, JsonSchema>;
  const parts = operationsOf(document, tag).map(({ path, method, operation }) =>
    operationPart(path, method, operation, schemas),
  );
  return `# ${tag}\n\n${description}\n\n${parts.join('\n\n')}\n`;
}

function operationPart(
  path: string,
  method: string,
  operation: Operation,
  schemas: Record<string, JsonSchema>,
): string {
  const { operationId, summary, parameters = [], requestBody, responses } = operation;
  const body = requestBody === undefined ? undefined : Object.entries(requestBody.content)[0];
  const answer = responses['200'];
  const content = answer !== undefined && 'content' in answer ? Object.entries(answer.content ?? {})[0] : undefined;
  const lines = [
    `## ${operationId}`,
    `\`${method}\` \`${path}\``,
    summary,
    whoMay(operation),
    ...(parameters.length === 0
      ? []
      : [
          tableOf(
            'parameter',
            parameters.map(({ name, in: place, required, description, schema }) => ({
              ...{ name, isRequired: required, schema: { ...schema, description: description ?? '' } },
              where: place,
            })),
            schemas,
          ),
        ]),
    ...bodyPart('Body', body, schemas),
    ...bodyPart('Response', content, schemas),
    faultsPart(responses),
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}

function whoMay({ security }: Operation): string {
  const ways = [
    ...(security.some((way) => Object.keys(way).length === 0) ? ['visitors'] : []),
    ...(security.some((way) => 'apiKey' in way) ? ['API keys'] : []),
    ...(security.some((way) => 'session' in way) ? ['people'] : []),
  ];
  return `For ${ways.join(', ').replace(/, ([^,]*)$/, ' and $1')}.`;
}

function bodyPart(title: string, part: [string, Content] | undefined, schemas: Record<string, JsonSchema>): string[] {
  if (part === undefined) return [];
  const [mediaType, { schema, example }] = part;
  if (mediaType !== 'application/json') return [`**${title}**: \`${mediaType}\`. ${schema.description ?? ''}`.trim()];
  const rows = fieldRows(schema, schemas);
  const table = rows.length === 0 ? [] : [tableOf('field', rows, schemas)];
  const shown = example === undefined ? [] : [`\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``];
  return [`**${title}**`, ...table, ...shown];
}

function faultsPart(responses: Operation['responses']): string {
  const statuses = Object.keys(responses).filter((status) => status !== '200');
  return statuses.length === 0 ? '' : `Errors: ${statuses.join(', ')}; see [errors](/docs/errors).`;
}
