import type { CallToolResult } from '@modelcontextprotocol/server';
import { limits } from '#contract/limits.ts';
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

/** The least that goes out beside the text of a search. A deep-research client insists on the whole answer twice. */
export function leastBesideSearch(caller: Caller): Pick<SentBeside, 'isCopy' | 'tokensOf'> {
  if (caller.naming === 'deep-research') return { isCopy: true, tokensOf: () => 0 };
  if (!sendsStructure(caller)) return nothingBeside;
  return { isCopy: false, tokensOf: (hits) => tokensInJson(referencesTo(hits)) };
}

/** The least that goes out beside the text of a read: an empty structure. A deep-research client's copy is counted apart. */
export function leastBesideRead(caller: Caller): number {
  return caller.naming === 'product' && sendsStructure(caller) ? tokensInJson({}) : 0;
}

/**
 * The same answer for programs, one result per page: with the passages where text and structure together keep to the
 * budget, else with the addresses alone: each token of them is one less for the passages.
 */
export function searchStructure(caller: Caller, answer: SearchOutput, budget: number | undefined): Structure {
  if (caller.naming === 'deep-research') return parsed(answer.text);
  if (!sendsStructure(caller)) return {};
  const note = answer.note === undefined ? {} : { note: answer.note };
  const results = toPageResults(answer.results).map(({ url, title, text }) => ({ url, title, text }));
  const references = referencesTo(answer.results);
  const tokensLeft = (budget ?? limits.searchTokensDefault) - answer.tokens;
  return firstThatFits([{ results, ...note }, { ...references, ...note }, references], tokensLeft);
}

/**
 * What a read is of; with its text where both together keep to the budget, or without one to a small bound: a reader who is shown both
 * pays for the text twice. Empty where not even the address fits.
 */
export function readStructure(caller: Caller, answer: ReadOutput, budget: number | undefined): Structure {
  if (caller.naming === 'deep-research') return parsed(answer.text);
  if (!sendsStructure(caller)) return {};
  const { url, title, text, tokens, wholePageTokens, isCut } = answer;
  const place = { url, title, wholePageTokens, isCut };
  const tokensLeft = (bound: number): number => (budget ?? bound) - tokens;
  const copy = { ...place, text };
  if (tokensInJson(copy) <= tokensLeft(limits.readWithCopyTokensMax)) return { structuredContent: copy };
  return firstThatFits([place], tokensLeft(limits.budgetTokensMax));
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
