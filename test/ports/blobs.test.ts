import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BlobConfig, type Blobs, openBlobs } from '#server/platform/blobs/index.ts';
import { startProgram } from '#test/services/programs.ts';
import { type S3Service, startS3 } from '#test/services/s3.ts';
import { temporaryFolder } from '#test/services/temporary-folder.ts';

let s3: S3Service;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3.stop());

let round = 0;
const configs: Record<BlobConfig['kind'], () => BlobConfig> = {
  folder: () => ({ kind: 'folder', folder: join(temporaryFolder(), 'blobs') }),
  s3: () => ({ ...s3.config, prefix: `installation-${round++}` }),
};

const text = (value: string) => new TextEncoder().encode(value);
const bytesOf = async (blobs: Blobs, key: string) => {
  const blob = await blobs.open(key);
  const bytes = blob.read(0, blob.byteLength);
  blob.close();
  return Buffer.from(bytes);
};

describe.each(['folder', 's3'] as const)('blobs in %s', (kind) => {
  let config: BlobConfig;
  let blobs: Blobs;
  beforeEach(async () => {
    config = configs[kind]();
    blobs = await openBlobs(config);
  });

  test('a stored blob is read back, completely and in parts', async () => {
    const content = randomBytes(100_000);
    expect(await blobs.put('segments/3f/3fa9.seg', content)).toBe(100_000);
    const blob = await blobs.open('segments/3f/3fa9.seg');
    expect(blob.byteLength).toBe(100_000);
    expect(Buffer.from(blob.read(0, 100_000)).equals(content)).toBe(true);
    expect(Buffer.from(blob.read(99_990, 10))).toEqual(content.subarray(99_990));
    expect(blob.read(100_000, 0)).toHaveLength(0);
    blob.close();
  });

  test('a read returns its own memory, aligned for typed arrays', async () => {
    await blobs.put('a', text('0123456789abcdef'));
    const blob = await blobs.open('a');
    const bytes = blob.read(3, 8);
    expect([bytes.byteOffset, bytes.buffer.byteLength]).toEqual([0, 8]);
    bytes.fill(0);
    expect(Buffer.from(blob.read(3, 8)).toString()).toBe('3456789a');
    blob.close();
  });

  test.each([
    [-1, 1],
    [0, 11],
    [10, 1],
    [5, -1],
    [Number.NaN, 1],
  ])('reading %d + %d outside the blob is refused', async (offset, length) => {
    await blobs.put('ten', text('0123456789'));
    const blob = await blobs.open('ten');
    expect(() => blob.read(offset, length)).toThrow(RangeError);
    blob.close();
    blob.close();
    expect(() => blob.read(0, 1)).toThrow('closed');
  });

  test('chunks of every size are stored without gaps, even if they share one buffer', async () => {
    const sizes = [1, 300_000, 100_000, 200_000, 262_144, 0, 262_143, 1, 2, 700_000, 5];
    const memory = new Uint8Array(700_000);
    async function* pieces() {
      for (const [at, size] of sizes.entries()) yield memory.subarray(0, size).fill(at + 1);
    }
    const expected = Buffer.concat(sizes.map((size, at) => Buffer.alloc(size, at + 1)));
    expect(await blobs.put('uneven', pieces())).toBe(expected.byteLength);
    expect((await bytesOf(blobs, 'uneven')).equals(expected)).toBe(true);
  });

  test('content can come in chunks and can be empty', async () => {
    async function* pieces() {
      for (const piece of ['one ', '', 'two ', 'three']) yield text(piece);
    }
    expect(await blobs.put('pieces', pieces())).toBe(13);
    expect((await bytesOf(blobs, 'pieces')).toString()).toBe('one two three');
    expect(await blobs.put('list', [text('a'), text('b')])).toBe(2);
    expect(await blobs.put('empty', new Uint8Array())).toBe(0);
    expect(await bytesOf(blobs, 'empty')).toHaveLength(0);
  });

  test('large generated content is read back unchanged', async () => {
    const piece = randomBytes(3_000_001);
    async function* pieces() {
      for (let at = 0; at < 9; at++) yield piece;
    }
    expect(await blobs.put('big', pieces())).toBe(27_000_009);
    const expected = Buffer.concat(Array.from({ length: 9 }, () => piece));
    expect((await bytesOf(blobs, 'big')).equals(expected)).toBe(true);
  });

  test('content that fails during the upload leaves the old blob in place', async () => {
    await blobs.put('kept', text('old'));
    async function* broken(before: number) {
      for (let at = 0; at < before; at++) yield randomBytes(1_000_000);
      throw new Error('the source broke');
    }
    await expect(blobs.put('kept', broken(1))).rejects.toThrow('the source broke');
    await expect(blobs.put('kept', broken(20))).rejects.toThrow('the source broke');
    await expect(blobs.put('new', broken(1))).rejects.toThrow('the source broke');
    expect((await bytesOf(blobs, 'kept')).toString()).toBe('old');
    expect(await blobs.list('')).toEqual(['kept']);
  });

  test('an open blob stays readable after it is replaced or deleted, and later readers see the new one', async () => {
    await blobs.put('a', text('first'));
    const first = await blobs.open('a');
    await blobs.put('a', text('second'));
    const second = await blobs.open('a');
    await blobs.delete('a');
    expect(Buffer.from(first.read(0, 5)).toString()).toBe('first');
    expect(Buffer.from(second.read(0, 6)).toString()).toBe('second');
    first.close();
    second.close();
    await expect(blobs.open('a')).rejects.toMatchObject({ name: 'BlobError', code: 'not-found' });
  });

  test('deleting a missing blob succeeds', async () => {
    await blobs.put('a/b', text('x'));
    await blobs.delete('a/c');
    await blobs.delete('a');
    await blobs.delete('a/b');
    await blobs.delete('a/b');
    expect([await blobs.exists('a/b'), await blobs.exists('a'), await blobs.list('')]).toEqual([false, false, []]);
  });

  test('keys are listed by prefix, in byte order', async () => {
    const keys = ['runs/2/a', 'runs/10/b', 'runs/10/B', 'runs/1', 'runs.x', 'segments/z', 'runs/2/a-b', 'runs/2/a.b'];
    for (const key of keys) await blobs.put(key, text(key));
    const sorted = keys.toSorted((a, b) => (a < b ? -1 : 1));
    expect(await blobs.list('')).toEqual(sorted);
    for (const prefix of ['runs/', 'runs', 'runs/1', 'runs/10/', 'runs/2/a', 'none/', 'seg']) {
      expect(await blobs.list(prefix), prefix).toEqual(sorted.filter((key) => key.startsWith(prefix)));
    }
    expect([await blobs.exists('runs/1'), await blobs.exists('runs/10')]).toEqual([true, false]);
  });

  test('entries have a size and an age, and a moved blob is found only under its new key', async () => {
    const before = Date.now();
    await blobs.put('a/one', text('one'));
    await blobs.put('b', text('four'));
    const entries = await blobs.entries('a/');
    expect(entries).toMatchObject([{ key: 'a/one', byteLength: 3 }]);
    // S3 returns times in whole seconds.
    expect(Math.abs((entries[0]?.storedAt ?? 0) - before)).toBeLessThan(5_000);
    expect(await blobs.move('a/one', 'trash/2026-01-01/a/one')).toBe(true);
    expect(await blobs.list('')).toEqual(['b', 'trash/2026-01-01/a/one']);
    expect((await bytesOf(blobs, 'trash/2026-01-01/a/one')).toString()).toBe('one');
    expect(await blobs.move('a/one', 'a/other')).toBe(false);
    expect(await blobs.list('a/')).toEqual([]);
  });

  test('another store at the same location sees the same blobs, one at another location does not', async () => {
    await blobs.put('a', text('x'));
    expect(await (await openBlobs(config)).list('')).toEqual(['a']);
    expect(await (await openBlobs(configs[kind]())).list('')).toEqual([]);
  });

  test.each([
    '',
    '/a',
    'a/',
    'a//b',
    '../a',
    'a/../b',
    'a/..',
    '.',
    './a',
    '.incoming/a',
    'a/.hidden',
    'a\\b',
    'a b',
    'ä',
    'a\0',
    'x'.repeat(901),
  ])('the key %j is refused', async (key) => {
    const attempts = [
      () => blobs.put(key, text('x')),
      () => blobs.open(key),
      () => blobs.delete(key),
      () => blobs.exists(key),
    ];
    for (const attempt of attempts) {
      await expect((async () => attempt())()).rejects.toMatchObject({ code: 'invalid-key' });
    }
  });

  test.each(['/', '../', 'a/../', 'a//', '.in'])('the prefix %j is refused', async (prefix) => {
    await expect(blobs.list(prefix)).rejects.toMatchObject({ code: 'invalid-key' });
  });

  test('many simultaneous puts, reads and deletions do not interfere', async () => {
    await Promise.all(
      Array.from({ length: 24 }, async (_, at) => {
        const key = `crowd/${at % 4}/${at}`;
        await blobs.put(key, text(`content ${at}`));
        expect((await bytesOf(blobs, key)).toString()).toBe(`content ${at}`);
        if (at % 2 === 0) await blobs.delete(key);
      }),
    );
    expect(await blobs.list('crowd/')).toHaveLength(12);
  });
});

