import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type DocumentationSet, folderOfSet, readSets, seedsOfSet, serveSets } from './sets.ts';

const sets = readSets([]);

/** Sets of the shared evaluation data, which has its own questions. */
const sharedPackages = [
  ...['python3.11-doc', 'postgresql-doc-15', 'nodejs-doc', 'git-doc', 'sqlite3-doc', 'python-django-doc'],
  ...['python-flask-doc', 'python-sqlalchemy-doc', 'apache2-doc', 'cmake-doc', 'rust-doc', 'golang-1.19-doc'],
  ...['python-requests-doc', 'python-pytest-doc', 'python-pandas-doc', 'python-djangorestframework-doc'],
  ...['python-celery-doc', 'bash-doc'],
];

test('there are at least forty sets, and nearly all are not in the shared evaluation', () => {
  expect(sets.length).toBeGreaterThanOrEqual(40);
  const unshared = sets.filter((set) => !sharedPackages.includes(set.package ?? ''));
  expect(unshared.length).toBeGreaterThanOrEqual(35);
});

test('set names are valid module ids and unique', () => {
  const names = sets.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z0-9][a-z0-9-]*$/);
});

test('five folds contain about the same number of sets', () => {
  const folds = Map.groupBy(sets, ({ fold }) => fold);
  expect(new Set(folds.keys())).toEqual(new Set([1, 2, 3, 4, 5]));
  for (const fold of folds.values()) expect(Math.abs(fold.length - sets.length / 5)).toBeLessThanOrEqual(2);
});

test.each(sets.map((set) => [set.name, set] as const))(
  '%s has exactly one origin, a pinned version and an alias',
  (_name, set) => {
    expect([set.package, set.git].filter((origin) => origin !== undefined)).toHaveLength(1);
    expect(set.git === undefined ? set.version : set.commit).toMatch(
      set.git === undefined ? /^[\w.:+~-]+$/ : /^[0-9a-f]{40}$/,
    );
    expect(set.aliases).not.toHaveLength(0);
    if (set.kind === 'site') expect(set.include?.some((one) => new RegExp(one).test(set.index)) ?? true).toBe(true);
  },
);

test('the server serves the pages of a set under its name, and no other files', async () => {
  const base = mkdtempSync(join(tmpdir(), 'sets-'));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const set: DocumentationSet = {
    ...{ name: 'lib', title: 'Lib', aliases: ['lib'], format: 'Sphinx', fold: 1, kind: 'site', package: 'lib-doc' },
    ...{ dir: 'html', index: 'start.html', seeds: ['b.html'], exclude: ['^gone\\.html$'] },
  };
  mkdirSync(join(base, 'lib-doc/html/part'), { recursive: true });
  for (const name of ['start.html', 'gone.html', 'part/index.html', '../outside.html']) {
    writeFileSync(join(base, 'lib-doc/html', name), `<meta charset=latin1><p>${name}</p>`);
  }
  const server = await serveSets(base, [set], 0);
  onTestFinished(() => server.stop());
  const get = (path: string): Promise<Response> => fetch(`${server.origin}/lib/${path}`);
  const first = await get('');
  expect(first.headers.get('content-type')).toBe('text/html; charset=latin1');
  expect(await first.text()).toContain('start.html');
  expect(await (await get('part/')).text()).toContain('part/index.html');
  for (const path of ['gone.html', '..%2foutside.html', 'missing.html']) expect((await get(path)).status).toBe(404);
  expect(seedsOfSet(set, server.origin)).toEqual([`${server.origin}/lib/start.html`, `${server.origin}/lib/b.html`]);
});

test('a folder set is found under its name, and a missing one throws with the command that fetches it', () => {
  const base = mkdtempSync(join(tmpdir(), 'sets-'));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const set: DocumentationSet = {
    ...{ name: 'pages', title: 'Pages', aliases: ['pages'], format: 'man pages', fold: 1, kind: 'folder', dir: 'man' },
  };
  expect(() => folderOfSet(base, set)).toThrow(`run "node eval/questions/fetch-sets.mjs ${base}"`);
  mkdirSync(join(base, 'folders/pages'), { recursive: true });
  expect(folderOfSet(base, set)).toBe(join(base, 'folders/pages'));
});
