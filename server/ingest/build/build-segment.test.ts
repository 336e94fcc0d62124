import { expect, test } from 'vitest';
import { openSegment } from '#server/engine/index.ts';
import { type Blobs, openBlobs } from '#server/platform/blobs/index.ts';
import { sampleRecord, storeChunk } from '#test/services/sample-records.ts';
import { temporaryFolder } from '#test/services/temporary-folder.ts';
import { parserVersion } from '../parser-version.ts';
import { buildSegment } from './build-segment.ts';
import type { BuildTask } from './build-task.ts';
import { openCrawlFile } from './crawl-file.ts';
import { PreparedPages } from './prepared-pages.ts';
import { joinSpoolLines, type SpoolRecord, toSpoolLine } from './spool.ts';

const at = (path: string) => `https://docs.example/${path}`;
const unchanged = (path: string): SpoolRecord => {
  const { page: _page, ...record } = sampleRecord(at(path), `old text of ${path}`);
  return { ...record, status: 'unchanged', fetchedAt: 2 };
};
const failed = (path: string, reason: string): SpoolRecord => ({
  url: at(path),
  status: 'failed',
  reason,
  depth: 0,
  fetchedAt: 2,
  contentBytes: 0,
});

async function storeOf(): Promise<Blobs> {
  return openBlobs({ kind: 'folder', folder: temporaryFolder() });
}

async function textsIn(blobs: Blobs, key: string): Promise<Record<string, string>> {
  const segment = openSegment(await blobs.open(key));
  const pages = [...segment.pages()].map((page, index) => [
    page.url.replace(at(''), ''),
    segment
      .pageSnippets(index)
      .map(({ text }) => text)
      .join(),
  ]);
  return Object.fromEntries(pages) as Record<string, string>;
}

async function build(blobs: Blobs, records: SpoolRecord[][], task: Partial<BuildTask> = {}) {
  const name = task.segmentKey ?? 'new.seg';
  const chunkKeys = await Promise.all(records.map((chunk, index) => storeChunk(blobs, `${name}-${index}`, chunk)));
  return buildSegment(blobs, { chunkKeys, baseKeys: [], kind: 'whole', segmentKey: name, ...task });
}

test('of several records of an address the last one counts', async () => {
  const blobs = await storeOf();
  const first = [sampleRecord(at('a'), 'first'), sampleRecord(at('b'), 'stays')];
  await build(blobs, [first, [sampleRecord(at('a'), 'second'), sampleRecord(at('a'), 'third')]]);
  expect(await textsIn(blobs, 'new.seg')).toEqual({ a: 'third', b: 'stays' });
});

test('chunks that are not stored yet come with the task', async () => {
  const blobs = await storeOf();
  const unwritten = new Map([['later', joinSpoolLines([sampleRecord(at('b'), 'new')].map(toSpoolLine))]]);
  const chunkKeys = [
    await storeChunk(blobs, 'stored', [sampleRecord(at('a'), 'a'), sampleRecord(at('b'), 'old')]),
    'later',
  ];
  await buildSegment(blobs, { chunkKeys, unwritten, baseKeys: [], kind: 'changes', segmentKey: 'new.seg' });
  expect(await textsIn(blobs, 'new.seg')).toEqual({ a: 'a', b: 'new' });
});

test('an unchanged page is taken from the newest segment that has it', async () => {
  const blobs = await storeOf();
  await build(blobs, [[sampleRecord(at('a'), 'oldest'), sampleRecord(at('b'), 'b')]], { segmentKey: 'base.seg' });
  await build(blobs, [[sampleRecord(at('a'), 'newer')]], { segmentKey: 'live.seg', kind: 'changes' });
  const result = await build(blobs, [[unchanged('a'), unchanged('b')]], { baseKeys: ['base.seg', 'live.seg'] });
  expect(await textsIn(blobs, 'new.seg')).toEqual({ a: 'newer', b: 'b' });
  expect(result).toMatchObject({ pageCount: 2, snippetCount: 2, tokenCount: 2 });
});

test('a page that failed temporarily is kept, one that is gone is removed', async () => {
  const blobs = await storeOf();
  const old = ['busy', 'gone', 'silent'].map((path) => sampleRecord(at(path), path));
  await build(blobs, [old], { segmentKey: 'base.seg' });
  const records = [failed('busy', 'http-503'), failed('gone', 'http-404'), failed('silent', 'timeout')];
  await build(blobs, [records], { baseKeys: ['base.seg'] });
  expect(await textsIn(blobs, 'new.seg')).toEqual({ busy: 'busy', silent: 'silent' });
});

