import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import { TokenTable } from './token-table.ts';

const bytesOf = (text: string): Uint16Array => Uint16Array.from(Buffer.from(text));
const tableOf = (...lines: string[]): TokenTable =>
  new TokenTable(Buffer.from(lines.map((line) => `${line}\n`).join('')));
const lineOf = (bytes: string | number[], rank: number): string =>
  `${Buffer.from(bytes as string).toString('base64')} ${rank}`;

test('the table finds the rank of a token by its bytes, even if they are not text', () => {
  const tokens = ['a', 'bc', 'def', ' ghij', 'größer', [0xff, 0x00, 0x80]];
  const table = tableOf(...tokens.map(lineOf));
  for (const [rank, token] of tokens.entries()) {
    const bytes = typeof token === 'string' ? bytesOf(token) : Uint16Array.from(token);
    expect(table.rank(bytes, 0, bytes.length)).toBe(rank);
  }
  expect(table.rank(bytesOf('xdefx'), 1, 4)).toBe(2);
  expect(table.rank(bytesOf('de'), 0, 2)).toBe(-1);
});

test.each([
  ['a rank that is not its place', [lineOf('a', 0), lineOf('b', 2)]],
  ['no rank', ['YQ==']],
  ['something that is not base64', ['Y!== 0']],
  ['an empty line', ['']],
  ['a token without bytes', [' 0']],
])('the table refuses a file with %s', (_, lines) => {
  expect(() => tableOf(...lines)).toThrow(RangeError);
});
