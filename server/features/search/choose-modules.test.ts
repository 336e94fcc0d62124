import { expect, test } from 'vitest';
import type { ReadableModule } from '#server/features/catalog/index.ts';
import { chooseModules } from './choose-modules.ts';

const moduleOf = (moduleId: string, visibility: ReadableModule['visibility'] = 'public'): ReadableModule => ({
  rowId: moduleId,
  moduleId,
  displayName: moduleId.toUpperCase(),
  visibility,
  kind: 'site',
  url: 'https://example.com/',
  library: moduleId,
  version: null,
  lastUpdatedAt: 0,
  pageCount: 1,
  snippetCount: 1,
  tokenCount: 1,
  segmentIds: [],
});
const modules = [moduleOf('mine', 'private'), moduleOf('docs.python.org~3'), moduleOf('postgresql-15')];

test('without a filter both private and public modules are searched', () => {
  expect(chooseModules(modules, undefined, 'any')).toEqual(modules);
  expect(chooseModules(modules, ' ', 'private').map((module) => module.moduleId)).toEqual(['mine']);
});

test('a module is found by id or name in any case', () => {
  expect(chooseModules(modules, 'PostgreSQL-15', 'any')).toHaveLength(1);
});

test('an unknown module error names similar modules', () => {
  expect(() => chooseModules(modules, 'python', 'any')).toThrow(/"python".*Did you mean docs\.python\.org~3\./);
  expect(() => chooseModules(modules, 'postgres-15', 'any')).toThrow(/Did you mean postgresql-15/);
});

test('an unknown module error lists the existing modules if none is similar', () => {
  expect(() => chooseModules(modules, 'zzzz', 'any')).toThrow(
    /Indexed modules: mine, docs\.python\.org~3, postgresql-15/,
  );
  expect(() => chooseModules([], 'zzzz', 'any')).toThrow(/Nothing is indexed yet/);
});
