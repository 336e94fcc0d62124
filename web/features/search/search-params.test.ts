import { expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { budgetChoices, readSearchParams, writeSearchParams } from './search-params.ts';

test('search parameters survive being read and written', () => {
  const address = 'q=asyncio+task+group&module=docs.python.org%7E3&budget=1000&view=raw';
  expect(writeSearchParams(readSearchParams(new URLSearchParams(address))).toString()).toBe(address);
});

test('default values are left out of the URL', () => {
  expect(
    writeSearchParams(
      readSearchParams(new URLSearchParams(`q=a&budget=${limits.searchTokensDefault}&view=results`)),
    ).toString(),
  ).toBe('q=a');
});

test.each(['abc', '-5', '99', '10001', '1e3.5', ''])('a budget of %j falls back to the default', (budget) => {
  expect(readSearchParams(new URLSearchParams({ budget })).budgetTokens).toBe(limits.searchTokensDefault);
});

test('a budget from the URL is among the choices', () => {
  expect(budgetChoices(750)).toEqual([500, 750, 1_000, 2_000, 5_000, 10_000]);
});
