import { expect, test } from 'vitest';
import type { Ecosystem } from '#contract/profile.ts';
import { libraryNamesOf, matchNameOf } from './library-names.ts';

const moduleOf = (kind: 'site' | 'git', url: string, library = 'a.b~c') => ({
  ...{ kind, url, library, moduleId: library, displayName: library },
});

test.each<[Ecosystem, string, 'site' | 'git', string]>([
  ['pypi', 'Django', 'site', 'https://docs.djangoproject.com/en/4.2/'],
  ['pypi', 'requests', 'site', 'https://requests.readthedocs.io/en/latest/'],
  ['pypi', 'requests', 'git', 'https://github.com/psf/requests'],
  ['pypi', 'uv', 'site', 'https://docs.astral.sh/uv/'],
  ['pypi', 'Zope_Interface', 'git', 'https://github.com/zopefoundation/zope.interface.git'],
  ['npm', 'express', 'site', 'https://expressjs.com/en/4x/'],
  ['npm', 'react', 'site', 'https://react.dev/reference/'],
  ['npm', '@tanstack/query', 'git', 'https://github.com/TanStack/query'],
  ['npm', 'vue', 'git', 'git@github.com:vuejs/vue.git'],
  ['crates', 'serde_json', 'site', 'https://docs.rs/serde_json/latest/serde_json/'],
  ['go', 'github.com/go-chi/chi/v5', 'git', 'https://github.com/go-chi/chi'],
  ['go', 'golang.org/x/text', 'site', 'https://pkg.go.dev/golang.org/x/text@v0.3.0'],
  ['rubygems', 'rails', 'site', 'https://rubydoc.info/gems/rails/7.0'],
])('%s %s is documented by the %s %s', (ecosystem, name, kind, url) => {
  expect(libraryNamesOf(moduleOf(kind, url))).toContain(matchNameOf(ecosystem, name));
});

test('an explicit library name takes precedence over the address', () => {
  const names = libraryNamesOf(moduleOf('site', 'https://docs.example/kettle/', 'Zope_Interface'));
  expect(names.slice(0, 2)).toEqual(['zope_interface', 'zope-interface']);
});

test('owners and common parts of addresses are not library names', () => {
  expect(libraryNamesOf(moduleOf('git', 'https://github.com/django/channels'))).not.toContain('django');
  expect(libraryNamesOf(moduleOf('site', 'https://docs.example.io/en/latest/guide/'))).not.toContain('docs');
});
