import { expect, test } from 'vitest';
import type { Block } from '../document.ts';
import { splitDocument } from './index.ts';

function namesOf(heading: string, code: string, language = ''): string[] {
  const blocks: Block[] = [
    { type: 'heading', markdown: heading, depth: 3 },
    { type: 'code', markdown: `\`\`\`${language}\n${code}\n\`\`\``, ...(language !== '' && { language }) },
    { type: 'paragraph', markdown: 'What it does.' },
  ];
  const doc = { title: 'T', isNoindex: false, blocks, links: [] };
  return splitDocument(doc, { url: 'https://docs.example/a' }).flatMap(({ identifiers }) => identifiers);
}

test.each([
  ['reader', 'protected java.io.Reader reader', 'java'],
  ['Append', "procedure Append\n  (Self : in out Vector'Class)", ''],
  ['`theme`', 'val Context.theme: Theme', 'kotlin'],
  ['Enable', 'virtual void Enable() = 0', ''],
  ['parse', 'parse(\n    docstring: Docstring,\n) -> list', 'python'],
])('a one-word heading is a name if the declaration below it defines the name: %s', (heading, code, language) => {
  expect(namesOf(heading, code, language)).toEqual([heading.replaceAll('`', '')]);
});

test.each([
  ['License', 'ISC License\n\nCopyright (c) 2021', ''],
  ['install', 'npm install', 'sh'],
  ['Usage', 'usage: tides [-v]', ''],
  ['Open the file', 'file = open(path)', 'python'],
])('a heading above other code is not a name: %s', (heading, code, language) => {
  expect(namesOf(heading, code, language)).toEqual([]);
});