test('a page that lost its text hides the older one in a segment of changes and is omitted from a full one', async () => {
  const blobs = await storeOf();
  const records = [[sampleRecord(at('full'), 'text'), sampleRecord(at('empty'), '')]];
  expect(await build(blobs, records)).toMatchObject({ pageCount: 1 });
  expect(await textsIn(blobs, 'new.seg')).toEqual({ full: 'text' });
  await build(blobs, records, { segmentKey: 'changes.seg', kind: 'changes' });
  expect(await textsIn(blobs, 'changes.seg')).toEqual({ full: 'text', empty: '' });
});

test('the crawl file has what the next refresh needs for each kept page, and no content of others', async () => {
  const blobs = await storeOf();
  const many = Array.from({ length: 100 }, (_, index) => sampleRecord(at(`page${index}`), `text ${index}`));
  many.push(sampleRecord(at('empty'), ''), failed('gone', 'http-404'));
  await build(blobs, [many], { crawlKey: 'crawl' });
  const crawl = openCrawlFile(await blobs.open('crawl'));
  for (const index of [0, 99, 50, 15, 16]) {
    const { contentHash, links } = many[index] as SpoolRecord;
    const known = { url: at(`page${index}`), contentHash, links, readBy: parserVersion() };
    expect(crawl.find(at(`page${index}`))).toEqual(known);
  }
  expect(crawl.find(at('empty'))).toMatchObject({ isEmpty: true });
  expect(crawl.find(at('gone'))).toEqual({ url: at('gone'), contentHash: '', goneFor: 'http-404' });
  crawl.close();
});

test('a page has the link texts of other pages, the most frequent first', async () => {
  const blobs = await storeOf();
  const link = (text: string, fromContent = true) => ({ url: `${at('a')}#part`, text, fromContent });
  const records: SpoolRecord[] = [
    { ...sampleRecord(at('a'), 'text'), links: [link('the page itself')] },
    { ...sampleRecord(at('b'), 'text'), links: [link('rows in order'), link('sorting')] },
    { ...sampleRecord(at('c'), 'text'), links: [link('sorting'), link('more')] },
    { ...sampleRecord(at('d'), 'text'), links: [link('menu of sorting', false)] },
  ];
  await build(blobs, [records]);
  const segment = openSegment(await blobs.open('new.seg'));
  const page = segment.findPage(at('a')) as number;
  expect(segment.page(page).inboundAnchors).toEqual(['sorting', 'rows in order']);
});

test('a failed build stores no segment', async () => {
  const blobs = await storeOf();
  const records = [[sampleRecord(at('a'), 'a')], [unchanged('a')]];
  await expect(build(blobs, records, { baseKeys: ['missing.seg'] })).rejects.toThrow('There is no blob');
  await blobs.put('new.seg-1', Buffer.from('damaged'));
  const task = { chunkKeys: ['new.seg-0', 'new.seg-1'], baseKeys: [], kind: 'whole', segmentKey: 'new.seg' } as const;
  await expect(buildSegment(blobs, { ...task, chunkKeys: [...task.chunkKeys], baseKeys: [] })).rejects.toThrow();
  expect(await blobs.exists('new.seg')).toBe(false);
});

test('a build is the same with and without prepared chunks, even if a later record of a page counts', async () => {
  const blobs = await storeOf();
  const chunkKeys = [
    await storeChunk(blobs, 'c1', [sampleRecord(at('a'), 'the first text of a'), sampleRecord(at('b'), 'text of b')]),
    await storeChunk(blobs, 'c2', [sampleRecord(at('a'), 'the second text of a'), failed('d', 'timeout')]),
  ];
  const bytesOf = async (segmentKey: string, prepared: PreparedPages) => {
    await buildSegment(blobs, { chunkKeys, baseKeys: [], kind: 'whole', segmentKey }, undefined, prepared);
    const blob = await blobs.open(segmentKey);
    return Buffer.from(blob.read(0, blob.byteLength));
  };
  const plain = await bytesOf('plain', new PreparedPages());
  const prepared = new PreparedPages();
  await blobs.put('damaged', Buffer.from('damaged'));
  for (const key of [...chunkKeys, 'nowhere', 'damaged']) await prepared.prepare(blobs, key);
  expect(prepared.of('c1', 1)?.entries.length).toBeGreaterThan(0);
  expect((await bytesOf('prepared', prepared)).equals(plain)).toBe(true);
  prepared.forget(['c1']);
  expect(prepared.of('c1', 1)).toBeUndefined();
  expect((await bytesOf('half', prepared)).equals(plain)).toBe(true);
});