describe('blobs in a data folder', () => {
  test('a blob that several processes move at once is moved by one of them', async () => {
    const blobs = await openBlobs({ kind: 'folder', folder: temporaryFolder() });
    await blobs.put('a/one', text('one'));
    const moves = await Promise.all([1, 2, 3].map(() => blobs.move('a/one', 'trash/2026-01-01/a/one')));
    expect(moves.filter(Boolean)).toHaveLength(1);
    expect(await blobs.list('')).toEqual(['trash/2026-01-01/a/one']);
  });

  test('a process killed during a put leaves no partial blob', async () => {
    const folder = temporaryFolder();
    const program = await startProgram('ports/programs/put-blobs.ts', { folder });
    for (let seen = 0; seen < 3; seen++) await program.nextAnswer();
    await program.kill();
    const incoming = () => readdirSync(join(folder, '.incoming'));
    writeFileSync(join(folder, '.incoming', 'begun'), 'a part');
    // After the clock was set forward, everything looks old to one thread of many.
    utimesSync(join(folder, '.incoming', 'begun'), 0, 0);
    await openBlobs({ kind: 'folder', folder });
    expect(incoming()).toContain('begun');
    const blobs = await openBlobs({ kind: 'folder', folder }, { isFirst: true });
    expect(incoming()).toEqual([]);
    const keys = await blobs.list('');
    expect(keys.length).toBeGreaterThanOrEqual(3);
    for (const key of keys) {
      const bytes = await bytesOf(blobs, key);
      expect([bytes.length, new Set(bytes).size]).toEqual([5_000_000, 1]);
    }
  });

  test('no temporary files remain after successful or failed puts or deletions', async () => {
    const folder = temporaryFolder();
    const blobs = await openBlobs({ kind: 'folder', folder });
    await blobs.put('a/b/c', text('x'));
    for (const key of ['a/b/c/d', 'a/b']) {
      await expect(blobs.put(key, text('x'))).rejects.toMatchObject({ code: 'invalid-key' });
    }
    await blobs.delete('a/b/c');
    expect(readdirSync(folder)).toEqual(['.incoming']);
    expect(readdirSync(join(folder, '.incoming'))).toEqual([]);
  });

  test.skipIf(!existsSync('/dev/full'))('a folder that cannot be created is named', async () => {
    await expect(openBlobs({ kind: 'folder', folder: '/dev/full/blobs' })).rejects.toMatchObject({
      code: 'not-writable',
      message: expect.stringContaining('/dev/full/blobs'),
    });
  });
});
