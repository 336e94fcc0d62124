import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countTokens } from '#server/ingest/split/tokens.ts';
import { extractOf } from './extract.ts';
import { linesOfUnit, unitsOf } from './extract-units.ts';
import { queryTerms } from './query-terms.ts';
import { linesOf, restOf, traceOf } from './sent-lines.ts';

const filler = Array.from(
  { length: 30 },
  (_, line) => `Line ${line} speaks about nothing in particular, at some length.`,
);
const extract = (text: string, tokensMax: number, query: string): string | undefined =>
  extractOf(unitsOf(text), tokensMax, queryTerms([query]))?.text;

test('lines that hold the words of the query are taken from wherever they stand, with dots between them', () => {
  const lines = [...filler];
  lines[11] = 'Set `max_connections` to raise the limit.';
  lines[24] = 'A restart is needed after a change of `max_connections`.';
  expect(extract(lines.join('\n'), 48, 'max_connections restart')).toBe(
    [lines[0], '…', lines[11], '…', lines[24], '…'].join('\n'),
  );
});

test('the first lines are taken when no word is found', () => {
  expect(extract(filler.join('\n'), 50, 'quux')).toBe(`${filler.slice(0, 3).join('\n')}\n…`);
});

test('rules of tables, lone marks and scraps do not take the place of a sentence', () => {
  const noise = ['|  |  |', '| --- | --- |', '>', 'For example:', '}', '| --- | --- |'];
  const lines = [
    ...noise,
    'A sentence that has none of the words, but still says what the passage is about.',
    ...noise,
  ];
  lines.push('The quux is set here.');
  expect(extract(lines.join('\n'), 36, 'quux')).toBe(['…', lines[6], '…', 'The quux is set here.'].join('\n'));
});

test('sentences of one line stay on one line', () => {
  const first = 'The pool opens no connection before the first statement of the program is run.';
  const second = 'It keeps five of them unless told otherwise.';
  const third = 'When all are taken, the caller waits for thirty seconds and then gets an error.';
  expect(extract([first, second, third].join(' '), 45, 'pool caller waits error')).toBe(`${first} … ${third}`);
});

test('a sentence that says what has been said already gives way to one that says something else', () => {
  const text = [
    'Workers take tasks from the queue, and each of the workers takes one task of the queue at a time.',
    'Tasks of the queue that workers have taken are hidden from other workers until they are done.',
    'A broker keeps messages until somebody acknowledges them.',
  ].join('\n');
  const shown = extract(text, 42, 'workers queue broker');
  expect(shown).toContain('A broker keeps');
  expect(shown).not.toContain('are hidden from');
});

test('code keeps its fence, once for all that is taken from a block', () => {
  const code = [
    'Before.',
    '```python',
    ...Array.from({ length: 40 }, (_, line) => `call_${line}(argument)`),
    '```',
    'After.',
  ].join('\n');
  const shown = extract(code, 50, 'call_25 call_31') ?? '';
  expect(shown).toMatch(/\n```python\n/);
  expect(shown).toMatch(/\ncall_25\(argument\)\ncall_26\(argument\)\n…\ncall_30\(argument\)\ncall_31\(argument\)/);
  expect(shown.match(/```/g)).toHaveLength(2);
});

test('lines of code are taken with their neighbours, up to a blank line', () => {
  const lines = (name: string, count: number) =>
    Array.from({ length: count }, (_, line) => `${name}_${line}(argument)`);
  const blocks = [lines('alone', 1), lines('four', 4), lines('five', 5)];
  const code = ['```js', blocks.map((block) => block.join('\n')).join('\n\n'), '```'].join('\n');
  expect(unitsOf(code).map(({ text }) => text.split('\n').length)).toEqual([1, 4, 3, 2]);
  expect(extract([code, ...filler].join('\n'), 40, 'four_3')).toContain(lines('four', 4).join('\n'));
});

test('the number of a list and an abbreviation end no sentence', () => {
  const step =
    'Set the limit of open files for the user that runs the server, e.g. `4096`, before it is started again.';
  const second = 'Then look at the log, which tells the limit that it was given in its second line.';
  expect(unitsOf(`12. ${step} ${second}`).map(({ text }) => text)).toEqual([`12. ${step}`, second]);
  expect(unitsOf(`   > 3. ${step} ${second}`)).toHaveLength(2);
});

test('what a chosen line announces is taken rather than what stands elsewhere', () => {
  const announced = ['Undo a commit and redo', '```', '$ git reset --soft HEAD^', '```'];
  const shown = extract([...filler.slice(0, 8), ...announced, ...filler.slice(8)].join('\n'), 44, 'undo a commit');
  expect(shown).toContain(announced.join('\n'));
  const said = ['You can undo a commit, and then make it anew when you like.', ...announced.slice(1)];
  const other = extract([...filler.slice(0, 8), ...said, ...filler.slice(8)].join('\n'), 44, 'undo a commit');
  expect(other).toContain(said[0]);
  expect(other).not.toContain('--soft');
});

test('of code that was sent in part, the lines that were not are left', () => {
  const call = (line: number) => `call_${line}(argument_${line})`;
  const text = ['```js', ...Array.from({ length: 9 }, (_, line) => call(line)), '```'].join('\n');
  const [snippet, terms] = [{ text, headingPath: [] }, queryTerms(['call argument'])];
  // As a read shows them: from the middle of a run to the middle of another.
  const shown = ['```js', call(2), call(3), call(4), call(5), '```'].join('\n');
  const traces = new Set(linesOf(shown).map(traceOf));
  const rest = restOf(snippet, 'Calls', traces, terms);
  expect(rest?.units.map((unit, at) => [linesOfUnit(unit).length, rest.sent.has(at)])).toEqual([
    [3, false],
    [3, true],
    [3, false],
  ]);
  expect(restOf(snippet, 'Calls', new Set(linesOf(text).map(traceOf)), terms)).toBeUndefined();
});

test('a listing inside a listing does not end it', () => {
  const code = ['````md', '```js', 'wanted()', '```', 'more text', '````', ...filler].join('\n');
  const shown = extract(code, 40, 'wanted');
  expect(shown).toMatch(/^````md\n```js\nwanted\(\)\n```\nmore text\n````\nLine 0/);
});

test('what fits stays as it was, but for blank lines', () => {
  const text = 'One line.\n\nAnother line, a little longer.\n```sh\nrun --it\n```\nThe end of it.';
  expect(extract(text, 200, 'line')).toBe(text);
});

test('an extract never has more tokens than it may, and says how many it has', () => {
  const line = fc.oneof(
    fc.string({ maxLength: 300 }),
    fc.constantFrom(
      '```js',
      '```',
      '~~~',
      '',
      'word '.repeat(80),
      '日本語'.repeat(40),
      'One. Two. Three? Four! '.repeat(9),
    ),
  );
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 40 }),
      fc.integer({ min: 0, max: 300 }),
      fc.string(),
      (lines, tokensMax, query) => {
        const shown = extractOf(unitsOf(lines.join('\n')), tokensMax, queryTerms([query]));
        if (shown === undefined) return;
        expect(countTokens(shown.text)).toBe(shown.tokens);
        expect(shown.tokens).toBeLessThanOrEqual(tokensMax);
      },
    ),
    { numRuns: 300 },
  );
});
