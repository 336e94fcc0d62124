import type { CallToolResult } from '@modelcontextprotocol/server';
import { limits } from '#contract/limits.ts';
import type { ReadOutput, SearchOutput } from '#contract/search.ts';
import { toPageResults } from '#server/features/search/index.ts';
import type { Caller } from './caller.ts';

type Structure = Pick<CallToolResult, 'structuredContent'>;

/**
 * Clients that give their model the structured content *instead of* the text, as JSON: escaped Markdown costs more
 * tokens and reads worse, so they get the text alone.
 */
const replacesText = /^(?:claude-code|codex|opencode|cursor)/i;

/**
 * The same answer for programs, one result per page. It holds the passages too: a client that prefers it to the text must not end up with
 * addresses only.
 */
export function searchStructure(caller: Caller, answer: SearchOutput): Structure {
  if (caller.naming === 'deep-research') return parsed(answer.text);
  const results = toPageResults(answer.results).map(({ url, title, text }) => ({ url, title, text }));
  return forClient(caller, answer.tokens, answer.note === undefined ? { results } : { results, note: answer.note });
}

export function readStructure(caller: Caller, answer: ReadOutput): Structure {
  if (caller.naming === 'deep-research') return parsed(answer.text);
  const { url, title, text, wholePageTokens, isCut } = answer;
  return forClient(caller, answer.tokens, { url, title, text, wholePageTokens, isCut });
}

/** Left out where text and structure together would pass what any answer may cost a client that reads both. */
function forClient(caller: Caller, textTokens: number, structure: Record<string, unknown>): Structure {
  if (replacesText.test(caller.agent.clientName)) return {};
  // JSON escapes make the structure at most about half as large again as its text.
  return textTokens * 2.5 > limits.budgetTokensMax ? {} : { structuredContent: structure };
}

function parsed(json: string): Structure {
  return { structuredContent: JSON.parse(json) as Record<string, unknown> };
}
