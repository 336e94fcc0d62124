import { expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { chooseFiles } from './choose-files.ts';

const file = (name: string, size = 10) => ({ name, size, lastModified: 1, slice: () => new Blob() });
const empty = { filesTaken: 0, unfinished: [] };

test('files that are not PDFs, empty or too large are rejected by name before they are sent', () => {
  const chosen = [file('a.PDF'), file('notes.txt'), file('void.pdf', 0), file('huge.pdf', limits.pdfFileBytesMax + 1)];
  const { files, refused } = chooseFiles(chosen, empty);
  expect(files.map((one) => one.file.name)).toEqual(['a.PDF']);
  expect(refused.map((sentence) => sentence.split(' ')[0])).toEqual(['notes.txt', 'void.pdf', 'huge.pdf']);
});

test('a set accepts files up to its limit, plus files that resume an upload', () => {
  const room = {
    filesTaken: limits.pdfFilesPerSetMax - 1,
    unfinished: [{ uploadId: 'u1', fileName: 'c.pdf', sizeBytes: 10 }],
  };
  const { files, refused } = chooseFiles([file('a.pdf'), file('b.pdf'), file('c.pdf')], room);
  expect(files.map((one) => [one.file.name, one.uploadId])).toEqual([
    ['a.pdf', undefined],
    ['c.pdf', 'u1'],
  ]);
  expect(refused).toHaveLength(1);
});

test('an upload is resumed once, by a file with the same name and size', () => {
  const unfinished = [{ uploadId: 'u1', fileName: 'a.pdf', sizeBytes: 10 }];
  const chosen = [file('a.pdf', 11), file('a.pdf', 10), file('a.pdf', 10)];
  expect(chooseFiles(chosen, { filesTaken: 0, unfinished }).files.map(({ uploadId }) => uploadId)).toEqual([
    undefined,
    'u1',
    undefined,
  ]);
});

test('choosing the same files again sends only the missing ones', () => {
  const all = Array.from({ length: limits.pdfFilesPerSetMax }, (_, at) => file(`${at}.pdf`));
  const known = all.slice(0, 80).map(({ name, size }) => ({ name, sizeBytes: size }));
  const unfinished = [{ uploadId: 'u1', fileName: '80.pdf', sizeBytes: 10 }];
  const again = chooseFiles(all, { filesTaken: 81, known, unfinished });
  expect(again).toMatchObject({ refused: [], known: 80 });
  expect(again.files.map((one) => one.file.name)).toEqual(all.slice(80).map(({ name }) => name));
  expect(again.files[0]?.uploadId).toBe('u1');
  expect(chooseFiles([file('0.pdf', 11)], { filesTaken: 81, known, unfinished }).files).toHaveLength(1);
});
