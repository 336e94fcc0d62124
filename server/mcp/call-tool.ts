import {
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { AskInput } from '#server/features/index-requests/index.ts';
import { asKnownFault } from '#server/features/known-fault.ts';
import type { Search } from '#server/features/search/index.ts';
import { settleWhich } from './ask-which.ts';
import { type Caller, conversationKey } from './caller.ts';
import { toProtocolError } from './failures.ts';
import { callIndexSource, type Indexing } from './index-source.ts';
import {
  leastBesideRead,
  leastBesideSearch,
  readStructure,
  type Structure,
  searchStructure,
  tokensOfStructure,
} from './structured-content.ts';
import type { Talk } from './talk.ts';
import { type ToolNames, toolNames } from './tool-definitions.ts';

export interface ToolDeps {
  search: Search;
  indexing?: Indexing | undefined;
  productName: string;
}

/**
 * Calls a tool by either of its names. Errors the agent can fix are returned as a result with `isError` that says what
 * to do next; an unknown tool and our own faults are thrown as protocol errors.
 */
export async function callTool(
  deps: ToolDeps,
  caller: Caller,
  name: string,
  values: Record<string, unknown>,
  talk: Talk,
): Promise<CallToolResult | InputRequiredResult> {
  const tool = toolNamed(deps.productName, name);
  const { indexing } = deps;
  const mayIndex = tool === 'index' && indexing?.mayAsk(caller.ctx) === true && caller.naming === 'product';
  if (tool === undefined || (tool === 'index' && !mayIndex)) {
    const { search, read } = toolNames(deps.productName, caller.naming);
    const message = `There is no tool "${name.slice(0, 80)}". Call ${search} or ${read}.`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  }
  try {
    if (mayIndex) return await callIndexSource(indexing, caller, askIn(values), talk);
    return tool === 'search' ? await callSearch(deps, caller, values, talk) : await callRead(deps, caller, values);
  } catch (thrown) {
    const error = asKnownFault(thrown);
    if (isMendable(error)) return refusedCall(error);
    throw toProtocolError(caller.ctx, error);
  }
}

/** Returns the result for a call that failed with an error the agent can act on. */
export function refusedCall(error: AppError): CallToolResult & { isError: true } {
  return { content: [{ type: 'text', text: error.message }], isError: true };
}

async function callSearch(
  deps: ToolDeps,
  caller: Caller,
  values: Record<string, unknown>,
  talk: Talk,
): Promise<CallToolResult | InputRequiredResult> {
  const isDeepResearch = caller.naming === 'deep-research';
  const budget = budgetIn(values);
  const input = { query: textIn(values, 'query', 'q'), module: optionalTextIn(values, 'module'), budget };
  const { asking, found } = await settleWhich(deps.search, caller, input, talk);
  if (asking !== undefined) return asking;
  const beside = keptStructure();
  const answer = await deps.search.searchDocs(
    caller.ctx,
    { ...input, found },
    caller.agent,
    isDeepResearch ? 'deep-research' : 'text',
    { ...leastBesideSearch(caller, budget), sentWith: (made) => beside.keep(searchStructure(caller, made, budget)) },
  );
  return {
    content: [{ type: 'text', text: answer.text }],
    ...beside.structure(),
    ...conversationMeta(deps, answer),
  };
}

async function callRead(deps: ToolDeps, caller: Caller, values: Record<string, unknown>): Promise<CallToolResult> {
  const isDeepResearch = caller.naming === 'deep-research';
  const budget = budgetIn(values);
  const beside = keptStructure();
  const answer = await deps.search.readUrl(
    caller.ctx,
    {
      url: textIn(values, 'url', 'id'),
      budget,
      reservedTokens: leastBesideRead(caller),
      query: optionalTextIn(values, 'query'),
    },
    caller.agent,
    isDeepResearch ? 'deep-research' : 'text',
    (made) => beside.keep(readStructure(caller, made, budget)),
  );
  return {
    content: [{ type: 'text', text: answer.text }],
    ...beside.structure(),
    ...conversationMeta(deps, answer),
  };
}

/** Keeps the structure created while the answer is settled, so that the ledger counts everything that is sent. */
function keptStructure(): { keep(made: Structure): number; structure(): Structure } {
  let kept: Structure = {};
  return {
    keep(made) {
      kept = made;
      return tokensOfStructure(made);
    },
    structure: () => kept,
  };
}

/** Returns the conversation's name as `_meta`, which costs an agent no tokens: models are not shown it. */
function conversationMeta(deps: ToolDeps, { conversation }: { conversation?: string }): Pick<CallToolResult, '_meta'> {
  return conversation === undefined ? {} : { _meta: { [conversationKey(deps.productName)]: conversation } };
}

function toolNamed(productName: string, name: string): keyof ToolNames | undefined {
  for (const names of [toolNames(productName, 'product'), toolNames(productName, 'deep-research')]) {
    if (name === names.search) return 'search';
    if (name === names.read) return 'read';
    if (name === names.index) return 'index';
  }
  return undefined;
}

function askIn(values: Record<string, unknown>): AskInput {
  const address = textIn(values, 'address', 'url').trim();
  if (address === '') throw invalid('give an address');
  if (address.length > limits.urlCharactersMax) {
    throw invalid(`the address has over ${limits.urlCharactersMax} characters, give a shorter one`);
  }
  const [library, version] = [optionalTextIn(values, 'library'), optionalTextIn(values, 'version')];
  if (library !== undefined && library.length > 200) throw invalid('library is too long');
  if (version !== undefined && version.length > 50) throw invalid('version is too long');
  return { address, library, version };
}

function textIn(values: Record<string, unknown>, ...names: [string, string]): string {
  const value = names.map((name) => values[name]).find((candidate) => candidate !== undefined && candidate !== null);
  if (typeof value === 'string') return value;
  if (value === undefined) throw invalid(`give ${names[0]}`);
  throw invalid(`${names[0]} must be text`);
}

function optionalTextIn(values: Record<string, unknown>, name: string): string | undefined {
  const value = values[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw invalid(`${name} must be text`);
}

/** Accepts text too, because some clients send numbers as text. */
function budgetIn(values: Record<string, unknown>): number | undefined {
  const value = values['budget'];
  if (value === undefined || value === null || value === '') return undefined;
  const budget = typeof value === 'string' ? Number(value) : value;
  if (typeof budget === 'number' && budget >= limits.budgetTokensMin && budget <= limits.budgetTokensMax) return budget;
  throw invalid(`budget must be a number from ${limits.budgetTokensMin} to ${limits.budgetTokensMax}`);
}

function invalid(reason: string): AppError {
  return new AppError('invalid-input', { values: { reason } });
}

const notMendable = new Set(['internal', 'unavailable', 'index-damaged', 'index-of-other-version']);

function isMendable(error: unknown): error is AppError {
  return error instanceof AppError && !notMendable.has(error.code);
}
