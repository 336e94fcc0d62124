import { describe, expect, test } from 'vitest';
import type { ReadableModule } from '#server/features/catalog/index.ts';
import { isCalled, mentionsIn } from './library-names.ts';

let rows = 0;
const moduleOf = (moduleId: string, displayName = moduleId, url = `https://${moduleId}.example/`): ReadableModule => ({
  ...{ rowId: `row-${rows++}`, moduleId, displayName, url, visibility: 'public', kind: 'site', library: moduleId },
  ...{ version: null, lastUpdatedAt: null, pageCount: 1, snippetCount: 1, tokenCount: 1, segmentIds: [] },
});
const sklearn = moduleOf('scikit-learn', 'scikit-learn');
const django = moduleOf('django', 'Django 4.2 documentation');
const rest = moduleOf('drf', 'Django REST framework');
const python = moduleOf('python3', 'Python 3.11.2 documentation');
const debian = moduleOf('debian-reference');
const httpd = moduleOf('apache2');
const go = moduleOf('go');
const r = moduleOf('r-manuals');
const modules = [sklearn, django, rest, python, debian, httpd, go, r];
const mentioned = (query: string) => mentionsIn(query, modules).flatMap((mention) => mention.modules);

describe('a query mentions a library', () => {
  test.each([
    ['scikit-learn cosine similarity', sklearn],
    ['scikit learn 1.1 FastICA', sklearn],
    ['sklearn==1.1 FastICA', sklearn],
    ['in Scikit-Learn, how to scale', sklearn],
    ['python with statement', python],
    ['python3.11 tomllib', python],
    ['django.db.models.Q or', django],
    ['django rest framework serializer', rest],
    ['drf pagination', rest],
    ['httpd vhost', httpd],
    ['golang maps', go],
    ['debian mount --bind', debian],
    ['R read.table encoding', r],
  ])('%s', (query, module) => {
    expect(mentioned(query)).toEqual([module]);
  });

  test('and the rest of a qualified name is the query', () => {
    expect(mentionsIn('django.db.models.Q', modules)).toMatchObject([{ text: 'django', modules: [django] }]);
  });

  test.each([
    'documentation of the framework',
    'a letter r in a word',
    'A vitamin',
    'constructor toString __proto__',
    'learn a language',
    '',
  ])('not in "%s"', (query) => {
    expect(mentioned(query).filter((module) => module !== sklearn)).toEqual([]);
  });

  test('by the words that most page titles contain', () => {
    const std = moduleOf('docs-7');
    const titled = (words: string) => (words === 'apache http server' ? [std] : []);
    expect(mentionsIn('apache http server vhost', [std], titled)).toMatchObject([
      { text: 'apache http server', isWhole: true, isFirst: true },
    ]);
  });
});

test('a hyphenated name and its usual short form name the same library', () => {
  for (const name of ['scikit-learn', 'sklearn', 'Scikit_Learn']) expect(isCalled(sklearn, name)).toBe(true);
  expect(isCalled(sklearn, 'manual')).toBe(false);
});

test('only the first 200 words of a query are compared with names', () => {
  const words = (count: number) => Array.from({ length: count }, (_, at) => `zz${at}`).join(' ');
  expect(mentioned(`${words(199)} django`)).toEqual([django]);
  expect(mentioned(`${words(200)} django`)).toEqual([]);
});
