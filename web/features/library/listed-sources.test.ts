import { expect, test } from 'vitest';
import type { JobRun, LibraryModule } from '#contract/library.ts';
import type { PdfSet } from '#contract/pdf-sets.ts';
import { type ListedSource, listSources, sourceBadge } from './listed-sources.ts';
import { filterSources, readSourceFilters, writeSourceFilters } from './source-filters.ts';

const day = 24 * 3_600_000;
const now = 100 * day;
const none = { maxPages: 10, depth: null, seeds: [] };

const module = (part: Partial<LibraryModule> = {}): LibraryModule => ({
  ...{
    moduleId: 'docs',
    displayName: 'Docs',
    visibility: 'public',
    kind: 'site',
    url: 'https://docs.example/',
    isSourceLost: false,
  },
  ...{
    limits: none,
    library: 'docs.example',
    version: null,
    hasCredential: false,
    rendersScripts: false,
    pageCount: 1,
    snippetCount: 1,
    tokenCount: 1,
    byteCount: 1,
    lastUpdated: now,
  },
  ...part,
});

const job = (part: Partial<JobRun> = {}): JobRun => ({
  ...{ id: 'j', moduleId: 'docs', displayName: 'Docs', url: 'https://docs.example/', kind: 'site', limits: none },
  ...{ executionId: 'j-1', uid: null, teamId: null, startedByUserId: null, stackName: 'default', docsCount: 1 },
  ...{ visibility: 'public', status: 'COMPLETE', isCancelled: false, isModuleRemoved: false, found: 1, fetched: 1 },
  ...{ unchanged: 0, skipped: 0, failed: 0, snippets: 1, contentBytes: 1, pagesPerSecond: 1, secondsLeft: null },
  ...{
    skipReasons: [],
    error: null,
    quality: null,
    isHeld: false,
    isRetry: false,
    retryAt: null,
    createdAt: 1,
    startTime: 1,
    endTime: 2,
  },
  ...part,
});

const statesOf = (sources: ListedSource[]) => sources.map(({ moduleId, state }) => [moduleId, state]);

test('a module shows the state of its newest run, or "ready" if that run was cancelled', () => {
  const running = job({ status: 'CRAWLING', endTime: null });
  expect(statesOf(listSources([module()], [running, job({ status: 'FAILED' })], [], now))).toEqual([
    ['docs', 'running'],
  ]);
  expect(statesOf(listSources([module()], [job({ status: 'FAILED' })], [], now))).toEqual([['docs', 'failed']]);
  expect(statesOf(listSources([module()], [job({ status: 'FAILED', isCancelled: true })], [], now))).toEqual([
    ['docs', 'ready'],
  ]);
});

test('a source that was never served is listed by its failed run until it is removed', () => {
  const failed = job({ moduleId: 'wiki', status: 'FAILED' });
  expect(statesOf(listSources([], [failed], [], now))).toEqual([['wiki', 'failed']]);
  expect(listSources([], [{ ...failed, isModuleRemoved: true }], [], now)).toEqual([]);
  expect(listSources([], [job()], [], now)).toEqual([]);
});

test('a private and a public source with the same id are two sources', () => {
  const [open, own] = [module(), module({ visibility: 'private' })];
  const sources = listSources([own, open], [job({ visibility: 'private', status: 'QUEUED', endTime: null })], [], now);
  expect(sources.map(({ visibility, state }) => [visibility, state])).toEqual([
    ['private', 'waiting'],
    ['public', 'ready'],
  ]);
});

test('a site is stale after 30 days, a repository never is', () => {
  const old = now - 31 * day;
  expect(statesOf(listSources([module({ lastUpdated: old })], [], [], now))).toEqual([['docs', 'stale']]);
  expect(statesOf(listSources([module({ isSourceLost: true })], [], [], now))).toEqual([['docs', 'lost']]);
  expect(statesOf(listSources([module({ lastUpdated: now - 29 * day })], [], [], now))).toEqual([['docs', 'ready']]);
  expect(statesOf(listSources([module({ lastUpdated: old, kind: 'git' })], [], [], now))).toEqual([['docs', 'ready']]);
});

test('a PDF set that was never indexed is listed too, and only once', () => {
  const set = { moduleId: 'manuals', displayName: 'Manuals' } as PdfSet;
  expect(statesOf(listSources([], [], [set], now))).toEqual([['manuals', 'pending']]);
  const served = module({ moduleId: 'manuals', kind: 'pdf', visibility: 'private' });
  expect(statesOf(listSources([served], [], [set], now))).toEqual([['manuals', 'ready']]);
});

test('a failure without a served version is shown as worse than a failed refresh', () => {
  const [served] = listSources([module()], [job({ status: 'FAILED' })], [], now);
  const [missing] = listSources([], [job({ status: 'FAILED' })], [], now);
  expect(served && sourceBadge(served)).toEqual({ label: 'Refresh failed', tone: 'warn' });
  expect(missing && sourceBadge(missing)).toEqual({ label: 'Failed', tone: 'bad' });
});

test('filters in the URL are restored, and invalid ones are ignored', () => {
  const address = 'filter=lib+1&state=attention&kind=git&visibility=private&sort=-pages';
  const written = (params: string) => writeSourceFilters(readSourceFilters(new URLSearchParams(params)));
  expect(new URLSearchParams(written(address)).toString()).toBe(address);
  expect(Object.values(written('state=odd&kind=&sort=what')).join('')).toBe('');
  expect(readSourceFilters(new URLSearchParams('sort=none')).sorting).toBeUndefined();
});

test('every word must match the name, id, address or kind', () => {
  const sources = listSources(
    [module(), module({ moduleId: 'github.com~psf~requests', displayName: 'Requests', kind: 'git' })],
    [],
    [],
    now,
  );
  const found = (words: string) =>
    statesOf(filterSources(sources, { ...readSourceFilters(new URLSearchParams()), words })).length;
  expect([found('psf REQUESTS'), found('repository'), found('docs.example'), found('psf docs none')]).toEqual([
    1, 1, 2, 0,
  ]);
});
