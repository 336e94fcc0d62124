import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { decodeHtml } from './decode-html.ts';

const lists = path.resolve(process.env['LECTERN_SHARED'] ?? '../shared', 'security');
const hasLists = existsSync(path.join(lists, 'charset.jsonl'));
if (!hasLists) console.warn(`left out: no encoding lists in ${lists}`);

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

describe('decodeHtml', () => {
  test('prefers a byte order mark to the header', () => {
    const page = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('žluť')]);
    expect(decodeHtml(page, 'text/html; charset=windows-1252')).toEqual({ text: 'žluť', encoding: 'utf-8' });
  });

  test('prefers the header to the meta element', () => {
    const page = bytes('<meta charset="iso-8859-2"><p>\x93x\x94');
    expect(decodeHtml(page, 'text/html; charset="windows-1252"').text).toContain('“x”');
  });

  test('uses the page if the header has an unknown label', () => {
    expect(decodeHtml(bytes('<meta charset=iso8859-2>\xe8'), 'text/html; charset=klingon').text).toContain('č');
  });

  test('ignores a meta element in a comment and finds one far down', () => {
    const page = bytes(`<!-- <meta charset="koi8-r"> ${'x'.repeat(9000)} --><meta charset="iso-8859-2">\xe8`);
    expect(decodeHtml(page).encoding).toBe('iso-8859-2');
  });

  test('reads the encoding from an XML declaration', () => {
    expect(decodeHtml(bytes('<?xml version="1.0" encoding="ISO-8859-2"?>\xe8')).text).toContain('č');
  });

  test('without a declaration uses UTF-8 if valid, even cut inside a character, otherwise windows-1252', () => {
    const page = Buffer.from('<p>日本語');
    expect(decodeHtml(page).encoding).toBe('utf-8');
    expect(decodeHtml(page.subarray(0, page.length - 1)).text).toContain('日本');
    expect(decodeHtml(bytes('<p>caf\xe9 \x80')).text).toBe('<p>café €');
  });

  test('never decodes encodings that can hide markup', () => {
    expect(decodeHtml(bytes('<p>x'), 'text/html; charset=iso-2022-kr')).toEqual({
      text: '\uFFFD',
      encoding: 'replacement',
    });
    expect(decodeHtml(bytes('+ADw-script+AD4-'), 'text/html; charset=utf-7').text).toBe('+ADw-script+AD4-');
  });

  test.skipIf(!hasLists)('reads pages with old encodings or wrong labels as browsers do', () => {
    const cases = readCases('charset.jsonl');
    const read = cases.filter((page) => {
      const { text } = decodeHtml(Buffer.from(page.bodyBase64!, 'base64'), page.contentType);
      const shown = text.replace(/^[\s\S]*<body>/i, '').replace(/<[^>]*>?/g, '');
      // Valid UTF-8 without a label is read, although browsers do not.
      return page.name === 'UTF-8, no label at all' || squash(shown).includes(squash(page.browserText!));
    });
    expect(read.length / cases.length).toBeGreaterThanOrEqual(0.95);
  });

  test.skipIf(!hasLists)('finds the encoding required by the standard', () => {
    const cases = readCases('html-encoding-sniff.jsonl');
    const found = cases.filter((page) => {
      const { encoding } = decodeHtml(Buffer.from(page.bodyBase64!, 'base64'));
      return encoding === new TextDecoder(page.encoding).encoding;
    });
    expect(found.length / cases.length).toBeGreaterThanOrEqual(0.95);
  });
});

function readCases(name: string): Record<string, string | undefined>[] {
  const lines = readFileSync(path.join(lists, name), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, string | undefined>);
}

const squash = (text: string): string => text.replace(/\s+/g, ' ').trim();
