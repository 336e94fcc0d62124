import { expect, test } from 'vitest';
import { compareVersions, isVersion, type ReadableModule } from '#server/features/catalog/index.ts';
import { chooseModules } from './choose-modules.ts';
import { chooseVersions } from './choose-versions.ts';

function moduleOf(library: string, version: string | null, part: Partial<ReadableModule> = {}): ReadableModule {
  const moduleId = version === null ? library : `${library}~${version}`;
  return {
    ...{ rowId: `${part.visibility ?? 'public'}/${moduleId}`, moduleId, displayName: moduleId, library, version },
    ...{ visibility: 'public', kind: 'site', url: 'https://example.com/', lastUpdatedAt: 0 },
    ...{ pageCount: 1, snippetCount: 1, tokenCount: 1, segmentIds: [] },
    ...part,
  };
}

const python = ['2.7', '3.11', '3.14rc1', '3.9', 'dev'].map((version) => moduleOf('docs.python.org', version));
const django = ['5.0', '4.2', 'stable'].map((version) => moduleOf('docs.djangoproject.com~en', version));
const flask = moduleOf('flask', null);
const all = [...python, ...django, flask];

function chosenFor(query: string): string[] {
  return chooseVersions(all, query).modules.map(({ moduleId }) => moduleId);
}

test('versions are ordered with the newest stable version first', () => {
  const versions = ['main', '3.9', 'latest', '3', null, '3.14rc1', '2.7', 'stable', '3.11', '3.9.1', 'feature-x'];
  expect(versions.sort(compareVersions)).toEqual([
    ...['stable', null, '3', '3.11', '3.9', '3.9.1', '2.7', 'latest', '3.14rc1', 'feature-x', 'main'],
  ]);
});

test.each([
  ['3.11', '3.11', true],
  ['3.11', '3', true],
  ['3', '3.11.4', true],
  ['4.2.x', '4.2.7', true],
  ['3.1', '3.11', false],
  ['3.11', '3.1', false],
  ['dev', '3', false],
  [null, '3', false],
])('the known version %s matches the requested %s: %s', (known, asked, isMeant) => {
  expect(isVersion(known, asked)).toBe(isMeant);
});

test.each([
  ['how do I open a file', 'docs.python.org~3.11', 'docs.djangoproject.com~en~stable'],
  ['python 2.7 print statement', 'docs.python.org~2.7', 'docs.djangoproject.com~en~stable'],
  ['Python3.9: open a file', 'docs.python.org~3.9', 'docs.djangoproject.com~en~stable'],
  ['python@3.9.18 open', 'docs.python.org~3.9', 'docs.djangoproject.com~en~stable'],
  ['open a file in python version 2', 'docs.python.org~2.7', 'docs.djangoproject.com~en~stable'],
  ['django v4.2 and python 3.9', 'docs.python.org~3.9', 'docs.djangoproject.com~en~4.2'],
  ['migrate with django 4', 'docs.python.org~3.11', 'docs.djangoproject.com~en~4.2'],
  ['python 3 open a file', 'docs.python.org~3.11', 'docs.djangoproject.com~en~stable'],
  ['python 3.14rc1 changes', 'docs.python.org~3.14rc1', 'docs.djangoproject.com~en~stable'],
  ['wait 4.2 seconds in python', 'docs.python.org~3.11', 'docs.djangoproject.com~en~stable'],
  ['python 1.5', 'docs.python.org~3.11', 'docs.djangoproject.com~en~stable'],
])('"%s" chooses %s and %s', (query, ofPython, ofDjango) => {
  expect(chosenFor(query)).toEqual(expect.arrayContaining([ofPython, ofDjango, 'flask']));
  expect(chosenFor(query)).toHaveLength(3);
});

