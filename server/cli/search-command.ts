import * as limits from '#contract/limits.ts';
import { searchEndpoints } from '#contract/search.ts';
import { type Command, exitCodes, jsonOption, printJson, printLine, printNote } from './command.ts';
import { countOf } from './table.ts';
import { flag, text, wholeNumber } from './usage.ts';

const budgetBounds = { min: limits.budgetTokensMin, max: limits.budgetTokensMax };
const budgetOption = {
  budget: {
    type: 'string',
    placeholder: 'N',
    help: `maximum tokens of the response (${budgetBounds.min} to ${budgetBounds.max})`,
  },
} as const;

export const searchCommand: Command = {
  shape: {
    name: 'search',
    isRemote: true,
    positionals: ['a query'],
    summary: 'Searches the index and prints what an agent would receive.',
    options: {
      module: { type: 'string', placeholder: 'ID', help: 'search this module only' },
      limit: { type: 'string', placeholder: 'N', help: `number of results (at most ${limits.searchResultsMax})` },
      ...budgetOption,
      ...jsonOption,
    },
  },
  async run({ values, positionals, withCall }) {
    const input = {
      query: positionals[0] ?? '',
      module: text(values, 'module'),
      budget: wholeNumber(values, 'budget', budgetBounds),
      limit: wholeNumber(values, 'limit', { min: 1, max: limits.searchResultsMax }),
    };
    const answer = await withCall({ isExclusive: false }, (call) => call(searchEndpoints.search, input));
    if (flag(values, 'json')) {
      printJson(answer);
      return exitCodes.done;
    }
    printLine(answer.text);
    const { results, tokens, searchedSnippets, tookMs } = answer;
    printNote(
      `${countOf(results.length, 'result')}, ${countOf(tokens, 'token')}, ${countOf(searchedSnippets, 'passage')} searched in ${tookMs.toFixed(1)} ms`,
    );
    return exitCodes.done;
  },
};

export const readCommand: Command = {
  shape: {
    name: 'read',
    isRemote: true,
    positionals: ['an address'],
    summary: 'Prints a page as Markdown, from the index or by fetching it.',
    options: { ...budgetOption, ...jsonOption },
  },
  async run({ values, positionals, withCall }) {
    const input = { url: positionals[0] ?? '', budget: wholeNumber(values, 'budget', budgetBounds) };
    const page = await withCall({ isExclusive: false }, (call) => call(searchEndpoints.read, input));
    if (flag(values, 'json')) {
      printJson(page);
      return exitCodes.done;
    }
    printLine(page.text);
    printNote(
      page.isCut ? `${page.tokens} of ${page.wholePageTokens} tokens; more with --budget` : `${page.tokens} tokens`,
    );
    return exitCodes.done;
  },
};
