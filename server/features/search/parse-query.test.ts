import { expect, test } from 'vitest';
import { parseQuery } from './parse-query.ts';

test.each([
  ['deploy keys ref_src=private', 'deploy keys', 'private'],
  ['source:private deploy keys', 'deploy keys', 'private'],
  ['deploy SOURCE=Private keys', 'deploy keys', 'private'],
  ['deploy\n\nSearch docs with source=public', 'deploy Search docs with', 'public'],
  ['what does datasource=private mean', 'what does datasource=private mean', 'any'],
  ['source=privately', 'source=privately', 'any'],
] as const)('%j searches for %j in %s modules', (query, text, visibility) => {
  expect(parseQuery(query)).toEqual({ text, visibility });
});

test.each(['', '  \n ', 'ref_src=private', '\u200b'])('%j is refused as empty', (query) => {
  expect(() => parseQuery(query)).toThrow(expect.objectContaining({ code: 'query-empty' }));
});

test('a query of 6,001 characters is refused, one of 6,000 is accepted', () => {
  expect(parseQuery('a'.repeat(6000)).text).toHaveLength(6000);
  expect(() => parseQuery('a'.repeat(6001))).toThrow(expect.objectContaining({ code: 'query-too-long' }));
});

test('operators alone are a valid query', () => {
  expect(parseQuery('&&').text).toBe('&&');
});
