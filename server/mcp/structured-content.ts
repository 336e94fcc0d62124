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

/** Tokens of what is sent beside the text. */
export function tokensOfStructure({ structuredContent }: Structure): number {
  return structuredContent === undefined ? 0 : tokensInJson(structuredContent as Record<string, unknown>);
}

/**
 * Clients that give their model the structured content *instead of* the text, as JSON: escaped Markdown costs more
 * tokens and reads worse, so they get the text alone.
 */
const replacesText = /^(?:claude-code|codex|opencode|cursor)/i;

/** Returns true if results have a structure beside their text. */
export function sendsStructure({ naming, agent }: Pick<Caller, 'naming' | 'agent'>): boolean {
  return naming === 'deep-research' || !replacesText.test(agent.clientName);
}

/**
 * The least that goes out beside the text of a search. A deep-research client insists on the whole answer twice. A caller that sets no
 * budget gets the whole structure beside a whole text, so that nothing is kept free for it.
 */
export function leastBesideSearch(caller: Caller, budget: number | undefined): Pick<SentBeside, 'isCopy' | 'tokensOf'> {
  if (caller.naming === 'deep-research') return { isCopy: true, tokensOf: () => 0 };
  if (budget === undefined || !sendsStructure(caller)) return nothingBeside;
  return { isCopy: false, tokensOf: (hits) => tokensInJson(referencesTo(hits)) };
}

/** The least that goes out beside the text of a read: an empty structure. A deep-research client's copy is counted apart. */
export function leastBesideRead(caller: Caller): number {
  return caller.naming === 'product' && sendsStructure(caller) ? tokensInJson({}) : 0;
}

/**
 * The same answer for programs and for clients that show their model the structure instead of the text: one result per page, with the
 * passages. Where the caller has set a budget that text and structure together would exceed, with the addresses alone: each token of
 * them is one less for the passages.
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

/** What a read is of, with its text unless both together exceed a budget that the caller has set. Empty where not even the address fits. */
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
  // A tool that says what its structure is has to send one.
  return { structuredContent: structures.find((structure) => tokensInJson(structure) <= tokensLeft) ?? {} };
}

function parsed(json: string): Structure {
  return { structuredContent: JSON.parse(json) as Record<string, unknown> };
}
