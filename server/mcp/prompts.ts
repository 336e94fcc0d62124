import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { slugOf } from '#contract/product-name.ts';
import { cleanLabel } from '#server/features/search/index.ts';

const sources: Record<string, 'public' | 'private'> = { search_docs: 'public', my_docs: 'private' };

export function listPrompts(productName: string): Prompt[] {
  const name = cleanLabel(productName, 60);
  return [
    {
      name: 'search_docs',
      description: `Answer with the documentation of any library, API, tool or service at hand, looked up in ${name}.`,
      arguments: [{ name: 'query', description: 'Your prompt or question', required: true }],
    },
    {
      name: 'my_docs',
      description: `Answer with your own documentation: what you or your team indexed privately in ${name}.`,
      arguments: [{ name: 'query', description: 'Your prompt or question', required: true }],
    },
  ];
}

/** Throws a protocol error for an unknown prompt or a missing query. */
export function getPrompt(
  productName: string,
  name: string,
  values: Record<string, string> | undefined,
): GetPromptResult {
  const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
  if (source === undefined) throw invalid(`Unknown prompt: ${name.slice(0, 80)}`);
  const query = values?.['query'];
  if (query === undefined || query.trim() === '') throw invalid('Missing required argument: query');
  const text = `${query}\n\nSearch ${slugOf(productName)} with source=${source}`;
  return { messages: [{ role: 'user', content: { type: 'text', text } }] };
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
