import { describe, expect, test } from 'vitest';
import { analyze } from './analyze.ts';
import { analyzeQuery, queryCharactersMax, queryTermsMax } from './analyze-query.ts';

const kindOf = (query: string, term: string) => analyzeQuery(query).terms.find((found) => found.term === term)?.kind;

describe('a query', () => {
  test('has the same terms as a document', () => {
    const text = 'How do I cancel asyncio.create_task with --no-verify?';
    const terms = new Set(analyzeQuery(text).terms.map(({ term }) => term));
    for (const { term } of analyze(text)) expect(terms).toContain(term);
  });

  test('distinguishes names, parts of names, words, filler words and function words', () => {
    const query = 'how to use create_task correctly';
    expect(kindOf(query, 'how')).toBe('stop');
    expect(kindOf(query, 'use')).toBe('filler');
    expect(kindOf(query, 'create_task')).toBe('whole');
    expect(kindOf(query, 'task')).toBe('part');
    expect(kindOf('cancel a task', 'task')).toBe('word');
    expect(kindOf('foldl vs foldr', 'vs')).toBe('filler');
  });

  test.each([
    ['xwayland とは何ですか', ['xwayland']],
    ['設定の方法を教えてください', ['設定', '方法']],
    ['如何安装 xwayland', ['安装', 'xwayland']],
    ['xwayland 설치 방법', ['설치', 'xwayland']],
  ])('"%s" yields the words %s', (query, words) => {
    const asked = analyzeQuery(query).terms.filter(({ kind }) => kind === 'word');
    expect(asked.map(({ term }) => term)).toEqual(expect.arrayContaining(words));
    expect(asked.filter(({ term }) => /^\p{Script=Hiragana}+$|如何|방법/u.test(term))).toEqual([]);
  });

  test('treats the packages before a class as names', () => {
    const query = 'org.example.text.LineParser';
    expect(kindOf(query, 'org')).toBe('name');
    expect(kindOf(query, 'text')).toBe('name');
    expect(kindOf(query, 'line')).toBe('part');
    expect(kindOf(query, query.toLowerCase())).toBe('whole');
    expect(kindOf('asyncio.create_task', 'asyncio')).toBe('part');
  });

  test('counts a repeated word once', () => {
    expect(analyzeQuery('task tasks TASK').terms.filter(({ term }) => term === 'task')).toEqual([
      { term: 'task', kind: 'word', share: 1 },
    ]);
  });

  test('is analyzed only up to a length limit', () => {
    const long = Array.from({ length: 20_000 }, (_, at) => `word${at}x`).join(' ');
    expect(long.length).toBeGreaterThan(queryCharactersMax);
    expect(analyzeQuery(long).terms.length).toBeLessThanOrEqual(queryTermsMax);
    // A ligature that folds to eighteen letters.
    expect(analyzeQuery('\ufdfa '.repeat(3_000)).sequence.length).toBeLessThan(3_000);
  });

  test('may be empty', () => {
    expect(analyzeQuery('').terms).toEqual([]);
    expect(analyzeQuery(' ?! ').terms).toEqual([]);
  });
});