test.each([
  ['scikit-learn 1.1 FastICA', '1.1'],
  ['scikit-learn@1.1 FastICA', '1.1'],
  ['scikit-learn==1.1 FastICA', '1.1'],
  ['FastICA in scikit-learn 1.1', '1.1'],
  ['sklearn 1.1 FastICA', '1.1'],
  ['FastICA (scikit-learn version 1.1)', '1.1'],
  ['scikit-learn FastICA', '1.3'],
  ['FastICA with 1.1 components in scikit-learn', '1.3'],
])('"%s" chooses version %s of a library with a hyphen in its name', (query, version) => {
  const sklearn = ['1.1', '1.3'].map((known) => moduleOf('scikit-learn', known));
  expect(chooseVersions(sklearn, query).modules.map((module) => module.version)).toEqual([version]);
});

test.each([
  ['django 4.2 annotate', ['4.2']],
  ['django 3.0 annotate', ['3.0']],
  ['flask 2.3 blueprint', []],
  ['flask 404', []],
  ['wait 4.2 seconds in python', []],
])('"%s" next to a library mentions the versions %j, which are excluded from ranking', (query, versions) => {
  expect(chooseVersions(all, query).versionWords).toEqual(versions);
});

test.each([
  ['react 19.0.0-rc.1 hooks', 'react~19.0.0-rc.1'],
  ['react@19.0.0-rc.1 hooks', 'react~19.0.0-rc.1'],
  ['react 19.0.0 hooks', 'react~18.3'],
  ['react hooks', 'react~18.3'],
])('"%s" chooses %s: a prerelease is chosen only when named', (query, answering) => {
  const react = ['18.3', '19.0.0-rc.1'].map((version) => moduleOf('react', version));
  expect(chooseVersions(react, query).modules.map(({ moduleId }) => moduleId)).toEqual([answering]);
});

test('each library with several versions is listed with the requested version', () => {
  const [choice] = chooseVersions(python, 'python 1.5').choices;
  expect(choice).toMatchObject({ chosen: { version: '3.11' }, asked: '1.5' });
  expect(choice?.versions.map(({ version }) => version)).toEqual(['3.11', '3.9', '2.7', '3.14rc1', 'dev']);
  expect(chooseVersions([flask], 'flask 2').choices).toEqual([]);
});

test('an address without a version is the current release for a site, but unreleased for a repository', () => {
  const site = [moduleOf('kettle.example', '2.0'), moduleOf('kettle.example', null)];
  expect(chooseVersions(site, 'boil').modules.map(({ version }) => version)).toEqual([null]);
  const repository = site.map((module) => ({ ...module, kind: 'git' as const }));
  expect(chooseVersions(repository, 'boil').modules.map(({ version }) => version)).toEqual(['2.0']);
});

test('a private library is not a version of a public one', () => {
  const own = moduleOf('docs.python.org', '3.8', { visibility: 'private' });
  expect(chooseVersions([own, ...python], 'open').modules.map(({ rowId }) => rowId)).toEqual([
    ...['private/docs.python.org~3.8', 'public/docs.python.org~3.11'],
  ]);
});

test('a filter names a module, a library or a library version', () => {
  const ids = (filter: string) => chooseModules(all, filter, 'any').map(({ moduleId }) => moduleId);
  expect(ids('docs.python.org~2.7')).toEqual(['docs.python.org~2.7']);
  expect(ids('Docs.Python.org')).toHaveLength(5);
  expect(ids('docs.python.org@2')).toEqual(['docs.python.org~2.7']);
  expect(ids('python@3')).toEqual(['docs.python.org~3.11']);
  expect(ids('django@v4.2.1')).toEqual(['docs.djangoproject.com~en~4.2']);
  expect(() => ids('django@9')).toThrow(/"django@9"/);
});

test('only the first 200 versions of a query are compared with libraries', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => `zz${at}v 1`).join(', ');
  expect(chosenFor(`${numbers(99)}, django 4.2`)).toContain('docs.djangoproject.com~en~4.2');
  expect(chosenFor(`${numbers(200)}, django 4.2`)).not.toContain('docs.djangoproject.com~en~4.2');
});
