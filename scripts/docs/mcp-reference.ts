import * as limits from '../../contract/limits.ts';
import type { JsonSchema } from '../../server/http/openapi/json-schema.ts';
import { countTokens } from '../../server/ingest/split/index.ts';
import { getPrompt, listPrompts } from '../../server/mcp/prompts.ts';
import { listResourceTemplates } from '../../server/mcp/resources.ts';
import { instructions, type ToolNaming, toolDefinitions } from '../../server/mcp/tool-definitions.ts';
import { inCell } from './error-index.ts';
import { fieldRows, tableOf } from './field-table.ts';
import type { DocsSource } from './sources.ts';

/** The default product name; tool names start with it. */
const productName = 'Lectern';

/** Returns the MCP endpoint's reference, generated from the definitions sent to agents. */
export function mcpReference(): DocsSource {
  return {
    path: '/docs/reference/mcp',
    section: 'reference',
    sourcePath: 'server/mcp/tool-definitions.ts',
    isGenerated: true,
    markdown: [opening(), tools(), deepResearch(), prompts(), resources(), refusals()].join('\n\n'),
  };
}

function opening(): string {
  const surface = tokensOf(toolDefinitions(productName, 'product'));
  const whole = tokensOf(toolDefinitions(productName, 'product', { mayAskToIndex: true }));
  const said = countTokens(instructions(productName, 'product'));
  return `# MCP

The endpoint is \`/mcp\` (streamable HTTP, plain JSON responses); \`./lectern mcp\` serves the same over standard input and output. Both
generations of the protocol are supported: with sessions (2025), and the revision of 2026-07-28 without them.

Before its first call an agent receives ${surface} tokens of tool definitions and ${said} tokens of instructions
(o200k_base); ${whole} with the third tool, for keys and applications that can request sources.

## Authentication

An API key as \`Authorization: Bearer lec_…\`, \`x-api-key\`, \`x-lectern-api-key\`, \`x-ref-api-key\` or the query parameter \`apiKey\`; or
no key: a client that supports OAuth 2.1 opens the browser, see [agents](/docs/guide/agents#without-a-key).

## Instructions

Sent once per conversation:

\`\`\`text
${instructions(productName, 'product')}
\`\`\``;
}

function tools(): string {
  const parts = toolDefinitions(productName, 'product', { mayAskToIndex: true }).map((tool) => {
    const schema = tool.inputSchema as JsonSchema;
    return [
      `### ${tool.name}`,
      tool.description ?? '',
      tableOf('argument', fieldRows(schema, {}), {}),
      `The definition has ${tokensOf(tool)} tokens:`,
      `\`\`\`json\n${JSON.stringify(tool, null, 2)}\n\`\`\``,
    ].join('\n\n');
  });
  return `## Tools

The names start with the installation’s name. A search or a read costs one credit; failures, empty results and
retries are free. No response has more than ${limits.budgetTokensMax.toLocaleString('en')} tokens; a search has at most
${limits.searchTokensDefault.toLocaleString('en')} unless \`budget\` says otherwise.

${parts.join('\n\n')}`;
}

function deepResearch(): string {
  const naming: ToolNaming = 'deep-research';
  const rows = toolDefinitions(productName, naming).map(({ name, inputSchema, description }) => {
    const fields = Object.keys(inputSchema.properties ?? {});
    return `| \`${name}\` | ${fields.map((field) => `\`${field}\``).join(', ')} | ${inCell(description ?? '')} |`;
  });
  return `## Deep research

Clients named \`openai-mcp\`, and all clients with a key created with **Deep research tools**, see the same two tools under
other names. They return JSON, as text and as structured content.

| tool | arguments | what it does |
|---|---|---|
${rows.join('\n')}`;
}

function prompts(): string {
  const parts = listPrompts(productName).map(({ name, description, arguments: taken = [] }) => {
    const { messages } = getPrompt(productName, name, { query: 'how do I stream a response' });
    const [first] = messages;
    const text = first?.content.type === 'text' ? first.content.text : '';
    const rows = taken.map((argument) => `| \`${argument.name}\` | ${inCell(argument.description ?? '')} |`);
    return [
      `### ${name}`,
      description ?? '',
      ['| argument | meaning |', '|---|---|', ...rows].join('\n'),
      'Its message:',
      `\`\`\`text\n${text}\n\`\`\``,
    ].join('\n\n');
  });
  return `## Prompts\n\n${parts.join('\n\n')}`;
}

function resources(): string {
  const rows = listResourceTemplates(productName).map(
    ({ uriTemplate, description, mimeType }) =>
      `| \`${uriTemplate}\` | ${inCell(description ?? '')} | \`${mimeType}\` |`,
  );
  return `## Resources

Lists every module that the caller can read. The server completes module ids.

| address | contents | type |
|---|---|---|
${rows.join('\n')}`;
}

function refusals(): string {
  return `## Errors

Errors that an agent can fix are tool results with \`isError\` and the next step: an empty query, a module that doesn’t exist, a page
that can’t be read, no credits left. Server failures are protocol errors. A call without a key returns 401
([key-missing](/docs/errors/key-missing)) with the address of the metadata that OAuth clients need.
`;
}

function tokensOf(value: unknown): number {
  return countTokens(JSON.stringify(value));
}
