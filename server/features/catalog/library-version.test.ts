import { expect, test } from 'vitest';
import { libraryVersionOf } from './library-version.ts';
import type { Source } from './source.ts';

const limits = { seeds: [], maxPages: 10 };

test.each<[string, string, string | null]>([
  ['https://docs.python.org/3/', 'docs.python.org', '3'],
  ['https://docs.python.org/3.11/library/', 'docs.python.org~library', '3.11'],
  ['https://docs.djangoproject.com/en/4.2/', 'docs.djangoproject.com~en', '4.2'],
  ['https://requests.readthedocs.io/en/stable/index.html', 'requests.readthedocs.io~en', 'stable'],
  ['https://v2.docs.example/guide/', 'docs.example~guide', '2'],
  ['https://docs.example/v5.0.0-rc.1/', 'docs.example', '5.0.0-rc.1'],
  ['https://docs.example/19.x/', 'docs.example', '19.x'],
  ['https://docs.example/guide/', 'docs.example~guide', null],
  ['https://docs.example/python3.11-doc/', 'docs.example~python3.11-doc', null],
  ['http://127.0.0.1:8000/', '127.0.0.1:8000', null],
])('the site %s has the library %s and the version %s', (url, library, version) => {
  expect(libraryVersionOf({ kind: 'site', url, ...limits }, 'id')).toEqual({ library, version });
});

test.each<[string, Extract<Source, { kind: 'git' }>['ref'], string | null]>([
  ['no branch', undefined, null],
  ['the branch main', { kind: 'branch', name: 'main' }, 'main'],
  ['the branch stable/4.2.x', { kind: 'branch', name: 'stable/4.2.x' }, '4.2.x'],
  ['the tag v2.31.0', { kind: 'tag', name: 'v2.31.0' }, '2.31.0'],
  ['the tag react@18.2.0', { kind: 'tag', name: 'react@18.2.0' }, '18.2.0'],
  ['the tag release-1.2rc1', { kind: 'tag', name: 'release-1.2rc1' }, '1.2rc1'],
])('the library of a repository with %s does not contain the version', (_, ref, version) => {
  const source: Source = { kind: 'git', url: 'https://github.com/psf/Requests.git', ref, ...limits };
  expect(libraryVersionOf(source, 'id')).toEqual({ library: 'github.com~psf~requests', version });
});

test('an explicit library and version take precedence over the address', () => {
  const told = { library: 'python', version: '3.14' };
  expect(libraryVersionOf({ kind: 'site', url: 'https://docs.python.org/3/', ...limits, ...told }, 'id')).toEqual(told);
  expect(libraryVersionOf({ kind: 'folder', url: '/docs', ...limits }, 'my-docs')).toEqual({
    ...{ library: 'my-docs', version: null },
  });
});
