import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ReadOutput, SearchOutput } from '#contract/search.ts';
import {
  type HitToRender,
  nothingBeside,
  type SentBeside,
  tokensInJson,
  toPageResults,
} from '#server/features/search/index.ts';
import type { Caller } from './caller.ts';

export type Structure = Pick<CallToolResult, 'structuredContent'>;

/** Returns the tokens of the structure sent beside the text. */
export function tokensOfStructure({ structuredContent }: Structure): number {
  return structuredContent === undefined ? 0 : tokensInJson(structuredContent as Record<string, unknown>);
}

/**
 * Clients that give their model the structured content *instead of* the text, as JSON. Escaped Markdown costs more
 * tokens and reads worse, so they get only the text.
 */
const replacesText = /^(?:claude-code|codex|opencode|cursor)/i;

/** Returns true if results have a structure beside their text. */
export function sendsStructure({ naming, agent }: Pick<Caller, 'naming' | 'agent'>): boolean {
  return naming === 'deep-research' || !replacesText.test(agent.clientName);
}

/**
 * Returns the minimum that a search sends beside its text. A deep-research client requires the whole response twice. A
 * caller without a budget gets the whole structure beside the whole text, so no tokens are reserved for it.
 */
export function leastBesideSearch(caller: Caller, budget: number | undefined): Pick<SentBeside, 'isCopy' | 'tokensOf'> {
  if (caller.naming === 'deep-research') return { isCopy: true, tokensOf: () => 0 };
  if (budget === undefined || !sendsStructure(caller)) return nothingBeside;
  return { isCopy: false, tokensOf: (hits) => tokensInJson(referencesTo(hits)) };
}

/**
 * Returns the minimum that a read sends beside its text: an empty structure. A deep-research client's copy is counted
 * separately.
 */
export function leastBesideRead(caller: Caller): number {
  return caller.naming === 'product' && sendsStructure(caller) ? tokensInJson({}) : 0;
}

/**
 * Returns a search response for programs and for clients that show their model the structure instead of the text: one
 * result per page, with its passages. If text and structure together exceed the caller's budget, only addresses: every
 * token spent on them is one less for passages.
 */
export function searchStructure(caller: Caller, answer: SearchOutput, budget: number | undefined): Structure {
  if (caller.naming === 'deep-research') return parsed(answer.text);
  if (!sendsStructure(caller)) return {};
  const note = answer.note === undefined ? {} : { note: answer.note };
  const results = toPageResults(answer.results).map(({ url, title, text }) => ({ url, title, text }));
  const whole = { results, ...note };
  if (budget === undefined) return { structuredContent: whole };
  const references = referencesTo(answer.results);
  return firstThatFits([whole, { ...references, ...note }, references], budget - answer.tokens);
}

/**
 * Returns the page of a read, with its text unless that exceeds the caller's budget. Empty if not even the address
 * fits.
 */
export function readStructure(caller: Caller, answer: ReadOutput, budget: number | undefined): Structure {
  if (caller.naming === 'deep-research') return parsed(answer.text);
  if (!sendsStructure(caller)) return {};
  const { url, title, text, tokens, wholePageTokens, isCut } = answer;
  const place = { url, title, wholePageTokens, isCut };
  const whole = { ...place, text };
  return budget === undefined ? { structuredContent: whole } : firstThatFits([whole, place], budget - tokens);
}

function referencesTo(hits: HitToRender[]): { results: { url: string }[] } {
  return { results: toPageResults(hits).map(({ url }) => ({ url })) };
}

function firstThatFits(structures: Record<string, unknown>[], tokensLeft: number): Structure {
  // A tool with an output schema must send a structure.
  return { structuredContent: structures.find((structure) => tokensInJson(structure) <= tokensLeft) ?? {} };
}

function parsed(json: string): Structure {
  return { structuredContent: JSON.parse(json) as Record<string, unknown> };
}
