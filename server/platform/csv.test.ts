import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

test('lines end with CRLF and only necessary fields are quoted', () => {
  expect(
    toCsv([
      ['a', 'b c', 1, true],
      ['say "hi"', 'x,y', 'two\nlines', ''],
    ]),
  ).toBe('a,b c,1,true\r\n"say ""hi""","x,y","two\nlines",\r\n');
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '  =HYPERLINK("x")', '＝1+1', '\u0000=1'])(
  '%j is not a formula in a spreadsheet',
  (text) => {
    const [field = ''] = parse(toCsv([[text]]))[0] ?? [];
    expect(field).toBe(`'${text}`);
  },
);

// In locales with decimal commas, spreadsheets split fields at semicolons and ignore quotes inside.
test.each([
  ['Ann;=1+1', "Ann;'=1+1"],
  ['a; @SUM(A1);-1', "a;' @SUM(A1);'-1"],
  ['two\n=1\r\n\t+1', "two\n'=1\r\n\t'+1"],
  ['a;b - c=1', 'a;b - c=1'],
])('%j starts no formula when split into fields', (text, safe) => {
  expect(parse(toCsv([[text]]))[0]).toEqual([safe]);
});

test('negative numbers stay numbers', () => {
  expect(toCsv([[-1, 0]])).toBe('-1,0\r\n');
});

const plain = (text: string) => text.replaceAll("'", '');
/** Returns the maximum number of guards: none for a text without signs that begin formulas. */
const formulaSigns = (text: string) => text.match(/[=+\-@＝＋－＠]/g)?.length ?? 0;

test('every written value can be read back as one field', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 4 }), { maxLength: 5 }),
      (rows) => {
        const read = parse(toCsv(rows));
        expect(read.map((row) => row.length)).toEqual(rows.map((row) => row.length));
        for (const [line, row] of rows.entries()) {
          for (const [place, text] of row.entries()) {
            const field = read[line]?.[place] ?? '';
            expect(plain(field)).toBe(plain(text));
            expect(field.length - text.length).toBeLessThanOrEqual(formulaSigns(text));
            expect(field.length).toBeGreaterThanOrEqual(text.length);
          }
        }
      },
    ),
  );
});

/** Parses the grammar of RFC 4180, character by character. */
function parse(csv: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let field = '';
  for (let at = 0; at < csv.length; ) {
    if (csv[at] === '"') {
      for (at += 1; csv[at] !== '"' || csv[at + 1] === '"'; at += 1) {
        field += csv[at];
        if (csv[at] === '"') at += 1;
      }
      at += 1;
    } else if (csv[at] === ',') {
      row.push(field);
      field = '';
      at += 1;
    } else if (csv.startsWith('\r\n', at)) {
      rows.push([...row, field]);
      row = [];
      field = '';
      at += 2;
    } else {
      field += csv[at];
      at += 1;
    }
  }
  return rows;
}
