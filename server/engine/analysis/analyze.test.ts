import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyze } from './analyze.ts';
import { foldText } from './fold.ts';
import { scanTerms, wordCharsMax } from './scan.ts';

const termsOf = (text: string): string[] => analyze(text).map(({ term }) => term);

describe('names yield the whole name and its parts', () => {
  test.each([
    ['asyncio.create_task', ['asyncio.create_task', 'create_task', 'asyncio', 'creat', 'task']],
    ['--no-verify', ['--no-verify', 'no-verify', 'no', 'verifi']],
    ['useEffect', ['useeffect', 'use', 'effect']],
    ['pg_stat_activity', ['pg_stat_activity', 'pg', 'stat', 'activ']],
    ['std::vec::Vec', ['std::vec::vec', 'vec::vec', 'std', 'vec']],
    ['__init__', ['__init__', 'init']],
    ['c++', ['c++', 'c']],
    ['C#', ['c#', 'c']],
    ['git-commit(1)', ['git-commit(1)', 'git-commit', 'git', 'commit']],
    ['@app.route', ['@app.route', 'app.route', 'app', 'rout']],
    ['println!("x")', ['println!', 'println', 'x']],
    ['HTTPServer', ['httpserver', 'http', 'server']],
    ['.gitignore', ['.gitignore', 'gitignor']],
    ['utf8', ['utf8', 'utf', '8']],
    ['$1', ['$1', '1']],
    ['-m', ['-m', 'm']],
    ['3.11.2', ['3.11.2', '3.11']],
  ])('%s', (text, terms) => {
    expect(new Set(termsOf(text))).toEqual(new Set(terms));
  });

  test.each(['E0382', '404', '0x7f'])('%s is a single term', (text) => {
    expect(termsOf(text)).toEqual([text.toLowerCase()]);
  });

  test('operators are terms only when they stand alone', () => {
    expect(termsOf('a == b')).toEqual(['a', '==', 'b']);
    expect(termsOf('**bold** text')).toEqual(['bold', 'text']);
  });

  test.each(['$?', '<=>', '?.', '??=', '2>&1', '&&', '|>', '>>='])('%s is recognized in a sentence', (mark) => {
    for (const text of [mark, `(${mark})`, `Use \`${mark}\`, then go on.`, `What does ${mark} do?`]) {
      expect(termsOf(text)).toContain(mark);
    }
  });

  test('punctuation that belongs to other code is not an operator', () => {
    expect(termsOf('if (!done) return a[0]')).not.toContain('!done');
    expect(termsOf('Set it with `!important`.')).toContain('!important');
    expect(termsOf('x = 2 > 1; y = f()')).toEqual(['x', '2', '1', 'y', 'f']);
  });

  test('a name and its first part have the same position, so its parts are adjacent to the surrounding words', () => {
    expect(analyze('run create_task now')).toEqual([
      { term: 'run', position: 0 },
      { term: 'create_task', position: 1 },
      { term: 'creat', position: 1 },
      { term: 'task', position: 2 },
      { term: 'now', position: 3 },
    ]);
  });
});

describe('words', () => {
  test('match regardless of case, number, tense, diacritics and compatibility forms', () => {
    expect(termsOf('Tasks TASK tasked')).toEqual(['task', 'task', 'task']);
    expect(termsOf('naïve ﬁle')).toEqual(termsOf('naive file'));
    expect(termsOf("user's")).toEqual(['user']);
    expect(termsOf('don’t')).toEqual(termsOf("don't"));
  });

  test('in scripts without spaces become pairs of characters', () => {
    expect(termsOf('日本語')).toEqual(['日本', '本語']);
    expect(termsOf('語')).toEqual(['語']);
    expect(termsOf('日本語Python入門')).toEqual(['日本', '本語', 'python', '入門']);
  });

  test('in other alphabets stay whole', () => {
    expect(termsOf('Привет мир')).toEqual(['привет', 'мир']);
  });

  test('are truncated at the maximum length', () => {
    const terms = termsOf('x'.repeat(1000));
    expect(Math.max(...terms.map((term) => term.length))).toBeLessThanOrEqual(wordCharsMax);
  });

  test('decimals keep three places, so that measurements do not fill the dictionary', () => {
    expect(termsOf('0.469112')).toEqual(['0.469']);
  });
});

describe('any text', () => {
  test('yields the same terms every time, in ascending positions', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const tokens = analyze(text);
        expect(analyze(text)).toEqual(tokens);
        for (const [at, { term, position }] of tokens.entries()) {
          expect(term).not.toBe('');
          expect(position).toBeGreaterThanOrEqual(tokens[at - 1]?.position ?? 0);
        }
      }),
    );
  });

  test('yields the terms of its words in sequence', () => {
    const word = fc.constantFrom('useEffect', 'a.b', 'tasks', '--x', '日本', 'é', 'c++', '1.5');
    fc.assert(
      fc.property(fc.array(word), (words) => {
        expect(termsOf(words.join(' '))).toEqual(words.flatMap(termsOf));
      }),
    );
  });

  const hostile = [
    'a',
    'a.',
    'a-',
    "a'",
    'a::',
    '_',
    '-',
    '.',
    '$',
    '=',
    '((',
    'a_B',
    'é',
    '日',
    '](',
    '\\',
    '😀',
    'A1',
    ':',
  ];
  test.each(hostile)('takes time proportional to its length: repeated %s', (piece) => {
    const stepsOf = (text: string): number => scanTerms(foldText(text), true, () => undefined);
    const short = stepsOf(piece.repeat(500));
    expect(stepsOf(piece.repeat(5_000))).toBeLessThanOrEqual(short * 10.5);
    expect(short).toBeLessThanOrEqual(500 * piece.length * 10);
  });
});

test.each(['\u0316\u0301', '\u05b1\u05b0', '\u064c\u064b', '\u{1d165}\u{1d16d}', '\uff9e\u302a'])(
  'analysis keeps only a few of many combining marks: %j',
  (marks) => {
    expect([...foldText(`a${marks.repeat(50)}b`)].length).toBeLessThanOrEqual(10);
    expect(foldText(`a${marks}b`)).toBe(foldText('a') + foldText(marks) + foldText('b'));
  },
);
