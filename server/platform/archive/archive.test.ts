import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '#test/services/temporary-folder.ts';
import { hashEntry, listArchive } from './read-archive.ts';
import { decodeHeader, encodeHeader } from './tar-header.ts';
import { writeArchive } from './write-archive.ts';

const longName = `blobs/${Array.from({ length: 4 }, (_, part) => `${part}`.repeat(180)).join('/')}`;

const named = (file: string) => ({ file, temporary: `${file}.unfinished` });

async function sample() {
  const folder = temporaryFolder();
  const [source, file] = [join(folder, 'source'), join(folder, 'made.tar')];
  writeFileSync(source, 'x'.repeat(1_300_000));
  await writeArchive(named(file), 1_767_225_600_000, async (archive) => {
    await archive.add('first', source);
    await archive.addText('empty', '');
    await archive.addText(longName, 'long');
  });
  return { folder, source, file };
}

describe('an archive', () => {
  test('returns every name and byte and can be opened by tar', async () => {
    const { folder, source, file } = await sample();
    const entries = await listArchive(file);
    expect(entries.map(({ name, byteLength }) => [name, byteLength])).toEqual([
      ['first', 1_300_000],
      ['empty', 0],
      [longName, 4],
    ]);
    const { stdout } = await promisify(execFile)('tar', ['-tf', file]);
    expect(stdout.trim().split('\n')).toEqual(['first', 'empty', longName]);
    await promisify(execFile)('tar', ['-xf', file, '-C', folder]);
    expect(readFileSync(join(folder, 'first')).equals(readFileSync(source))).toBe(true);
    expect(readFileSync(join(folder, longName), 'utf8')).toBe('long');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('records the size of a file above eight gigabytes in an extended header', () => {
    const header = encodeHeader({ name: 'large', byteLength: 9 * 1024 ** 3 }, 0);
    expect(decodeHeader(header.subarray(0, 512))).toMatchObject({ kind: 'extended' });
    expect(header.toString('latin1')).toContain(`size=${9 * 1024 ** 3}\n`);
  });

  test('appears only when complete, never replaces a file, and leaves nothing when it fails', async () => {
    const { folder, file, source } = await sample();
    const before = readFileSync(file);
    await expect(writeArchive(named(file), 0, async () => undefined)).rejects.toThrow(/already exists/);
    expect(readFileSync(file).equals(before)).toBe(true);
    const other = join(folder, 'other.tar');
    const failing = writeArchive(named(other), 0, async (archive) => {
      await archive.add('first', source);
      expect(readdirSync(folder)).not.toContain('other.tar');
      await archive.add('second', join(folder, 'not-there'));
    });
    await expect(failing).rejects.toThrow(/ENOENT/);
    // Another program created the file meanwhile.
    const overtaken = writeArchive(named(other), 0, async () => writeFileSync(other, 'theirs'));
    await expect(overtaken).rejects.toThrow(/already exists/);
    expect(readFileSync(other, 'utf8')).toBe('theirs');
    expect(readdirSync(folder).sort()).toEqual(['made.tar', 'other.tar', 'source']);
    await expect(writeArchive(named(join(folder, 'no', 'x.tar')), 0, async () => undefined)).rejects.toThrow(
      /Name an existing folder/,
    );
  });

  test('is refused if truncated or if its headers were changed', async () => {
    const { file, folder } = await sample();
    for (const [length, message] of [
      [1_000_000, /cut off/],
      [1_300_480, /cut off/],
      [100, /cut off/],
    ] as const) {
      const cut = join(folder, 'cut.tar');
      writeFileSync(cut, readFileSync(file));
      truncateSync(cut, length);
      await expect(listArchive(cut)).rejects.toThrow(message);
    }
    await expect(listArchive(folder)).rejects.toThrow(/not a backup from this program/);
    const bytes = readFileSync(file);
    bytes[3] = 120;
    writeFileSync(join(folder, 'changed.tar'), bytes);
    await expect(listArchive(join(folder, 'changed.tar'))).rejects.toThrow(/not a backup from this program/);
    const [first] = await listArchive(file);
    const before = first && (await hashEntry(first));
    const content = readFileSync(file);
    content[700_000] = 121;
    writeFileSync(file, content);
    expect(first && (await hashEntry(first))).not.toBe(before);
  });
});
